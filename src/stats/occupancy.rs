//! How many of n balls thrown at random into m boxes find theirs taken: what a perfect hash function would do.
//! Must not know what is hashed. Source: Feller, "An Introduction to Probability Theory", vol. 1, ch. IV.2; Kolchin, Sevast'yanov,
//! Chistyakov, "Random Allocations", for the variance.

/// Expected number of balls that fall into a box already taken: n - m(1 - (1 - 1/m)^n), for m = 2^`bits` boxes.
pub fn expected_collisions(balls: u64, bits: u32) -> f64 {
    let (n, m) = (balls as f64, f64::from(bits).exp2());
    // Written without 1 - (1 - small): for wide keys the answer is a tiny part of n.
    n + m * (n * (-1.0 / m).ln_1p()).exp_m1()
}

/// Standard deviation of that number: m·e^-λ·(1 - (1 + λ)·e^-λ) under the root, with λ = n/m; the limit for large m.
pub fn deviation_of_collisions(balls: u64, bits: u32) -> f64 {
    let m = f64::from(bits).exp2();
    let load = balls as f64 / m;
    let empty = (-load).exp();
    (m * empty * (-(-load).exp_m1() - load * empty)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of the collisions, by the distribution of the number of taken boxes after each ball.
    fn exact(balls: u64, bits: u32) -> (f64, f64) {
        let m = 1_usize << bits;
        let mut taken = vec![0.0; m + 1];
        taken[0] = 1.0;
        for _ in 0..balls {
            for k in (0..=m).rev() {
                let new = if k > 0 { taken[k - 1] * (m - k + 1) as f64 / m as f64 } else { 0.0 };
                taken[k] = taken[k] * k as f64 / m as f64 + new;
            }
        }
        let moment = |power: i32| -> f64 {
            taken.iter().enumerate().map(|(k, p)| p * (balls as f64 - k as f64).powi(power)).sum()
        };
        (moment(1), moment(2) - moment(1).powi(2))
    }

    #[test]
    fn equal_to_the_distribution_where_that_can_be_counted() {
        for (balls, bits) in [(1, 0), (5, 0), (2, 1), (7, 3), (40, 4), (1500, 10), (3000, 10)] {
            let (mean, variance) = exact(balls, bits);
            let found = expected_collisions(balls, bits);
            assert!((found - mean).abs() < 1e-8 * mean.max(1.0), "{balls} {bits}: {found} {mean}");
            if bits == 10 {
                let found = deviation_of_collisions(balls, bits).powi(2);
                assert!((found / variance - 1.0).abs() < 0.01, "{balls}: {found} {variance}");
            }
        }
    }

    #[test]
    fn wide_keys_keep_their_digits() {
        // n(n - 1)/2m to first order.
        let (n, m) = (1e7, 40f64.exp2());
        let pairs = n * (n - 1.0) / 2.0 / m;
        assert!((expected_collisions(10_000_000, 40) / pairs - 1.0).abs() < 1e-5);
        assert!((deviation_of_collisions(10_000_000, 40) / pairs.sqrt() - 1.0).abs() < 1e-4);
        assert_eq!(deviation_of_collisions(10_000_000, 12), 0.0);
    }
}
