//! Which places of its tables a lookup reads, told by the lookup itself: it is written once, reads its tables through a
//! [`Reads`], and hot code hands it one that does nothing. Constants of the code and the stack are no tables.
//! Must not know any technique.

/// Bytes of a cache line.
pub const LINE_BYTES: usize = 64;

/// What a lookup reads its tables through.
pub trait Reads {
    /// The same place, which is about to be read.
    fn at<'a, T>(&mut self, place: &'a T) -> &'a T;
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Reads for Unwatched {
    #[inline(always)]
    fn at<'a, T>(&mut self, place: &'a T) -> &'a T {
        place
    }
}

/// Address and length of every place that was read, as often as it was.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Places(pub Vec<(usize, usize)>);

impl Reads for Places {
    fn at<'a, T>(&mut self, place: &'a T) -> &'a T {
        self.0.push((std::ptr::from_ref(place).addr(), size_of::<T>()));
        place
    }
}

impl Places {
    /// The cache lines in which they lie, each once, as multiples of [`LINE_BYTES`], in order.
    pub fn lines(&self) -> Vec<usize> {
        let of = |&(address, bytes): &(usize, usize)| {
            address / LINE_BYTES..=(address + bytes.max(1) - 1) / LINE_BYTES
        };
        let mut lines: Vec<usize> = self.0.iter().flat_map(of).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Bytes that were read at least once.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        let mut places = self.0.clone();
        places.sort_unstable();
        let mut end = 0;
        places.into_iter().fold(0, |sum, (address, bytes)| {
            let new = (address + bytes).saturating_sub(end.max(address));
            end = end.max(address + bytes);
            sum + new
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::relevant::{Slider, mask, subsets};
    use super::super::{Backend, Oracle, Sliders};
    use super::*;
    use crate::stats::SplitMix64;
    use crate::types::{Bitboard, Square};
    use crate::with_backend;

    fn supported() -> impl Iterator<Item = Backend> {
        Backend::ALL.iter().copied().filter(|backend| backend.is_supported())
    }

    /// What the lookups of rook and bishop read; they must find what they find unwatched.
    fn watched<S: Sliders>(sliders: S, square: Square, occupied: Bitboard) -> [Places; 2] {
        let [mut rook, mut bishop] = [Places::default(), Places::default()];
        let found = [
            sliders.rook_through(square, occupied, &mut rook),
            sliders.bishop_through(square, occupied, &mut bishop),
        ];
        let wanted = [Oracle.rook(square, occupied), Oracle.bishop(square, occupied)];
        assert_eq!(found, wanted, "{} {square} {occupied:?}", S::BACKEND.id());
        [rook, bishop]
    }

    /// Every occupancy that matters, every row, and some that have other squares as well.
    fn everything<S: Sliders>(sliders: S) -> Places {
        let mut all = Places::default();
        let mut words = SplitMix64::new(7);
        for square in Square::all() {
            let relevant = [Slider::Rook, Slider::Bishop].map(|slider| subsets(mask(slider, square)));
            let random = std::iter::repeat_with(|| Bitboard(words.next_u64())).take(3000);
            let rows = (0..=255).map(|row| Bitboard(row * Bitboard::FILE_A.0));
            for occupied in relevant.into_iter().flatten().chain(random).chain(rows) {
                watched(sliders, square, occupied).into_iter().for_each(|places| all.0.extend(places.0));
            }
            all.0.sort_unstable();
            all.0.dedup();
        }
        all
    }

    /// Sum over the squares and the lines (file, rank, diagonal, anti-diagonal) through them of 2^n, n being the number of a
    /// line's squares for which `counts` is true of (line, slider, square).
    fn sets(lines: impl Iterator<Item = usize>, counts: impl Fn(usize, Square, Square) -> bool) -> usize {
        let on = |line: usize, a: Square, b: Square| {
            let (file, rank) = (a.file() as i32 - b.file() as i32, a.rank() as i32 - b.rank() as i32);
            [file, rank, file - rank, file + rank][line] == 0
        };
        let squares =
            |line, from| Square::all().filter(|&to| on(line, from, to) && counts(line, from, to)).count();
        lines
            .flat_map(|line| Square::all().map(move |from| (line, from)))
            .map(|(l, from)| 1 << squares(l, from))
            .sum()
    }

    /// Neither an end of the line's board nor, unless it `may_be_own`, the slider.
    fn is_inner(line: usize, from: Square, to: Square, may_be_own: bool) -> bool {
        let inner = |place: u8| (1..7).contains(&place);
        (line == 1 || inner(to.rank())) && (line == 0 || inner(to.file())) && (may_be_own || from != to)
    }

    /// How many bytes of their tables all lookups together read, where that is not all of them.
    fn read_bytes(backend: Backend, table_bytes: usize) -> usize {
        let without_own =
            |lines: std::ops::Range<usize>| sets(lines, |l, from, to| is_inner(l, from, to, false));
        let square = |of_each: usize| 64 * of_each;
        match backend {
            // Tables of one size for squares with fewer sets; places that leave gaps.
            Backend::MagicPlain | Backend::MagicOffsetInFactor => 8 * 107_648 + square(2 * 16),
            // Some of the indices are nobody's: 21 of 106,832, and 44 of 107,648.
            Backend::MagicFancy => table_bytes - 8 * 21,
            Backend::Magic32Bit => table_bytes - 8 * 44,
            Backend::MagicFixedFancy => table_bytes - 8 * 14_659,
            Backend::MagicBlack => table_bytes - 8 * 18_322,
            Backend::FoldingHash => table_bytes - 8 * 2_377,
            // An entry is padded to a cache line.
            Backend::PextPacked => table_bytes - square(16),
            // 64 sets for each line, shorter ones as well. Where the index is of a rank, the slider's own square is in it.
            Backend::PextSplit => square(3 * 8) + 8 * (without_own(0..1) + square(64) + without_own(2..4)),
            Backend::KindergartenFold32 => square(4 * 8) + 8 * without_own(0..4),
            Backend::RotatedIndices => {
                let by_file = |_, _, to: Square| (1..7).contains(&to.file());
                square(4 * 2) + 8 * (square(2 * 64) + sets(2..4, by_file))
            }
            // A remainder is one of 257 or 258, a line has no more than 64 occupancies.
            Backend::CongruentModulo => 8 * 64 + 8 * 8 * 64 + square(2 * 8) + 8 * without_own(2..4),
            // Half of the slots are free.
            Backend::HashDictionaryOpen => square(4 * 16) + 16 * without_own(0..4),
            // The map's own affairs are not seen: only a mask with the map's header, and the values.
            Backend::HashDictionaryStd => square(4 * 56) + 8 * without_own(0..4),
            // Masks of lines that these treat without.
            Backend::Kindergarten => table_bytes - square(8),
            Backend::KindergartenDense => table_bytes - square(2 * 8),
            // The same, and 24 of 192 indices that are nobody's.
            Backend::KindergartenMagicfile => table_bytes - square(8) - 8 * 24,
            // What a move toggles on the four boards; only `Stateful` reads it.
            Backend::Rotated => table_bytes - square(4 * 8),
            _ => table_bytes,
        }
    }

    #[test]
    fn all_lookups_together_read_the_whole_tables_and_nothing_else() {
        let mut faults = Vec::new();
        for backend in supported() {
            let read = with_backend!(backend, |sliders| everything(sliders)).bytes();
            let table_bytes = backend.table_bytes().unwrap_or(0);
            let expected = read_bytes(backend, table_bytes);
            if read != expected || read > table_bytes {
                faults.push(format!("{}: {read} of {table_bytes}, not {expected}", backend.id()));
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn lookups_read_what_a_look_at_the_technique_says() {
        // Bytes of each place that one rook's lookup reads, in order, and one bishop's.
        let by_hand: [(&str, &[usize], &[usize]); 14] = [
            ("classical", &[8; 8], &[8; 8]),
            // A square's lines; a byte of the first-rank table.
            ("hyperbola", &[32, 1], &[32]),
            // Mask, factor, offset, shift; the attacks.
            ("magic-fancy", &[24, 8], &[24, 8]),
            ("magic-plain", &[16, 8], &[16, 8]),
            // The number of the set, where the square's sets begin, the set.
            ("magic-byte", &[24, 1, 2, 8], &[24, 1, 2, 8]),
            ("pext", &[16, 8], &[16, 8]),
            ("pext-packed", &[24, 2], &[24, 2]),
            // The rank needs no mask.
            ("pext-split", &[8, 8, 8], &[8, 8, 8, 8]),
            ("pext-soft", &[64, 8], &[64, 8]),
            ("sherwin", &[2, 2, 2, 2, 2, 2, 2, 4, 8], &[2, 2, 2, 2, 2, 2, 4, 8]),
            ("leorik", &[], &[16]),
            ("gfni", &[64], &[64]),
            ("own-lanes", &[16, 16, 16], &[16, 16, 16]),
            ("qbb", &[], &[]),
        ];
        for (id, rook, bishop) in by_hand {
            let Some(backend) = Backend::from_id(id).filter(|backend| backend.is_supported()) else {
                continue;
            };
            let (square, occupied) = super::super::example();
            let places = with_backend!(backend, |sliders| watched(sliders, square, occupied));
            let sizes = places.map(|places| places.0.into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>());
            assert_eq!(sizes, [rook, bishop], "{id}");
        }
    }

    #[test]
    fn a_place_on_the_border_of_two_lines_is_in_both() {
        let places = Places(vec![(130, 8), (188, 8), (130, 8)]);
        assert_eq!((places.lines(), places.bytes()), (vec![2, 3], 16));
        assert_eq!(Places(vec![(64, 64)]).lines(), [1]);
        assert_eq!(Places(vec![(0, 24), (16, 16)]).bytes(), 32);
    }
}
