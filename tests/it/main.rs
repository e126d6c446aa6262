//! The one integration test crate.

mod cli;
mod layers;
