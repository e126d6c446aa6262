//! How much of everything a campaign does: every size of every stage, once, for each scale.

use serde::{Deserialize, Serialize};

/// How long a campaign may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Under 20 seconds on two cores.
    Quick,
    /// Under three minutes on two cores.
    #[default]
    Normal,
    /// Every suite and every metric.
    Full,
}

/// A suite of test positions and what must be solved of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TacticsSize {
    pub file: &'static str,
    /// Nodes for each position.
    pub nodes: u64,
    /// Fewer solved is a failed check; `None`: measured and shown.
    pub min_solved: Option<u64>,
}

/// The sizes of all stages.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    /// Suites with known counts.
    pub perft: &'static [&'static str],
    /// Counts above this are left out (a foreign engine: see `perft_foreign`).
    pub perft_nodes: Option<u64>,
    pub perft_foreign: u64,
    /// Suites that are not there are passed by: the published crate leaves some out.
    pub tactics: &'static [TacticsSize],
    /// Plies for a foreign engine, which can only be searched.
    pub symmetry_depth: u32,
    pub bench_depth: u32,
    pub slider_metrics: &'static [&'static str],
    pub slider_rounds: u32,
    /// Random occupancies each backend is verified with, and whether its perft counts are the long ones.
    pub slider_random: u64,
    pub long_slider_perft: bool,
    /// Each depth plays the one below it.
    pub ladder: &'static [u32],
    pub ladder_pairs: u64,
    /// The weaker self of the sequential test: with this setting, or, without one, with half the nodes. A foreign engine
    /// always gets the latter.
    pub sprt_rival: Option<&'static str>,
    pub sprt_nodes: u64,
    /// H1, in normalized Elo; H0 is 0.
    pub sprt_elo1: f64,
    pub sprt_pairs: u64,
}

/// Suites with known counts that every campaign counts.
pub(super) const PERFT: &[&str] = &[
    "perft/standard.epd",
    "perft/tricky.epd",
    "perft/edge.epd",
    "perft/en-passant.epd",
    "perft/double-check.epd",
    "perft/random.epd",
    "perft/chess960.epd",
    "perft/chess960-edge.epd",
    "perft/chess960-random.epd",
];

impl Scale {
    pub(super) fn sizes(self) -> Sizes {
        match self {
            Scale::Quick => Sizes {
                perft: PERFT,
                perft_nodes: Some(500_000),
                perft_foreign: 20_000,
                tactics: &[TacticsSize {
                    file: "positions/bratko-kopec.epd",
                    nodes: 50_000,
                    min_solved: Some(8),
                }],
                symmetry_depth: 4,
                bench_depth: 8,
                slider_metrics: &["throughput"],
                slider_rounds: 7,
                slider_random: 1_000_000,
                long_slider_perft: false,
                ladder: &[2, 3, 4],
                ladder_pairs: 30,
                sprt_rival: None,
                sprt_nodes: 1000,
                sprt_elo1: 60.0,
                sprt_pairs: 300,
            },
            Scale::Normal => Sizes {
                perft: PERFT,
                perft_nodes: Some(5_000_000),
                perft_foreign: 200_000,
                tactics: &[
                    TacticsSize { file: "positions/wac.epd", nodes: 100_000, min_solved: Some(215) },
                    TacticsSize { file: "positions/seeds.epd", nodes: 100_000, min_solved: None },
                    TacticsSize { file: "positions/bratko-kopec.epd", nodes: 100_000, min_solved: None },
                    TacticsSize { file: "positions/kaufman.epd", nodes: 100_000, min_solved: None },
                    TacticsSize { file: "positions/zugzwang.epd", nodes: 100_000, min_solved: None },
                ],
                symmetry_depth: 6,
                bench_depth: 10,
                slider_metrics: &["throughput", "latency", "perft"],
                slider_rounds: 15,
                slider_random: 10_000_000,
                long_slider_perft: true,
                ladder: &[2, 3, 4, 5, 6],
                ladder_pairs: 80,
                sprt_rival: Some("lmr=off"),
                sprt_nodes: 2000,
                sprt_elo1: 40.0,
                sprt_pairs: 600,
            },
            Scale::Full => Sizes {
                perft: PERFT,
                perft_nodes: None,
                perft_foreign: 5_000_000,
                tactics: FULL_TACTICS,
                symmetry_depth: 8,
                bench_depth: 13,
                slider_metrics: &[],
                slider_rounds: 40,
                slider_random: 10_000_000,
                long_slider_perft: true,
                ladder: &[2, 3, 4, 5, 6, 7, 8],
                ladder_pairs: 200,
                sprt_rival: Some("lmr=off"),
                sprt_nodes: 2000,
                sprt_elo1: 10.0,
                sprt_pairs: 20_000,
            },
        }
    }
}

const fn shown(file: &'static str) -> TacticsSize {
    TacticsSize { file, nodes: 1_000_000, min_solved: None }
}

const FULL_TACTICS: &[TacticsSize] = &[
    TacticsSize { file: "positions/wac.epd", nodes: 100_000, min_solved: Some(215) },
    shown("positions/seeds.epd"),
    shown("positions/bratko-kopec.epd"),
    shown("positions/kaufman.epd"),
    shown("positions/ccr.epd"),
    shown("positions/bt2630.epd"),
    shown("positions/lct2.epd"),
    shown("positions/mates.epd"),
    shown("positions/zugzwang.epd"),
    shown("positions/silent-but-deadly.epd"),
    shown("positions/sts.epd"),
    shown("positions/arasan2024.epd"),
    shown("positions/ecm.epd"),
    shown("positions/eet.epd"),
    shown("positions/eret.epd"),
    shown("positions/endgames-bm.epd"),
    shown("positions/iq4.epd"),
    shown("positions/nolot.epd"),
    shown("positions/pet.epd"),
    shown("positions/brilliant100.epd"),
    shown("positions/hard-talkchess.epd"),
];
