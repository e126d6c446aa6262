//! Distinct positions to be hashed, compared in full: the tree of the start position breadth first, or random games.

use super::packed::{Packed, PackedSet};
use super::{Progress, Source, TrialError};
use crate::rules::Position;
use crate::stats::SplitMix64;
use crate::trial::random_game::RandomGame;

/// Plies of one random game at most: most are mates, dead or shuffling by then.
const LONGEST_GAME: u32 = 300;

/// The first `wanted` distinct positions of the source, in the order they are met.
///
/// # Errors
/// The user's interrupt.
pub(super) fn distinct(
    source: Source,
    wanted: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<Packed>, TrialError> {
    let mut found = Found {
        set: PackedSet::with_capacity_and_hasher(wanted, Default::default()),
        list: Vec::with_capacity(wanted),
        wanted,
    };
    match source {
        Source::Tree => tree(&mut found, progress)?,
        Source::Games => games(&mut found, seed, progress)?,
    }
    Ok(found.list)
}

struct Found {
    set: PackedSet,
    list: Vec<Packed>,
    wanted: usize,
}

impl Found {
    fn add(&mut self, position: &Position) {
        if !self.is_full()
            && let Some(packed) = Packed::new(position)
            && self.set.insert(packed)
        {
            self.list.push(packed);
        }
    }

    fn is_full(&self) -> bool {
        self.list.len() >= self.wanted
    }
}

/// Positions that are close to each other, as a search meets them: every position after 0, 1, 2, … plies.
fn tree(found: &mut Found, progress: &Progress) -> Result<(), TrialError> {
    found.add(&Position::startpos());
    let mut next = 0;
    while !found.is_full() && next < found.list.len() {
        if next % 4096 == 0 && progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        let before = found.list.len();
        // What was packed is a position.
        if let Ok(parent) = found.list[next].unpack() {
            for &mv in parent.legal_moves().iter() {
                let mut child = parent;
                child.play_unchecked(mv);
                found.add(&child);
            }
        }
        progress.advance((found.list.len() - before) as u64);
        next += 1;
    }
    Ok(())
}

/// Positions far from each other: games of random moves from the start position.
fn games(found: &mut Found, seed: u64, progress: &Progress) -> Result<(), TrialError> {
    let mut random = SplitMix64::new(seed);
    while !found.is_full() {
        if progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        let before = found.list.len();
        found.add(&Position::startpos());
        let mut game = RandomGame::new(Position::startpos(), LONGEST_GAME);
        while let Some(position) = game.next(&mut random) {
            found.add(&position);
        }
        progress.advance((found.list.len() - before) as u64);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Distinct positions after exactly 4 and 5 plies: published as sequence A083276 of the OEIS: 72,078 and 822,518.
    #[test]
    fn the_tree_has_the_published_numbers_of_positions() {
        let mut layer = vec![Position::startpos()];
        for published in [20, 400, 5_362, 72_078] {
            let children: HashSet<Packed> = layer
                .iter()
                .flat_map(|parent| {
                    parent.legal_moves().to_vec().into_iter().map(|mv| {
                        let mut child = *parent;
                        child.play_unchecked(mv);
                        Packed::new(&child).unwrap()
                    })
                })
                .collect();
            assert_eq!(children.len(), published);
            layer = children.iter().map(|packed| packed.unpack().unwrap()).collect();
        }
        // A position may come again two plies later only: colours to move differ.
        let found = distinct(Source::Tree, 100_000, 0, &Progress::default()).unwrap();
        assert_eq!(found.len(), 100_000);
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 100_000);
    }

    #[test]
    fn packing_loses_nothing_but_the_counters() {
        let mut random = SplitMix64::new(7);
        for start in include_str!("../../../suites/perft/chess960.epd").lines().step_by(60) {
            let text = start.split(';').next().unwrap().trim();
            let mode = crate::notation::fen::CastlingMode::Chess960;
            let mut position = crate::notation::fen::parse(text, mode).unwrap();
            for _ in 0..80 {
                let unpacked = Packed::new(&position).unwrap().unpack().unwrap();
                assert_eq!((unpacked.board(), unpacked.turn()), (position.board(), position.turn()));
                assert_eq!(unpacked.key(), position.key());
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(random.below(moves.len() as u64) as usize) else { break };
                position.play_unchecked(mv);
            }
        }
    }
}
