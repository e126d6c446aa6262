//! The `gauntlet` binary: everything it does is in the library's `cli` module.

fn main() -> std::process::ExitCode {
    gauntlet::cli::main()
}
