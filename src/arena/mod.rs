//! Games between engines: matches of two, in pairs with colours swapped, with every decision a function of the plan.

pub mod adjudicate;
pub mod clock;
pub mod limit;
pub mod observer;
pub mod pool;
pub mod schedule;
pub mod tally;
