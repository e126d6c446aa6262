//! Steps of a technique as sets of squares, for people who want to see how it works. Nothing here is used by a lookup.

use super::relevant::{Slider, mask};
use super::{Sliders, empty};
use crate::bitboard;
use crate::types::{Bitboard, Square};

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    pub caption: String,
    pub set: Bitboard,
    /// A word whose bits are not the squares of the board: turned, multiplied, an index.
    pub word: bool,
}

impl Picture {
    pub fn of(caption: impl Into<String>, set: Bitboard) -> Picture {
        Picture { caption: caption.into(), set, word: false }
    }

    pub fn word(caption: impl Into<String>, bits: u64) -> Picture {
        Picture { caption: caption.into(), set: Bitboard(bits), word: true }
    }
}

/// The slider's square and the occupied squares that pictures are made for: the queen after 1 e4 e5 2 d4 exd4 3 Qxd4. It has
/// blockers at every distance, and lines without one.
pub fn example() -> (Square, Bitboard) {
    let occupied = bitboard! {
        X X X X X X X X
        X X X X . X X X
        . . . . . . . .
        . . . . . . . .
        . . . X X . . .
        . . . . . . . .
        X X X . . X X X
        X X X . X X X X
    };
    (Square::D4, occupied)
}

/// What every technique must find.
pub(super) fn attacks(sliders: impl Sliders, square: Square, occupied: Bitboard) -> Vec<Picture> {
    vec![
        Picture::of(format!("Found: rook attacks from {square}"), sliders.rook(square, occupied)),
        Picture::of(format!("Found: bishop attacks from {square}"), sliders.bishop(square, occupied)),
    ]
}

/// The relevant squares of a rook or bishop, and the blockers on them: what tables are indexed by.
pub(super) fn relevant(slider: Slider, square: Square, occupied: Bitboard) -> [Picture; 2] {
    let piece = match slider {
        Slider::Rook => "rook",
        Slider::Bishop => "bishop",
    };
    let mask = mask(slider, square);
    [
        Picture::of(
            format!(
                "Squares that matter to a {piece} on {square}: {}, the edge behind them does not",
                mask.count()
            ),
            mask,
        ),
        Picture::of("Blockers: what of them is occupied", mask & occupied),
    ]
}

/// The steps of a technique, then what it found.
pub(super) fn with_attacks(
    steps: impl IntoIterator<Item = Picture>,
    sliders: impl Sliders,
    square: Square,
    occupied: Bitboard,
) -> Vec<Picture> {
    steps.into_iter().chain(attacks(sliders, square, occupied)).collect()
}

/// Of techniques that look the relevant blockers up, however they find the entry.
pub(super) fn looked_up(sliders: impl Sliders, square: Square, occupied: Bitboard) -> Vec<Picture> {
    let both =
        [Slider::Rook, Slider::Bishop].into_iter().flat_map(|slider| relevant(slider, square, occupied));
    with_attacks(both, sliders, square, occupied)
}

/// Of techniques that look lines up one by one: the inner squares of each line, and the blockers on them.
pub(super) fn line_by_line(sliders: impl Sliders, square: Square, occupied: Bitboard) -> Vec<Picture> {
    let line = |direction: usize, name: &str| {
        let slider = if direction < 2 { Slider::Rook } else { Slider::Bishop };
        let whole = empty::ray(direction, square) | empty::ray(direction + 4, square);
        let inner = whole & mask(slider, square);
        [
            Picture::of(format!("Inner squares of the {name}"), inner),
            Picture::of(format!("Blockers on them: what the {name} is looked up by"), inner & occupied),
        ]
    };
    let names = ["file", "rank", "diagonal", "anti-diagonal"];
    let lines = names.into_iter().enumerate().flat_map(|(direction, name)| line(direction, name));
    with_attacks(lines, sliders, square, occupied)
}

/// The steps of o^(o−2r) on a line; `turn` reverses a word (it is its own inverse), `how` says by what.
pub(super) fn quintessence(
    line: Bitboard,
    square: Square,
    occupied: Bitboard,
    turn: fn(u64) -> u64,
    how: &str,
) -> Vec<Picture> {
    let (bit, forward) = (Bitboard::square(square).0, line.0 & occupied.0);
    let (above, below) = (forward.wrapping_sub(bit), turn(forward).wrapping_sub(turn(bit)));
    vec![
        Picture::of("A line without the slider: the mask m", line),
        Picture::of("o: blockers on it", Bitboard(forward)),
        Picture::of(
            "o − r, r being the slider's bit: it is borrowed from the first blocker above, and all bits between are set",
            Bitboard(above),
        ),
        Picture::word(format!("o′: o {how}"), turn(forward)),
        Picture::word("o′ − r′ does the same for the other half", below),
        Picture::of("That, turned back", Bitboard(turn(below))),
        Picture::of(
            "Where both differ, within m: attacks on the line",
            Bitboard((above ^ turn(below)) & line.0),
        ),
    ]
}

/// An index into `size` attack sets, as the bits it has.
pub(super) fn index(caption: &str, index: usize, size: usize) -> Picture {
    Picture::word(format!("{caption}: entry {index} of {size}"), index as u64)
}

/// The steps of obstruction difference on a line, from the blockers of it above and below the slider; `what` they are.
pub(super) fn obstruction(what: &str, upper: u64, lower: u64, line: u64) -> [Picture; 4] {
    let nearest_below = (1 << 63) >> (lower | 1).leading_zeros();
    let difference = upper.wrapping_sub(nearest_below);
    [
        Picture::of(format!("{what} above the slider"), Bitboard(upper)),
        Picture::of("The highest one below (a1 where there is none)", Bitboard(nearest_below)),
        Picture::of(
            "Those above minus that one: the borrow sets every bit from it up to the lowest one above",
            Bitboard(difference),
        ),
        Picture::of(
            "Where that differs from those above, on the line",
            Bitboard((upper ^ difference) & line),
        ),
    ]
}

/// The middle of a perfect hash by multiplication: factor, product, index.
pub(super) fn hashed(blockers: u64, factor: u64, shift: u32) -> [Picture; 3] {
    let product = blockers.wrapping_mul(factor);
    let bits = 64u32.saturating_sub(shift);
    let hash = product.checked_shr(shift).unwrap_or(0) as usize;
    let apart = format!("Blockers × factor: its {bits} topmost bits differ where the attacks do");
    [
        Picture::word("The magic factor", factor),
        Picture::word(apart, product),
        index("Those bits, shifted down", hash, 1 << bits.min(20)),
    ]
}

/// The steps of a perfect hash by multiplication: mask, blockers, product, index. `factor_shift`: of a slider.
pub(super) fn magic(
    sliders: impl Sliders,
    square: Square,
    occupied: Bitboard,
    factor_shift: impl Fn(Slider) -> (u64, u32),
) -> Vec<Picture> {
    let steps = |slider| {
        let (factor, shift) = factor_shift(slider);
        let [mask, blockers] = relevant(slider, square, occupied);
        let [factor, product, index] = hashed(blockers.set.0, factor, shift);
        [mask, blockers, factor, product, index]
    };
    with_attacks([Slider::Rook, Slider::Bishop].into_iter().flat_map(steps), sliders, square, occupied)
}

#[cfg(test)]
mod tests {
    use super::super::{Backend, Oracle};
    use super::*;
    use crate::stats::SplitMix64;
    use crate::with_backend;

    fn supported() -> impl Iterator<Item = Backend> {
        Backend::ALL.iter().copied().filter(|backend| backend.is_supported())
    }

    #[test]
    fn every_technique_shows_the_attacks_it_must_find() {
        let (square, occupied) = example();
        let wanted = [Oracle.rook(square, occupied), Oracle.bishop(square, occupied)];
        assert_eq!([wanted[0].count(), wanted[1].count()], [10, 10]);
        for backend in supported() {
            let pictures = with_backend!(backend, |sliders| sliders.pictures(square, occupied));
            for wanted in wanted {
                assert!(
                    pictures.iter().any(|picture| picture.set == wanted && !picture.word),
                    "{}",
                    backend.id()
                );
            }
            assert!(pictures.iter().all(|picture| !picture.caption.is_empty()), "{}", backend.id());
        }
    }

    #[test]
    fn every_technique_shows_steps_of_its_own_none_empty_and_none_twice_in_a_row() {
        let (square, occupied) = example();
        for backend in supported() {
            let pictures = with_backend!(backend, |sliders| sliders.pictures(square, occupied));
            let found = with_backend!(backend, |sliders| attacks(sliders, square, occupied));
            let (steps, last) = pictures.split_at(pictures.len() - found.len());
            assert_eq!(last, found, "{}", backend.id());
            assert!(
                steps.iter().any(|step| found.iter().all(|found| found.set != step.set)),
                "{}: attacks only",
                backend.id()
            );
            for picture in &pictures {
                assert!(!picture.set.is_empty(), "{}: {} is empty", backend.id(), picture.caption);
            }
            for pair in pictures.windows(2) {
                assert_ne!(pair[0].set, pair[1].set, "{}: {}", backend.id(), pair[1].caption);
            }
        }
    }

    #[test]
    fn pictures_can_be_made_of_every_square_and_end_with_the_attacks() {
        let mut words = SplitMix64::new(6);
        for square in Square::all() {
            let some = Bitboard(words.next_u64() & words.next_u64());
            for occupied in [Bitboard::EMPTY, Bitboard(u64::MAX), some] {
                let wanted = [Oracle.rook(square, occupied), Oracle.bishop(square, occupied)];
                for backend in supported() {
                    let pictures = with_backend!(backend, |sliders| sliders.pictures(square, occupied));
                    let last = pictures[pictures.len() - 2..].iter().map(|picture| picture.set);
                    assert!(last.eq(wanted), "{} {square} {occupied:?}", backend.id());
                }
            }
        }
    }
}
