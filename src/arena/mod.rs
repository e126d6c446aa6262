//! Games between engines: matches of two, in pairs with colours swapped, and tournaments of more; every decision is a function
//! of the plan.

pub mod adjudicate;
pub mod affinity;
pub mod clock;
pub mod ending;
pub mod engines;
pub mod game;
pub mod hall;
pub mod latency;
pub mod ledger;
pub mod observer;
pub mod outcome;
pub mod plan;
pub mod player;
pub mod pool;
pub mod resume;
pub mod run;
pub mod schedule;
pub mod seat;
pub mod stopping;
pub mod tally;
pub mod tournament;
pub mod validity;
mod worker;
