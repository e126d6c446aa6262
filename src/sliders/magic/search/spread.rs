//! How well the cells of a square will lie in a table beside those of others, guessed from the cells alone: short holes are
//! lost, long ones belong to others.

/// Cells used, and cells near one that is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Spread {
    pub(super) used: u32,
    /// At most 7 behind a used one.
    near: u32,
    /// At most 63 behind a used one.
    far: u32,
    /// From the first to the last.
    span: u32,
}

impl Spread {
    /// Of cells in words of 64, at most 2^12.
    pub(super) fn new(words: &[u64]) -> Spread {
        let mut spread = Spread::default();
        let (mut before, mut first) = (0u64, None);
        for (i, &word) in words.iter().enumerate() {
            spread.used += word.count_ones();
            let mut near = word | word << 1 | before >> 63;
            near |= near << 2 | (before | before << 1) >> 62;
            let ahead = before | before << 1;
            near |= near << 4 | (ahead | ahead << 2) >> 60;
            spread.near += near.count_ones();
            let from_before = if before == 0 { 0 } else { (1 << (63 - before.leading_zeros())) - 1 };
            let from_here = if word == 0 { 0 } else { u64::MAX << word.trailing_zeros() };
            spread.far += (from_before | from_here).count_ones();
            if word != 0 {
                let low = *first.get_or_insert(i as u32 * 64 + word.trailing_zeros());
                spread.span = i as u32 * 64 + 64 - word.leading_zeros() - low;
            }
            before = word;
        }
        spread
    }

    /// Of cells that carry this stamp, or a higher one.
    #[inline(always)]
    pub(super) fn of_stamps(cells: &[u32], stamp: u32) -> Spread {
        let mut words = [0; 64];
        for (word, cells) in words.iter_mut().zip(cells.chunks_exact(64)) {
            for (i, &cell) in cells.iter().enumerate() {
                *word |= u64::from(cell >= stamp) << i;
            }
        }
        Spread::new(&words[..cells.len() / 64])
    }

    /// In cells of a table.
    pub(super) fn cost(self) -> f64 {
        0.3 * f64::from(self.used)
            + 0.5 * f64::from(self.near)
            + 0.15 * f64::from(self.far)
            + 0.05 * f64::from(self.span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_give_what_cell_by_cell_counting_gives() {
        let mut random = crate::stats::SplitMix64::new(1);
        for density in 0..6 {
            let words: Vec<u64> = (0..64)
                .map(|_| (0..density).fold(random.next_u64(), |word, _| word & random.next_u64()))
                .collect();
            let cells: Vec<i64> =
                (0..4096).filter(|&i| words[i as usize / 64] >> (i % 64) & 1 == 1).collect();
            let within = |reach: i64| {
                (0..4096).filter(|&i| cells.iter().any(|&cell| (cell..=cell + reach).contains(&i))).count()
                    as u32
            };
            let Some((first, last)) = cells.first().zip(cells.last()) else { continue };
            let spread = Spread {
                used: cells.len() as u32,
                near: within(7),
                far: within(63),
                span: (last - first + 1) as u32,
            };
            assert_eq!(Spread::new(&words), spread);
        }
    }
}
