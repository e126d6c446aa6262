//! Packing of squares into one table where their unused cells interlock: first fit, largest first.

/// Which cells a square uses, from its lowest on.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) factor: u64,
    /// The lowest index.
    pub(super) low: u32,
    /// From the lowest to the highest.
    pub(super) span: u32,
    /// The same where the last index is followed by the first.
    pub(super) ring: u32,
    /// Cells used.
    pub(super) used: u32,
    words: Vec<u64>,
}

impl Shape {
    /// Of indices in rising order.
    pub(super) fn new(factor: u64, used: &[u32], cells: u32) -> Shape {
        let (low, high) = (used[0], used[used.len() - 1]);
        let span = high - low + 1;
        let mut words = vec![0; span.div_ceil(64) as usize];
        for &index in used {
            words[(index - low) as usize / 64] |= 1 << ((index - low) % 64);
        }
        let gap = used.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let ring = span.min(cells + 1 - gap);
        Shape { factor, low, span, ring, used: used.len() as u32, words }
    }
}

/// A table's cells, one bit each.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    words: Vec<u64>,
    /// First free cell.
    free: usize,
    pub(super) len: u32,
}

impl Pack {
    pub(super) fn new() -> Pack {
        Pack { words: vec![0; 1 << 13], free: 0, len: 0 }
    }

    /// The 64 cells from `at` on.
    fn word(&self, at: usize) -> u64 {
        let (word, bit) = (at / 64, at % 64);
        let low = self.words[word] >> bit;
        if bit == 0 { low } else { low | self.words[word + 1] << (64 - bit) }
    }

    /// The lowest place where no used cell is taken.
    pub(super) fn fit(&self, shape: &Shape) -> u32 {
        let mut at = self.free;
        let mut last = 0;
        loop {
            let clash = |i: usize| self.word(at + i * 64) & shape.words[i] != 0;
            if !clash(last) {
                match (0..shape.words.len()).find(|&i| clash(i)) {
                    Some(i) => last = i,
                    None => return at as u32,
                }
            }
            at += 1;
        }
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
        self.len = self.len.max(at + shape.span);
        while self.words[self.free / 64] >> (self.free % 64) & 1 == 1 {
            self.free += 1;
        }
    }
}
