//! Puts one engine through the checks: starts it, starts it again where a check has used it up or found it wanting, and
//! always comes to an end. An engine that hangs costs its patience a few times and little from then on.

use super::candidate::Candidate;
use super::talk::{Fault, Passed};
use super::{Check, Level, Outcome, Settings, Verdict, checks};
use crate::uci::client::Session;
use crate::uci::options::OptionError;
use crate::uci::process::CommandSpec;
use std::io;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why nothing could be checked, or not all.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("engine {engine}: cannot start `{path}`: {source}")]
    Start { engine: String, path: String, source: io::Error },
    #[error("engine {engine}: {source}")]
    Option { engine: String, source: OptionError },
    #[error("engine {engine}: interrupted")]
    Interrupted { engine: String },
}

/// After so many time-outs in a row, those of checks that only inform left out, patience is cut down to [`SHORT`].
const TIMEOUTS: u32 = 6;
const SHORT: Duration = Duration::from_secs(1);
/// After so many starts in a row without `uciok` the engine is not started any more.
const STARTS: u32 = 3;

/// Makes the wanted checks. `on_outcome` hears of each in turn and says whether to go on.
///
/// # Errors
/// If there is nothing to check: the command cannot be started, an option of the SPEC cannot be set. An engine that dies or
/// hangs fails checks and is no error.
pub fn run(
    spec: &CommandSpec,
    settings: &Settings,
    session: &Session,
    on_outcome: &mut dyn FnMut(Outcome) -> bool,
) -> Result<(), StartError> {
    let mut runner = Runner { spec, settings, session, candidate: None, timeouts: 0, failed_starts: 0 };
    for check in checks().filter(|check| settings.wants(check)) {
        if !on_outcome(runner.make(check)?) {
            break;
        }
    }
    Ok(())
}

struct Runner<'a> {
    spec: &'a CommandSpec,
    settings: &'a Settings,
    session: &'a Session,
    candidate: Option<Candidate>,
    /// Checks in a row that ran out of time.
    timeouts: u32,
    failed_starts: u32,
}

impl Runner<'_> {
    fn patience(&self) -> Duration {
        if self.timeouts >= TIMEOUTS { self.settings.patience.min(SHORT) } else { self.settings.patience }
    }

    fn make(&mut self, check: &'static Check) -> Result<Outcome, StartError> {
        let begun = Instant::now();
        let outcome = |verdict, found, exchange| Outcome {
            id: check.id,
            level: check.level,
            what: check.what,
            verdict,
            found,
            exchange,
            time: begun.elapsed(),
        };
        let patience = self.patience();
        let mut candidate = match self.candidate.take() {
            Some(candidate) => candidate,
            None if self.failed_starts >= STARTS => {
                let why = "not made: the engine does not get as far as `uciok`".to_owned();
                return Ok(outcome(Verdict::Skipped, why, Vec::new()));
            }
            None => match Candidate::start(self.spec, self.session, self.settings)? {
                Ok(candidate) => {
                    self.failed_starts = 0;
                    candidate
                }
                Err((Fault::Interrupted, _)) => return Err(self.interrupted()),
                Err((fault, exchange)) => {
                    self.failed_starts += 1;
                    // Whatever the check is about: an engine that does not start keeps to no protocol.
                    return Ok(Outcome {
                        level: Level::Must,
                        ..outcome(Verdict::Failed, text(fault), exchange)
                    });
                }
            },
        };
        candidate.begin(patience);
        let told = (check.run)(&mut candidate);
        let exchange = candidate.exchange();
        if check.level != Level::Info {
            self.timeouts = if matches!(told, Err(Fault::Silent(_))) { self.timeouts + 1 } else { 0 };
        }
        Ok(match told {
            Ok(passed) => {
                if !candidate.is_spent() {
                    self.candidate = Some(candidate);
                }
                match passed {
                    Passed::Well => outcome(Verdict::Passed, String::new(), exchange),
                    Passed::With(found) => outcome(Verdict::Passed, found, exchange),
                    Passed::Skipped(why) => outcome(Verdict::Skipped, why, exchange),
                }
            }
            // A new one for the next check: nobody knows what state this one is in.
            Err(Fault::Interrupted) => return Err(self.interrupted()),
            Err(fault) => outcome(Verdict::Failed, text(fault), exchange),
        })
    }

    fn interrupted(&self) -> StartError {
        StartError::Interrupted { engine: self.spec.name.clone() }
    }
}

fn text(fault: Fault) -> String {
    match fault {
        Fault::Wrong(what) | Fault::Silent(what) | Fault::Died(what) => what,
        Fault::Interrupted => "interrupted".to_owned(),
    }
}
