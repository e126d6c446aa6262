//! The gate: may this change go in? A new engine is held against another one, or against what was written down of an earlier one
//! (a baseline), stage by stage, cheap and certain ones first. Each stage measures the same things of both and then judges; what it
//! says is a [`Verdict`](crate::record::Verdict) with what that means for the author.
//!
//! `plan` says what is asked, `check` whether that can be, `measure` finds facts of one engine, `judge` compares the facts of two, `games` plays, `baseline` keeps
//! facts in a file, `budget` divides the time, `run` goes through the stages.

mod baseline;
mod budget;
mod check;
mod games;
mod judge;
mod measure;
mod plan;
mod run;
mod stage;

pub use baseline::{Baseline, BaselineError, Facts, SCHEMA};
pub use check::PlanError;
pub use plan::{Against, Expect, Plan, Sizes, Unclear};
pub use run::run;
pub use stage::Stage;
