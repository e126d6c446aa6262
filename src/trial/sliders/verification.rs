//! A backend is timed only if it is right: against the oracle, in perft, and in a search that must visit the same nodes.

use super::{Plan, Progress, kernels};
use crate::notation::fen::{self, CastlingMode};
use crate::rules::{self, Position};
use crate::sliders::verify::{self, Case, Difference};
use crate::sliders::{Backend, with_batch, with_state};
use crate::with_backend;
use rayon::prelude::*;

/// Positions 1 to 4 of the page "Perft Results" of the seed documents: depth and published count in short, and at length.
const PERFT: [(&str, [(u32, u64); 2]); 4] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [(4, 197_281), (5, 4_865_609)]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [(3, 97_862), (4, 4_085_603)]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [(5, 674_624), (5, 674_624)]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [(4, 422_333), (4, 422_333)]),
];

/// Per backend how many lookups were compared, or what is wrong with it. `None` once the user has interrupted.
pub fn check(
    backends: &[Backend],
    plan: &Plan,
    positions: &[Position],
    progress: &Progress,
) -> Option<Vec<Result<u64, String>>> {
    let mut found = vec![Ok(0); backends.len()];
    for cases in verify::cases(plan.random, plan.seed) {
        found.par_iter_mut().zip(backends).for_each(|(found, &backend)| {
            if let Ok(checked) = found {
                match lookups(backend, &cases) {
                    Ok(more) => *checked += more,
                    Err(difference) => *found = Err(difference.to_string()),
                }
            }
        });
        if progress.is_stopped() {
            return None;
        }
    }
    let search_nodes = kernels::search(Backend::default_backend(), positions, 1).0;
    found.par_iter_mut().zip(backends).for_each(|(found, &backend)| {
        if found.is_ok()
            && !progress.is_stopped()
            && let Err(fault) = counts(backend, plan.long_perft, positions, search_nodes)
        {
            *found = Err(fault);
        }
        progress.advance(1);
    });
    (!progress.is_stopped()).then_some(found)
}

/// Single lookups, and the technique's other faces: whatever will be timed.
fn lookups(backend: Backend, cases: &[Case]) -> Result<u64, Difference> {
    let single = verify::check(backend, cases)?;
    let batches = with_batch!(backend, |sliders| verify::check_batch(sliders, cases)?);
    let kept = with_state!(backend, |State| verify::check_kept::<State>(backend, cases)?);
    Ok(single + batches.unwrap_or(0) + kept.unwrap_or(0))
}

/// Perft and search.
fn counts(backend: Backend, long: bool, positions: &[Position], search_nodes: u64) -> Result<(), String> {
    for (text, counts) in PERFT {
        let Ok(position) = fen::parse(text, CastlingMode::Standard) else { continue };
        let (depth, expected) = counts[usize::from(long)];
        let nodes = with_backend!(backend, |sliders| rules::perft(&position, depth, sliders));
        if nodes != expected {
            return Err(format!("{}: perft {depth} of {text}: {nodes} instead of {expected}", backend.id()));
        }
    }
    let nodes = kernels::search(backend, positions, 1).0;
    if nodes != search_nodes {
        return Err(format!("{}: its search visits {nodes} nodes instead of {search_nodes}", backend.id()));
    }
    Ok(())
}
