//! A backend is timed only if it is right: against the oracle, in perft, and in a search that must visit the same nodes.

use super::{Plan, kernels};
use crate::notation::fen::{self, CastlingMode};
use crate::rules::{self, Position};
use crate::sliders::{Backend, verify};
use crate::with_backend;

/// FEN, depth, published count.
const PERFT: [(&str, u32, u64); 2] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
];

/// Nodes of the searches with the backend that everything uses.
pub fn search_nodes(positions: &[Position]) -> u64 {
    kernels::search(Backend::default_backend(), positions, 1).0
}

/// How many answers were compared, or what is wrong with the backend.
pub fn check(
    backend: Backend,
    plan: &Plan,
    positions: &[Position],
    search_nodes: u64,
) -> Result<u64, String> {
    let lookups = verify(backend, plan.random, plan.seed).map_err(|difference| difference.to_string())?;
    for (text, depth, expected) in PERFT.into_iter().take(if plan.perft { 2 } else { 0 }) {
        let Ok(position) = fen::parse(text, CastlingMode::Standard) else { continue };
        let nodes = with_backend!(backend, |sliders| rules::perft(&position, depth, sliders));
        if nodes != expected {
            return Err(format!("{}: perft {depth} of {text}: {nodes} instead of {expected}", backend.id()));
        }
    }
    let nodes = kernels::search(backend, positions, 1).0;
    if nodes != search_nodes {
        return Err(format!("{}: its search visits {nodes} nodes instead of {search_nodes}", backend.id()));
    }
    Ok(lookups)
}
