//! Hands the git commit and the compiler's version to the program, for the headers of its records. Neither is required:
//! a build from a source archive has no commit.

use std::process::Command;

fn first_line(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    if let Some(version) = first_line(&rustc, &["--version"]) {
        println!("cargo::rustc-env=GAUNTLET_RUSTC={version}");
    }
    // Only if this package is the repository itself, not a copy inside somebody else's.
    let inside = first_line("git", &["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix.is_empty());
    if let (true, Some(log)) = (inside, first_line("git", &["rev-parse", "--git-path", "logs/HEAD"])) {
        println!("cargo::rerun-if-changed={log}");
        if let Some(commit) = first_line("git", &["rev-parse", "--short=10", "HEAD"]) {
            println!("cargo::rustc-env=GAUNTLET_COMMIT={commit}");
        }
    }
}
