//! The traffic log: every line to and from engines, time-stamped, in one file. For people who look for the mistake.

use crate::file;
use std::fmt;
use std::io::{self, LineWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Where lines go, shared by all clients of a run. A line is `seconds engine > text` (to the engine), `<` (from it), or
/// `!` (a note of ours). Writing never fails a run: a full disk costs the log only, and is told at the end.
#[derive(Clone)]
pub struct TrafficLog {
    start: Instant,
    failed: Arc<OnceLock<io::Error>>,
    sink: Arc<Mutex<dyn Write + Send>>,
}

impl TrafficLog {
    /// Creates or overwrites a file.
    pub fn create(path: &Path) -> io::Result<TrafficLog> {
        Ok(TrafficLog::new(LineWriter::new(file::create(path)?)))
    }

    pub fn new(sink: impl Write + Send + 'static) -> TrafficLog {
        let failed = Arc::default();
        TrafficLog { start: Instant::now(), failed, sink: Arc::new(Mutex::new(sink)) }
    }

    /// Writes one or several lines in one direction.
    pub fn write(&self, engine: &str, direction: char, text: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        if let Ok(mut sink) = self.sink.lock() {
            for line in text.lines() {
                if let Err(error) = writeln!(sink, "{seconds:.6} {engine} {direction} {line}") {
                    // The first one is told.
                    let _ = self.failed.set(error);
                }
            }
        }
    }

    /// What went wrong first, if something did.
    pub fn failed(&self) -> Option<&io::Error> {
        self.failed.get()
    }
}

impl fmt::Debug for TrafficLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrafficLog").finish_non_exhaustive()
    }
}
