//! Every backend against the oracle: all relevant occupancies of every square, and random full occupancies with outer
//! bits and with the slider's own square set or not. A backend that differs is reported and never timed.

use super::relevant::{Slider, mask, subsets};
use super::{Backend, Batch, Oracle, Sliders, Stateful};
use crate::stats::SplitMix64;
use crate::types::{Bitboard, Square};
use crate::with_backend;

/// A question and the oracle's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub square: Square,
    pub occupied: Bitboard,
    pub rook: Bitboard,
    pub bishop: Bitboard,
}

impl Case {
    fn new(square: Square, occupied: Bitboard) -> Case {
        let (rook, bishop) = (Oracle.rook(square, occupied), Oracle.bishop(square, occupied));
        Case { square, occupied, rook, bishop }
    }

    /// Whether these are the attacks of rook, bishop and queen.
    #[inline(always)]
    fn answered_by(
        &self,
        backend: &'static str,
        [rook, bishop, queen]: [Bitboard; 3],
    ) -> Result<(), Difference> {
        if (rook, bishop, queen) == (self.rook, self.bishop, self.rook | self.bishop) {
            return Ok(());
        }
        Err(Difference {
            backend,
            square: self.square,
            occupied: self.occupied.0,
            rook: rook.0,
            bishop: bishop.0,
            queen: queen.0,
        })
    }
}

/// Where a backend and the oracle differ.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error(
    "{backend} on {square}, occupied {occupied:#018x}: rook {rook:#018x}, bishop {bishop:#018x}, queen {queen:#018x}"
)]
pub struct Difference {
    pub backend: &'static str,
    pub square: Square,
    pub occupied: u64,
    /// What the backend says.
    pub rook: u64,
    pub bishop: u64,
    pub queen: u64,
}

/// Random occupancies at once: their answers stay in the second-level cache while backend after backend looks at them.
const PART: u64 = 1 << 14;

/// All 107,648 relevant occupancies, then `random` others drawn from `seed`, each with the slider's own square as it came and
/// occupied. In parts, so that the oracle is asked once for many backends.
pub fn cases(random: u64, seed: u64) -> impl Iterator<Item = Vec<Case>> {
    let relevant = |slider| {
        Square::all().flat_map(move |square| {
            subsets(mask(slider, square)).map(move |occupied| Case::new(square, occupied))
        })
    };
    let relevant = relevant(Slider::Rook).chain(relevant(Slider::Bishop)).collect();
    let mut words = SplitMix64::new(seed);
    let mut part = move |first: u64| {
        let one = |i: u64| {
            let square = Square::new((i & 63) as u8);
            // Dense, medium and sparse boards in turn.
            let occupied = match i % 3 {
                0 => words.next_u64(),
                1 => words.next_u64() & words.next_u64(),
                _ => words.next_u64() & words.next_u64() & words.next_u64(),
            };
            [Case::new(square, Bitboard(occupied)), Case::new(square, Bitboard(occupied).with(square))]
        };
        (first..random.min(first + PART)).flat_map(one).collect()
    };
    std::iter::once(relevant).chain((0..random.div_ceil(PART)).map(move |n| part(n * PART)))
}

/// Checks one backend as rook, bishop and queen. Returns how many lookups agreed.
///
/// # Errors
/// The first lookup that does not.
pub fn check(backend: Backend, cases: &[Case]) -> Result<u64, Difference> {
    with_backend!(backend, |sliders| check_with(sliders, cases))
}

/// The same of the technique's own way of doing many lookups at once.
///
/// # Errors
/// The first lookup that differs.
pub fn check_batch<B: Batch>(sliders: B, cases: &[Case]) -> Result<u64, Difference> {
    let (squares, occupied): (Vec<Square>, Vec<Bitboard>) =
        cases.iter().map(|case| (case.square, case.occupied)).unzip();
    let [mut rooks, mut bishops, mut queens] = [(); 3].map(|()| vec![Bitboard::EMPTY; cases.len()]);
    sliders.rooks(&squares, &occupied, &mut rooks);
    sliders.bishops(&squares, &occupied, &mut bishops);
    sliders.queens(&squares, &occupied, &mut queens);
    cases
        .iter()
        .enumerate()
        .try_for_each(|(at, case)| case.answered_by(B::BACKEND.id(), [rooks[at], bishops[at], queens[at]]))?;
    Ok(3 * cases.len() as u64)
}

/// The same of a technique that keeps a form of the occupancy: from each case to the next it is told what changes.
///
/// # Errors
/// The first lookup that differs.
pub fn check_kept<S: Stateful>(backend: Backend, cases: &[Case]) -> Result<u64, Difference> {
    let mut occupied = Bitboard::EMPTY;
    let mut state = S::new(occupied);
    for case in cases {
        for square in occupied ^ case.occupied {
            state.toggle(square);
        }
        occupied = case.occupied;
        let answers = [state.rook(case.square), state.bishop(case.square), state.queen(case.square)];
        case.answered_by(backend.id(), answers)?;
    }
    Ok(3 * cases.len() as u64)
}

fn check_with<S: Sliders>(sliders: S, cases: &[Case]) -> Result<u64, Difference> {
    for case in cases {
        let (square, occupied) = (case.square, case.occupied);
        let answers = [
            sliders.rook(square, occupied),
            sliders.bishop(square, occupied),
            sliders.queen(square, occupied),
        ];
        case.answered_by(S::BACKEND.id(), answers)?;
    }
    Ok(3 * cases.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_agrees_with_the_oracle() {
        let supported: Vec<Backend> =
            Backend::ALL.iter().copied().filter(|backend| backend.is_supported()).collect();
        let mut checked = 0;
        for part in cases(1_000_000, 1) {
            for &backend in &supported {
                checked += check(backend, &part).unwrap_or_else(|difference| panic!("{difference}"));
            }
        }
        assert_eq!(checked, supported.len() as u64 * 3 * (107_648 + 2 * 1_000_000));
    }

    /// Wrong for one square, right for all others: the check must see it.
    #[derive(Clone, Copy, Debug)]
    struct Faulty;

    impl Sliders for Faulty {
        const BACKEND: Backend = Backend::Oracle;
        const CARD: super::super::Card = Oracle::CARD;
        fn new() -> Faulty {
            Faulty
        }
        fn table_bytes(self) -> usize {
            0
        }
        fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
            let attacks = Oracle.rook(square, occupied);
            if square == Square::H8 && occupied.has(Square::H2) {
                attacks.without(Square::H2)
            } else {
                attacks
            }
        }
        fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
            Oracle.bishop(square, occupied)
        }
    }

    #[test]
    fn a_fault_on_one_square_is_found() {
        let found: Vec<_> = cases(0, 1)
            .map(|part| check_with(Faulty, &part).map_err(|difference| difference.square))
            .collect();
        assert_eq!(found, [Err(Square::H8)]);
    }
}
