//! The header of a run: what ran, where, on what. Facts about the machine are read where the system offers them
//! (Linux: `/proc`) and left empty elsewhere; nothing here may fail a run.

use super::{Cost, number, utc};
use serde::{Deserialize, Serialize};

/// Version of the record format; raised when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// `header.json`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    pub schema: u32,
    /// `run`, `perft`, `match`, …
    pub verb: String,
    /// Program version and, where known, the git commit it was built from.
    pub version: String,
    /// The compiler, as it names itself; empty where unknown.
    #[serde(default)]
    pub rustc: String,
    pub argv: Vec<String>,
    pub seed: u64,
    /// What the user calls the run: a version, a commit of the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// UTC, RFC 3339.
    pub started: String,
    pub finished: Option<String>,
    /// False until the run has ended as planned.
    pub complete: bool,
    /// The last line of stdout, once there is one.
    pub summary: Option<String>,
    pub machine: Machine,
    /// Shown before any figure: overload, time losses, tiny samples, …
    pub warnings: Vec<String>,
    /// What playing cost, where games were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// When the run was taken up again after it had been broken off (UTC, RFC 3339).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<String>,
}

impl Header {
    /// The header of a run that starts now, on this machine, with this program; not complete.
    pub fn begin(verb: &str, argv: Vec<String>, seed: u64) -> Header {
        Header {
            schema: SCHEMA,
            verb: verb.to_owned(),
            version: version(),
            rustc: option_env!("GAUNTLET_RUSTC").unwrap_or_default().to_owned(),
            argv,
            seed,
            started: utc::now(),
            machine: Machine::here(),
            ..Header::default()
        }
    }
}

/// `0.1.0`, or `0.1.0 (1e92440)` where the commit was known at build time.
pub fn version() -> String {
    match option_env!("GAUNTLET_COMMIT") {
        Some(commit) if !commit.is_empty() => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
        _ => env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// The machine of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    pub os: String,
    pub cpu: String,
    pub cores: u32,
    /// Instruction sets the program was built for that matter here (bmi2, avx2, …).
    pub features: Vec<String>,
    /// Load average over one minute at the start.
    #[serde(default, with = "number::option")]
    pub load: Option<f64>,
}

macro_rules! built_for {
    ($($feature:literal),* $(,)?) => {{
        let mut features: Vec<String> = Vec::new();
        $( if cfg!(target_feature = $feature) { features.push($feature.to_owned()); } )*
        features
    }};
}

impl Machine {
    /// This machine, now.
    pub fn here() -> Machine {
        Machine {
            os: format!("{} {}", system::release(), std::env::consts::ARCH),
            cpu: system::cpu().unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(0, |n| n.get() as u32),
            features: built_for![
                "sse2", "sse4.2", "popcnt", "lzcnt", "bmi1", "bmi2", "avx", "avx2", "avx512f", "avx512vl",
                "gfni", "neon", "sve",
            ],
            load: system::load(),
        }
    }

    /// How many tasks want a core just now, this one left out; none where the system does not tell. The smaller of the
    /// load average over one minute and the runnable tasks at this moment (median of five looks within 20 ms): the average
    /// still remembers what ended a minute ago, and a look alone may catch a moment that means nothing.
    pub fn pressure_now() -> Option<f64> {
        let mut looks = [0.0; 5];
        for (index, look) in looks.iter_mut().enumerate() {
            if index > 0 {
                std::thread::sleep(std::time::Duration::from_millis(4));
            }
            *look = (system::runnable()? - 1.0).max(0.0);
        }
        looks.sort_by(f64::total_cmp);
        Some(system::load()?.min(looks[2]))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::read_to_string;

    pub fn release() -> String {
        let release = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        format!("linux {}", release.trim()).trim().to_owned()
    }

    pub fn cpu() -> Option<String> {
        let text = read_to_string("/proc/cpuinfo").ok()?;
        // x86 says "model name"; some ARM kernels say "Model" or "Hardware" only.
        ["model name", "Model", "Hardware"].iter().find_map(|wanted| {
            text.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == *wanted).then(|| value.trim().to_owned())
            })
        })
    }

    pub fn load() -> Option<f64> {
        read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
    }

    /// The fourth field is `runnable/all`.
    pub fn runnable() -> Option<f64> {
        read_to_string("/proc/loadavg").ok()?.split_whitespace().nth(3)?.split('/').next()?.parse().ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn release() -> String {
        std::env::consts::OS.to_owned()
    }

    pub fn cpu() -> Option<String> {
        None
    }

    pub fn load() -> Option<f64> {
        None
    }

    pub fn runnable() -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pressure_is_never_above_the_load() {
        if let (Some(pressure), Some(load)) = (Machine::pressure_now(), system::load()) {
            // The average moves on between the two looks, by little.
            assert!((0.0..=load + 1.0).contains(&pressure), "{pressure} at a load of {load}");
        }
    }

    #[test]
    fn a_new_header_knows_its_machine() {
        let header = Header::begin("perft", vec!["gauntlet".into(), "perft".into()], 7);
        assert_eq!((header.schema, header.seed, header.complete), (SCHEMA, 7, false));
        assert!(header.machine.cores >= 1);
        assert!(!header.machine.os.is_empty());
        assert_eq!(header.started.len(), 20);
        assert!(header.version.starts_with(env!("CARGO_PKG_VERSION")));
    }
}
