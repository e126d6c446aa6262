//! The laws the tests need: normal, Student's t with whole degrees of freedom, the fair coin.
//!
//! Must not know what is tested. Sources: Abramowitz & Stegun 26.7 (Student's t), Loader 2000 (binomial probabilities).

use super::solve;
use statrs::function::erf;
use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

/// P(X <= x) of the standard normal law.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erf::erfc(-x / SQRT_2)
}

/// P(X > x) of the standard normal law, exact in the tail.
pub fn normal_tail(x: f64) -> f64 {
    0.5 * erf::erfc(x / SQRT_2)
}

/// `exp(x²) erfc(x)` for `x >= 0`: the tail without its exponent, so that products with large exponentials stay finite.
pub fn scaled_erfc(x: f64) -> f64 {
    if x < 20.0 {
        return (x * x).exp() * erf::erfc(x);
    }
    let y = 1.0 / (2.0 * x * x);
    (1.0 - y * (1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y)))) / (x * PI.sqrt())
}

/// The 97.5 % quantile of Student's t; none for 0 degrees of freedom.
pub fn student_t_975(freedom: u64) -> Option<f64> {
    if freedom == 0 {
        return None;
    }
    let nu = freedom as f64;
    if freedom > 200 {
        // Cornish-Fisher (A&S 26.7.5); its error is below 1e-10 from here on.
        let z = super::scale::Z_95;
        let z2 = z * z;
        let g1 = z * (z2 + 1.0) / 4.0;
        let g2 = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
        let g3 = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
        let g4 = z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
        return Some(z + (g1 + (g2 + (g3 + g4 / nu) / nu) / nu) / nu);
    }
    let angle = solve::root(|angle| student_central(angle, freedom) - 0.95, 0.0, FRAC_PI_2)?;
    Some(angle.tan() * nu.sqrt())
}

/// P(|T| <= t) for whole degrees of freedom, `t = sqrt(freedom) tan(angle)` (A&S 26.7.3 and 26.7.4).
fn student_central(angle: f64, freedom: u64) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    let mut k = if odd { 3 } else { 2 };
    while k < freedom {
        term *= cos * cos * (k - 1) as f64 / k as f64;
        sum += term;
        k += 2;
    }
    if odd { 2.0 / PI * (angle + sin * sum) } else { sin * sum }
}

/// P(X <= k) for the number of heads in `n` fair tosses.
pub fn coin_cdf(k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    // Sum the smaller side: from its inner end outwards the terms fall.
    if k as f64 + 0.5 > n as f64 / 2.0 {
        return 1.0 - coin_cdf(n - k - 1, n);
    }
    if n > 1_000_000_000_000 {
        return normal_cdf((k as f64 + 0.5 - n as f64 / 2.0) / (n as f64 / 4.0).sqrt());
    }
    let mut term = 1.0;
    let mut sum = 1.0;
    let mut i = k;
    while i > 0 && term > 1e-18 * sum {
        term *= i as f64 / (n - i + 1) as f64;
        sum += term;
        i -= 1;
    }
    (sum * coin_probability(k, n)).min(1.0)
}

/// P(X = k) for the number of heads in `n` fair tosses (Loader's form: no cancellation of large logarithms).
fn coin_probability(k: u64, n: u64) -> f64 {
    if k == 0 || k == n {
        return (-(n as f64) * std::f64::consts::LN_2).exp();
    }
    let (kf, nf) = (k as f64, n as f64);
    let rest = nf - kf;
    let exponent = stirling_error(nf)
        - stirling_error(kf)
        - stirling_error(rest)
        - deviance(kf, nf / 2.0)
        - deviance(rest, nf / 2.0);
    exponent.exp() * (nf / (2.0 * PI * kf * rest)).sqrt()
}

/// `ln n! - ln(sqrt(2 pi n) (n/e)^n)`.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        let factorial: f64 = (1..=n as u64).map(|i| i as f64).product();
        return factorial.ln() - 0.5 * (2.0 * PI * n).ln() - n * (n.ln() - 1.0);
    }
    let n2 = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * n2)) / n2) / n2) / n2) / n
}

/// `x ln(x/m) + m - x`, by a series where the two nearly agree.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut power = 2.0 * x * v;
    for j in 1..1000 {
        power *= v * v;
        let next = sum + power / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Two-sided p of a standard normal score.
pub(super) fn two_sided(z: f64) -> f64 {
    (2.0 * normal_tail(z)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_quantiles_as_tabulated() {
        // Published tables, four and more digits.
        for (freedom, t) in [(1, 12.706_204_736), (2, 4.302_652_730), (5, 2.570_581_836), (30, 2.042_272_456)]
        {
            assert!((student_t_975(freedom).unwrap() - t).abs() < 1e-8, "{freedom}");
        }
        // The two methods meet.
        let (exact, series) = (student_t_975(200).unwrap(), student_t_975(201).unwrap());
        assert!(exact > series && exact - series < 1e-4);
        assert_eq!(student_t_975(0), None);
    }

    #[test]
    fn coin_against_whole_numbers() {
        assert!((coin_cdf(0, 3) - 0.125).abs() < 1e-15);
        assert!((coin_cdf(2, 5) - 0.5).abs() < 1e-15);
        assert!((coin_cdf(14, 40) - 0.040_345_1).abs() < 1e-6);
        assert_eq!(coin_cdf(7, 7), 1.0);
    }
}
