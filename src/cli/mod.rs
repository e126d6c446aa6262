//! The command line: arguments, configuration, progress, signals, exit codes; one file per verb under `verbs/`.
//!
//! The only room that knows clap, TOML and terminals, and the only one that prints. It measures nothing itself: a verb turns
//! its settings into a plan, hands it to `trial`, `arena` or `campaign`, and shows what comes back.

mod args;
mod config;
mod defaults;
mod examples;
mod exit;
mod figures;
mod hints;
mod live;
mod output;
#[cfg(target_os = "linux")]
mod pages;
mod pairs;
mod progress;
mod rules;
mod runs;
mod signals;
mod spec;
mod table;
mod verbs;
mod written;

use crate::record::RunFolder;
use crate::subject::{EngineSpec, Session, TrafficLog};
use args::{Cli, Common};
use clap::FromArgMatches;
use clap::error::ErrorKind;
use config::Layers;
use exit::{Exit, Failure};
use output::{Output, note};
use signals::Signals;
use std::io::Write;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// No machine has use for more threads, and each worker of a match holds two engines.
const MOST_WORKERS: u32 = 512;

/// What a verb works with besides its own settings.
#[derive(Debug)]
struct Job {
    verb: &'static str,
    common: Common,
    output: Output,
    signals: Signals,
    argv: Vec<String>,
    unwritten: Unwritten,
    /// The log of this run, once it has one.
    log: OnceLock<TrafficLog>,
}

/// What was asked for by name beside the run and could not be written: a line each.
type Unwritten = Arc<Mutex<Vec<String>>>;

impl Job {
    /// Threads inside one task.
    fn threads(&self) -> usize {
        count_or_cores(self.common.threads)
    }

    /// Tasks at once.
    fn concurrency(&self) -> usize {
        count_or_cores(self.common.concurrency)
    }
}

impl Job {
    /// What all engines of this run share: the time-outs, the log, the stop flag.
    fn session(&self) -> Result<Session, Failure> {
        let log = match &self.common.log {
            Some(path) => {
                let log =
                    TrafficLog::create(path).map_err(|error| Failure::unreadable(path.display(), &error))?;
                Some(self.log.get_or_init(|| log).clone())
            }
            None => None,
        };
        Ok(Session { log, stop: Some(self.signals.shared()), ..Session::default() })
    }

    /// The exit of a run that has ended with this one. Results that are not where they were wanted are no success, but less than
    /// what the run itself says: a failed check, a signal.
    fn ending(&self, exit: Exit) -> Result<Exit, Failure> {
        let mut lines = std::mem::take(&mut *self.unwritten.lock().unwrap_or_else(PoisonError::into_inner));
        if let (Some(path), Some(error)) = (&self.common.log, self.log.get().and_then(TrafficLog::failed)) {
            lines.push(format!("{}: {error}", path.display()));
        }
        if lines.is_empty() {
            return Ok(exit);
        }
        let failure = Failure::usage(lines.join("; "));
        if matches!(exit, Exit::Ok | Exit::Inconclusive) {
            return Err(failure);
        }
        note(format_args!("gauntlet: {}", failure.line()));
        Ok(exit)
    }

    /// The engine of a SPEC, a file behind it read.
    fn engine(&self, text: &str, each: &str) -> Result<EngineSpec, Failure> {
        EngineSpec::parse_with_each(&spec::expand(text)?, each).map_err(Failure::usage)
    }
}

/// 0 means as many as there are cores.
fn count_or_cores(count: Option<u32>) -> usize {
    match count.unwrap_or(1) {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        count => count as usize,
    }
}

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        note(format_args!("gauntlet: internal error: {}", panic_line(panic)))
    }));
    // A panic that reaches this point was already told of by the hook.
    let exit = std::panic::catch_unwind(start).unwrap_or(Exit::Bug);
    exit.into()
}

fn panic_line(panic: &std::panic::PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let what = text.unwrap_or("panic");
    let place =
        panic.location().map_or_else(String::new, |place| format!(" ({}:{})", place.file(), place.line()));
    exit::one_line(&format!("{what}{place}; this is a bug of gauntlet, please report it"))
}

fn start() -> Exit {
    let parsed = args::command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match dispatch(cli) {
        Ok(exit) => exit,
        Err(failure) => {
            if !failure.message.is_empty() {
                note(format_args!("gauntlet: {}", failure.line()));
            }
            failure.exit
        }
    }
}

/// Help and version go to stdout; a wrong command line is one line on stderr.
fn usage(error: &clap::Error) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // With colours where stdout is a terminal; a closed pipe is no error.
        let _ = error.print();
        return Exit::Ok;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        note("gauntlet: no verb given; `gauntlet run` does everything, `gauntlet --help` shows the verbs");
        return Exit::Usage;
    }
    let line = clap_line(&error.render().to_string());
    let args: Vec<String> = std::env::args().skip(1).collect();
    match hints::hint(&args).filter(|_| error.kind() == ErrorKind::UnknownArgument) {
        Some(hint) => note(format_args!("gauntlet: {line}; {hint}")),
        None => note(format_args!("gauntlet: {line}")),
    }
    Exit::Usage
}

/// clap's several paragraphs as one line: the error itself and its tips, without the usage.
fn clap_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let wanted = text.split("\n\n").filter(|part| {
        let part = part.trim_start();
        !part.starts_with("Usage:") && !part.starts_with("For more information")
    });
    wanted.map(exit::one_line).collect::<Vec<_>>().join("; ")
}

fn dispatch(cli: Cli) -> Result<Exit, Failure> {
    let name = cli.verb.name();
    // A run that is taken up again brings its own plan.
    let resumed = cli.verb.resume().map(RunFolder::plan_path);
    let plan = cli.common.plan.as_deref().or(resumed.as_deref());
    let layers = match cli.verb.has_settings() {
        true => Layers::load(name, cli.common.config.as_deref(), plan)?,
        false => Layers::none(),
    };
    let common: Common = layers.resolve("common", &cli.common)?;
    // They are of this one call: in no file of settings.
    let Common { config, plan, label, .. } = cli.common.clone();
    let common = Common { config, plan, label, ..common };
    for (flag, count) in [("threads", common.threads), ("concurrency", common.concurrency)] {
        if count.is_some_and(|count| count > MOST_WORKERS) {
            return Err(Failure::usage(format!("--{flag}: more than {MOST_WORKERS}")));
        }
    }
    let output = Output { format: common.format.unwrap_or_default(), quiet: common.quiet };
    // The engine served to a GUI dies by a signal as any process does; everything else keeps its results.
    let signals = if name == "uci" { Signals::default() } else { Signals::install()? };
    let argv = std::env::args().collect();
    let (unwritten, log) = Default::default();
    let job = Job { verb: name, common, output, signals, argv, unwritten, log };
    let exit = match verbs::dispatch(&cli.verb, &layers, &job) {
        Ok(exit) => job.signals.caught().map_or(exit, Exit::Signal),
        // Its own code says more.
        Err(failure) => {
            job.ending(failure.exit)?;
            return Err(failure);
        }
    };
    std::io::stdout().flush()?;
    job.ending(exit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(argv: &[&str]) -> String {
        clap_line(&args::command().try_get_matches_from(argv).unwrap_err().render().to_string())
    }

    #[test]
    fn a_wrong_command_line_is_one_line() {
        let text = line(&["gauntlet", "perft", "--dpeth", "3"]);
        assert_eq!(text, "unexpected argument '--dpeth' found; tip: a similar argument exists: '--depth'");
        assert!(!line(&["gauntlet", "perft", "--depth", "x"]).contains('\n'));
        assert!(line(&["gauntlet", "perft", "--fen", "x", "--suite", "y"]).contains("cannot be used with"));
    }
}
