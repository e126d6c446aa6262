//! A table in which squares lie where their unused cells interlock.

/// Which cells a square uses, from its lowest on.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) factor: u64,
    /// The lowest index.
    pub(super) low: u32,
    /// From the lowest to the highest.
    pub(super) span: u32,
    cells: Vec<u32>,
    pub(super) words: Vec<u64>,
}

impl Shape {
    /// Of indices in rising order.
    pub(super) fn new(factor: u64, used: &[u32]) -> Shape {
        let (low, high) = (used[0], used[used.len() - 1]);
        let span = high - low + 1;
        let cells: Vec<u32> = used.iter().map(|&index| index - low).collect();
        let mut words = vec![0; span.div_ceil(64) as usize];
        for &cell in &cells {
            words[cell as usize / 64] |= 1 << (cell % 64);
        }
        Shape { factor, low, span, cells, words }
    }
}

/// A table's cells, one bit each.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    words: Vec<u64>,
    /// The first word with a free cell.
    free: usize,
}

impl Pack {
    /// Room for 2^19.
    pub(super) fn new() -> Pack {
        Pack { words: vec![0; (1 << 13) + 2], free: 0 }
    }

    /// The 64 cells from `at` on.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        let (word, bit) = (at / 64, at % 64);
        let low = self.words[word] >> bit;
        if bit == 0 { low } else { low | self.words[word + 1] << (64 - bit) }
    }

    /// The lowest place where no used cell is taken, in a table of `limit` entries.
    pub(super) fn fit(&self, shape: &Shape, limit: u32) -> Option<u32> {
        let last = limit.checked_sub(shape.span)?;
        for at in (self.free as u32 * 64..=last).step_by(64) {
            // 64 places at once.
            let mut open = u64::MAX;
            for &cell in &shape.cells {
                open &= !self.word((at + cell) as usize);
                if open == 0 {
                    break;
                }
            }
            if open != 0 {
                return Some(at + open.trailing_zeros()).filter(|&at| at <= last);
            }
        }
        None
    }

    /// Whether these cells are all free, and inside a table of 2^18.
    pub(super) fn has_room(&self, at: u32, size: u32) -> bool {
        at + size <= 1 << 18 && (at..at + size).all(|i| self.words[i as usize / 64] >> (i % 64) & 1 == 0)
    }

    /// Whether a shape's cells are free there.
    pub(super) fn is_free(&self, shape: &Shape, at: u32) -> bool {
        at + shape.span <= 1 << 18
            && shape.words.iter().enumerate().all(|(i, &bits)| self.word(at as usize + i * 64) & bits == 0)
    }

    /// Takes a shape's cells.
    pub(super) fn put(&mut self, shape: &Shape, at: u32) {
        for (i, &bits) in shape.words.iter().enumerate() {
            let (word, bit) = ((at as usize + i * 64) / 64, at as usize % 64);
            self.words[word] |= bits << bit;
            if bit != 0 {
                self.words[word + 1] |= bits >> (64 - bit);
            }
        }
        while self.words[self.free] == u64::MAX {
            self.free += 1;
        }
    }
}
