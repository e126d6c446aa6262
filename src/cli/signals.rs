//! SIGINT, SIGTERM and SIGHUP: the first one asks the run to stop and keep its results, the second one ends the process at once.
//! It knows no verb; whoever measures looks at the flag.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The stop flag of this process and the signal that set it.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    stop: Arc<AtomicBool>,
    which: Arc<AtomicUsize>,
}

/// SIGHUP, unless it is ignored already: a run under `nohup` outlives its terminal.
fn hang_up() -> Option<i32> {
    #[cfg(not(unix))]
    return None;
    #[cfg(unix)]
    {
        let signal = signal_hook::consts::SIGHUP;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        (mask & 1 << (signal - 1) == 0).then_some(signal)
    }
}

impl Signals {
    /// Handles them from now on.
    pub fn install() -> io::Result<Signals> {
        let signals = Signals::default();
        for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up()) {
            // In this order: the second signal finds the flag set by the first.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, signals.stop.clone())?;
            signal_hook::flag::register_usize(signal, signals.which.clone(), signal as usize)?;
            signal_hook::flag::register(signal, signals.stop.clone())?;
        }
        Ok(signals)
    }

    /// True once the run should end.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The flag, shared.
    pub fn shared(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// The signal that came, if one did.
    pub fn caught(&self) -> Option<i32> {
        match self.which.load(Ordering::Relaxed) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
    }
}
