//! Which slider technique the engine searches fastest with on the machine it runs on, found out once a process.
//!
//! The search visits the same nodes with every technique, so the choice changes nothing but speed. Must not know: whether a
//! user chose one (`slider=`), which stops this file from being asked.

use super::{Engine, Params};
use crate::rules::{Line, Position};
use crate::sliders::Backend;
use crate::types::Limit;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Those that have been the fastest in search on some processor: with a quick PEXT, with a slow one (microcode) or none, and with
/// vector instructions.
const CANDIDATES: [Backend; 6] = [
    Backend::Pext,
    Backend::ObstructionGenetic,
    Backend::OwnLanes,
    Backend::Gfni,
    Backend::Hyperbola,
    Backend::MagicFancy,
];

/// A game against itself is what each candidate is timed over.
const PLIES: usize = 12;
const NODES: u64 = 100;
/// The least time of so many games counts: a slow one says something of other programs, not of this one.
const ROUNDS: usize = 3;

/// The answer, and between which techniques it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fastest {
    pub backend: Backend,
    /// The supported candidates and their least time, the fastest first.
    pub tried: Vec<(Backend, Duration)>,
}

impl Fastest {
    /// `slider technique pext, the fastest of those tried here (others: gfni, magic-fancy)`.
    #[must_use]
    pub fn text(&self) -> String {
        let beside: Vec<_> = self.tried.iter().skip(1).map(|(backend, _)| backend.id()).collect();
        format!(
            "slider technique {}, the fastest of those tried here (others: {})",
            self.backend.id(),
            beside.join(", ")
        )
    }
}

/// Measured at the first call, which takes a few hundredths of a second.
pub fn fastest() -> &'static Fastest {
    static FASTEST: OnceLock<Fastest> = OnceLock::new();
    FASTEST.get_or_init(measure)
}

fn supported() -> impl Iterator<Item = Backend> {
    CANDIDATES.into_iter().filter(|backend| backend.is_supported())
}

fn measure() -> Fastest {
    let mut tried: Vec<(Backend, Duration)> = supported().map(|backend| (backend, Duration::MAX)).collect();
    let mut engine = Engine::small(params(Backend::default_backend()));
    for _ in 0..ROUNDS {
        for (backend, least) in &mut tried {
            engine.set_params(params(*backend));
            let start = Instant::now();
            play(&mut engine);
            *least = start.elapsed().min(*least);
        }
    }
    tried.sort_by_key(|&(_, least)| least);
    let backend = tried.first().map_or_else(Backend::default_backend, |&(backend, _)| backend);
    Fastest { backend, tried }
}

fn params(backend: Backend) -> Params {
    Params { slider: Some(backend), ..Params::default() }
}

/// Searches until the last ply or the end of the game; the same moves whatever the technique.
fn play(engine: &mut Engine) -> Position {
    let mut line = Line::new(Position::startpos());
    engine.new_game(0);
    for _ in 0..PLIES {
        engine.set_position(&line);
        let found = engine.search(&Limit::nodes(NODES), &AtomicBool::new(false), &mut |_| {});
        let Some(best) = found.best else { break };
        line.play_unchecked(best);
    }
    *line.position()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_plays_the_same_game() {
        let mut engine = Engine::small(params(Backend::default_backend()));
        let games: Vec<Position> = supported()
            .map(|backend| {
                engine.set_params(params(backend));
                play(&mut engine)
            })
            .collect();
        assert!(games.iter().all(|last| last == &games[0] && last != &Position::startpos()));
    }

    #[test]
    fn an_engine_without_a_chosen_technique_takes_the_fastest() {
        let fastest = fastest();
        assert!(fastest.tried.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        assert_eq!(fastest.tried.first().map(|&(backend, _)| backend), Some(fastest.backend));
        assert_eq!(fastest.tried.len(), supported().count());
        assert_eq!(Params::default().backend(), fastest.backend);
        assert!(fastest.text().contains(fastest.backend.id()));
    }
}
