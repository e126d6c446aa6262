//! The place that matches are played in: where players come from, the clock, who looks on, the machine around.

use super::observer::Observer;
use super::seat::Start;
use crate::suite::Tablebases;
use crate::time::Clock;
use std::sync::atomic::AtomicBool;

/// What a match needs from outside.
pub struct Hall<'a> {
    pub start: &'a Start<'a>,
    pub clock: &'a dyn Clock,
    /// Those of the plan, opened.
    pub tablebases: Option<&'a Tablebases>,
    /// How many processors each table has for itself; none: it takes what it gets.
    pub processors: Option<usize>,
    pub observer: &'a dyn Observer,
    pub cores: usize,
    /// How many tasks want a core just now; asked before and after a timed match, never during it.
    pub pressure: &'a (dyn Fn() -> Option<f64> + Sync),
    /// Once set, the match ends: complete pairs are kept, the rest is marked.
    pub stop: &'a AtomicBool,
}

impl std::fmt::Debug for Hall<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("stop", &self.stop).finish_non_exhaustive()
    }
}
