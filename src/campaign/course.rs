//! The plan of `run`, and what every stage of it works with.

use super::scale::{Scale, Sizes};
use crate::record::Sink;
use crate::subject::{EngineSpec, Session};
use crate::trial::Progress;

/// What is put through the gauntlet, and how thoroughly.
#[derive(Clone, Debug)]
pub struct Plan {
    pub scale: Scale,
    /// Its limit, if it has one, is not used: every stage has its own.
    pub engine: EngineSpec,
    pub seed: u64,
    /// Tasks at once.
    pub concurrency: usize,
}

/// What every stage works with.
pub(super) struct Course<'a> {
    pub plan: &'a Plan,
    pub sizes: Sizes,
    pub session: &'a Session,
    pub progress: &'a Progress,
    pub sink: &'a mut dyn Sink,
}
