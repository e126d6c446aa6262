//! SplitMix64: a small reproducible generator, and what is drawn with it.
//!
//! Must not know what the numbers are for. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014);
//! draws below a bound after Lemire, "Fast random integer generation in an interval" (2019).

/// What the state moves on by: 2^64 over the golden ratio, odd.
pub const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator's finaliser (Stafford's variant 13): a bijection after which every output bit depends on every input
/// bit. `mix(0)` is 0.
pub const fn mix(value: u64) -> u64 {
    let mut z = value;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A generator whose whole state is its seed: equal seeds give equal sequences everywhere.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        mix(self.state)
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform in `0..bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// An index drawn with these probabilities: the first whose cumulated probability passes a uniform number, else the last.
    pub fn category(&mut self, probabilities: &[f64]) -> usize {
        let u = self.uniform();
        let mut sum = 0.0;
        for (i, p) in probabilities.iter().enumerate() {
            sum += p;
            if u < sum {
                return i;
            }
        }
        probabilities.len().saturating_sub(1)
    }

    /// Puts the items in random order, every order equally likely (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_sequence() {
        // First outputs for seed 1234567, as listed on Rosetta Code's page on this generator.
        let mut rng = SplitMix64::new(1_234_567);
        let first: [u64; 5] = std::array::from_fn(|_| rng.next_u64());
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn the_finaliser_is_the_generators() {
        // The first output for seed 0 is published with the reference implementation.
        assert_eq!(mix(GOLDEN_GAMMA), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(0), 0);
    }

    #[test]
    fn draws_stay_in_range_and_shuffles_keep_all() {
        let mut rng = SplitMix64::new(1);
        let mut seen = [0_u32; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
        let mut items: Vec<u32> = (0..100).collect();
        rng.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
