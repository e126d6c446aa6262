//! How much of its tables a technique touches over the lookups of the games: cache lines per lookup, and in all. Counted from
//! the addresses that the lookups themselves read; nothing is timed.

use super::workload::{Lookup, Lookups};
use crate::record::LinesRow;
use crate::sliders::{Backend, Places, Sliders};
use crate::types::{Bitboard, Square};
use crate::with_backend;

/// A row for rook, bishop and queen; none for a technique that is not supported.
pub fn touched(backend: Backend, lookups: &Lookups) -> Vec<LinesRow> {
    if !backend.is_supported() {
        return Vec::new();
    }
    with_backend!(backend, |sliders| rows(sliders, lookups))
}

fn rows<S: Sliders>(sliders: S, lookups: &Lookups) -> Vec<LinesRow> {
    let rook = |square, occupied, places: &mut Places| {
        sliders.rook_through(square, occupied, places);
    };
    let bishop = |square, occupied, places: &mut Places| {
        sliders.bishop_through(square, occupied, places);
    };
    vec![
        row("rook", &lookups.rooks, rook),
        row("bishop", &lookups.bishops, bishop),
        row("queen", &lookups.queens, |square, occupied, places| {
            rook(square, occupied, places);
            bishop(square, occupied, places);
        }),
    ]
}

fn row(piece: &str, list: &[Lookup], read: impl Fn(Square, Bitboard, &mut Places)) -> LinesRow {
    let (mut all, mut sum) = (Vec::new(), 0);
    for &(square, occupied) in list {
        let mut places = Places::default();
        read(square, occupied, &mut places);
        let lines = places.lines();
        sum += lines.len();
        all.extend(lines);
    }
    all.sort_unstable();
    all.dedup();
    LinesRow {
        piece: piece.to_owned(),
        per_lookup: sum as f64 / list.len().max(1) as f64,
        distinct: all.len() as u64,
    }
}
