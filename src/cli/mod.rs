//! The command line: arguments, configuration, progress, exit codes; one file per verb.

use std::process::ExitCode;

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
