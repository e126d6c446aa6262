//! Exit codes and the errors that carry one. It knows nothing of any verb.
//! A failed check is not an error: verbs return an [`Exit`]; a [`Failure`] is one line on stderr and a code.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// How the process ends. The numbers are an interface (README.md, "Exit codes").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All well: passed, H1, faster or the same.
    Ok,
    /// A check failed, H0, a regression.
    Failed,
    /// The command line, a file or a setting is wrong.
    Usage,
    /// No decision, or a run marked not valid.
    Inconclusive,
    /// An engine failed and the run could not go on.
    Engine,
    /// A bug of ours.
    Bug,
    /// Ended by this signal; what was measured until then is kept.
    Signal(i32),
}

impl Exit {
    /// 0, 1, 2, 3, 4, 70, or 128 + signal.
    pub fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Inconclusive => 3,
            Exit::Engine => 4,
            Exit::Bug => 70,
            Exit::Signal(signal) => 128u8.saturating_add(u8::try_from(signal).unwrap_or(127)),
        }
    }

    /// `Failed` if the condition holds, `Ok` otherwise.
    pub fn failed_if(failed: bool) -> Exit {
        if failed { Exit::Failed } else { Exit::Ok }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a verb could not do its work: one line for people, and the code to end with.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
}

impl Failure {
    /// Bad input of any kind: exit 2.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Usage, message: message.to_string() }
    }

    /// An engine failed: exit 4.
    pub fn engine(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Engine, message: message.to_string() }
    }

    /// A file that cannot be read: exit 2.
    pub fn unreadable(path: impl fmt::Display, error: &io::Error) -> Failure {
        Failure::usage(format!("{path}: {error}"))
    }

    /// The message on one line, whatever it was made from.
    pub fn line(&self) -> String {
        one_line(&self.message)
    }
}

/// The reader of our output has gone away (`gauntlet … | head`): nothing is wrong.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure { exit: Exit::Ok, message: String::new() }
        } else {
            Failure::usage(format!("output: {error}"))
        }
    }
}

/// The run folder could not be written: a full disk is not a failed check.
impl From<crate::record::StoreError> for Failure {
    fn from(error: crate::record::StoreError) -> Failure {
        Failure::usage(error)
    }
}

/// Line ends and runs of white space become one space.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_documented_ones() {
        let exits = [Exit::Ok, Exit::Failed, Exit::Usage, Exit::Inconclusive, Exit::Engine, Exit::Bug];
        assert_eq!(exits.map(Exit::code), [0, 1, 2, 3, 4, 70]);
        assert_eq!([Exit::Signal(2).code(), Exit::Signal(15).code()], [130, 143]);
    }

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(Failure::usage("a\n  b\tc\n").line(), "a b c");
    }
}
