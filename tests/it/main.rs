//! The one integration test crate.

mod arena;
mod cli;
mod engine;
mod layers;
mod notation;
mod perft;
mod reports;
mod rules;
mod stats;
mod suites;
mod uci;
