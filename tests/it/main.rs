//! The one integration test crate.

mod arena;
mod attacks;
mod bench;
mod bits;
mod cli;
mod cozy;
mod encodings;
mod engine;
mod fuzz;
mod generators;
mod geometry;
mod layers;
mod mailbox;
mod notation;
mod perft;
mod reports;
mod rules;
mod stats;
mod studies;
mod suites;
mod symmetry;
mod tablebases;
mod tactics;
mod transform;
mod uci;
