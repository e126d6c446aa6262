//! `gauntlet`: puts chess engines through tests and measures them.
//!
//! The modules are layers; each imports only from those above it in this list (`tests/it/layers.rs` checks it).

pub mod types;

pub mod file;
pub mod mailbox;
pub mod record;
pub mod stats;
pub mod time;

pub mod bits;
pub mod geometry;
pub mod sliders;

pub mod rules;

pub mod attackmap;
pub mod encoding;
pub mod notation;

pub mod engine;
pub mod suite;

pub mod uci;

pub mod subject;

pub mod arena;
pub mod trial;

pub mod campaign;
pub mod report;

pub mod cli;
