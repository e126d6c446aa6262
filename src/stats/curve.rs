//! The technology curve: Elo per doubling of time (or nodes), and whether further doublings bring less.
//!
//! Fitted to matches of an engine with more time against itself with less, each with its own standard error. Must not know what a
//! match is. Definitions: reference README, `techcurve.csv`.

use super::distribution::normal_tail;
use statrs::function::gamma::gamma_ur;

/// A match: `more` of something against `base`, in the same unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Handicap {
    pub base: f64,
    pub more: f64,
    /// Elo of the side with more, and its standard error.
    pub elo: f64,
    pub std_error: f64,
}

impl Handicap {
    /// Doublings between the two.
    fn doublings(&self) -> f64 {
        (self.more / self.base).log2()
    }

    /// Logarithm to base 2 of the geometric mean.
    fn middle(&self) -> f64 {
        0.5 * (self.more.log2() + self.base.log2())
    }

    fn weight(&self) -> f64 {
        1.0 / (self.std_error * self.std_error)
    }

    fn is_sound(&self) -> bool {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        positive(self.base)
            && positive(self.more)
            && positive(self.std_error)
            && self.elo.is_finite()
            && self.base != self.more
    }
}

/// Every doubling is worth the same.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constant {
    /// Elo per doubling.
    pub elo: f64,
    pub std_error: f64,
    /// Sum of squared residuals in standard errors, and degrees of freedom.
    pub chi_squared: f64,
    pub freedom: u64,
    /// Probability of a worse fit if every doubling is worth the same; none without degrees of freedom.
    pub p: Option<f64>,
}

/// What a doubling is worth changes with every doubling.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Diminishing {
    /// Elo per doubling around time 1.
    pub at_one: f64,
    /// Change of that per doubling: negative where returns diminish.
    pub per_doubling: f64,
    pub at_one_error: f64,
    pub per_doubling_error: f64,
    pub covariance: f64,
    pub chi_squared: f64,
    pub freedom: u64,
}

impl Diminishing {
    /// Probability of a change as great, either way, if every doubling is worth the same.
    pub fn p(&self) -> f64 {
        2.0 * normal_tail((self.per_doubling / self.per_doubling_error).abs())
    }
}

/// Below this the constant curve does not fit.
const SIGNIFICANT: f64 = 0.05;

/// Both curves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TechnologyCurve {
    pub constant: Constant,
    /// None where the matches cannot tell (fewer than two places on the curve).
    pub diminishing: Option<Diminishing>,
}

impl TechnologyCurve {
    /// Weighted least squares. None without matches, or if one is not sound: quantities and standard errors positive, base and more
    /// different.
    pub fn fit(matches: &[Handicap]) -> Option<TechnologyCurve> {
        if matches.is_empty() || !matches.iter().all(Handicap::is_sound) {
            return None;
        }
        let sum = |f: &dyn Fn(&Handicap) -> f64| -> f64 { matches.iter().map(|m| m.weight() * f(m)).sum() };
        // Products of x = doublings and x m, m = middle.
        let xx = sum(&|m| m.doublings().powi(2));
        let xy = sum(&|m| m.doublings() * m.elo);
        let xxm = sum(&|m| m.doublings().powi(2) * m.middle());
        let xxmm = sum(&|m| (m.doublings() * m.middle()).powi(2));
        let xmy = sum(&|m| m.doublings() * m.middle() * m.elo);
        let n = matches.len() as u64;
        let beta = xy / xx;
        let chi_squared = sum(&|m| (m.elo - beta * m.doublings()).powi(2));
        let freedom = n - 1;
        let constant = Constant {
            elo: beta,
            std_error: xx.powf(-0.5),
            chi_squared,
            freedom,
            p: (freedom > 0).then(|| chi_squared_tail(chi_squared, freedom)),
        };
        let determinant = xx * xxmm - xxm * xxm;
        let diminishing = (n >= 2 && determinant > 1e-12 * xx * xxmm).then(|| {
            let at_one = (xxmm * xy - xxm * xmy) / determinant;
            let per_doubling = (xx * xmy - xxm * xy) / determinant;
            let curve = |m: &Handicap| m.doublings() * (at_one + per_doubling * m.middle());
            Diminishing {
                at_one,
                per_doubling,
                at_one_error: (xxmm / determinant).sqrt(),
                per_doubling_error: (xx / determinant).sqrt(),
                covariance: -xxm / determinant,
                chi_squared: sum(&|m| (m.elo - curve(m)).powi(2)),
                freedom: n - 2,
            }
        });
        Some(TechnologyCurve { constant, diminishing })
    }

    /// Whether the matches refute a constant worth of a doubling: then the second curve is the one to report.
    pub fn diminishes(&self) -> bool {
        self.diminishing.is_some() && self.constant.p.is_some_and(|p| p < SIGNIFICANT)
    }

    /// Elo that a doubling around `time` is worth, by the curve to report.
    pub fn elo_per_doubling(&self, time: f64) -> f64 {
        match self.diminishing {
            Some(curve) if self.diminishes() => curve.at_one + curve.per_doubling * time.log2(),
            _ => self.constant.elo,
        }
    }
}

/// P(X > x) of the chi-squared law.
fn chi_squared_tail(x: f64, freedom: u64) -> f64 {
    if x > 0.0 { gamma_ur(0.5 * freedom as f64, 0.5 * x) } else { 1.0 }
}
