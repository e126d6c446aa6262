//! Bounded solvers: a root in a bracket, and the exponentially tilted law that maximises a likelihood.
//!
//! Every loop has a fixed maximum: a solver that can run on is how a sequential test never ends.

/// A root of `f` between `a` and `b`, where it must change sign (Chandrupatla 1997: inverse quadratic steps where they
/// are safe, halving elsewhere). None if the signs agree or `f` is NaN at an end.
pub fn root(mut f: impl FnMut(f64) -> f64, a: f64, b: f64) -> Option<f64> {
    let (mut a, mut b) = (a, b);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa == 0.0 {
        return Some(a);
    }
    if fb == 0.0 {
        return Some(b);
    }
    if fa.is_nan() || fb.is_nan() || (fa > 0.0) == (fb > 0.0) {
        return None;
    }
    let mut t = 0.5;
    for _ in 0..200 {
        let x = a + t * (b - a);
        let fx = f(x);
        // The third point is the one just left out of the bracket.
        let (c, fc) = if (fx > 0.0) == (fa > 0.0) && fx != 0.0 {
            (a, fa)
        } else {
            let left = (b, fb);
            (b, fb) = (a, fa);
            left
        };
        (a, fa) = (x, fx);
        let (best, best_f) = if fa.abs() < fb.abs() { (a, fa) } else { (b, fb) };
        let tolerance = 2.0 * f64::EPSILON * best.abs() + f64::MIN_POSITIVE;
        let limit = tolerance / (b - a).abs();
        if limit > 0.5 || best_f == 0.0 {
            return Some(best);
        }
        let xi = (a - b) / (c - b);
        let phi = (fa - fb) / (fc - fb);
        t = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        } else {
            0.5
        };
        if !t.is_finite() {
            t = 0.5;
        }
        t = t.clamp(limit, 1.0 - limit);
    }
    Some(if fa.abs() < fb.abs() { a } else { b })
}

/// The multiplier `theta` that maximises `sum p_i ln(1 + theta v_i)` over the closed interval where no factor is
/// negative. Then `q_i = p_i / (1 + theta v_i)` is the law nearest to `p` with `sum q_i v_i = 0`.
///
/// None unless some `v` is negative and some positive (no law has that mean otherwise). An outcome with `p_i = 0` may
/// end at the edge of the interval: the law then gives it mass although it was never seen.
pub fn tilt<const N: usize>(p: &[f64; N], v: &[f64; N]) -> Option<f64> {
    let (mut least, mut most) = (0, 0);
    for i in 1..N {
        if v[i] < v[least] {
            least = i;
        }
        if v[i] > v[most] {
            most = i;
        }
    }
    if !(v[least] < 0.0 && v[most] > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / v[most], -1.0 / v[least]);
    // The derivative falls from one end to the other; without mass at an end it is finite there.
    if p[most] == 0.0 && slope(p, v, low).0 <= 0.0 {
        return Some(low);
    }
    if p[least] == 0.0 && slope(p, v, high).0 >= 0.0 {
        return Some(high);
    }
    let mut theta = 0.0;
    for _ in 0..400 {
        let (f, df) = slope(p, v, theta);
        if f > 0.0 {
            low = theta;
        } else if f < 0.0 {
            high = theta;
        } else {
            break;
        }
        let mut next = theta + f / df;
        if !(next > low && next < high) {
            next = low + 0.5 * (high - low);
        }
        if (next - theta).abs() <= 2.0 * f64::EPSILON * theta.abs() {
            break;
        }
        theta = next;
    }
    Some(theta)
}

/// First derivative of `sum p_i ln(1 + theta v_i)`, and minus the second.
fn slope<const N: usize>(p: &[f64; N], v: &[f64; N], theta: f64) -> (f64, f64) {
    let (mut f, mut df) = (0.0, 0.0);
    for (&p, &v) in p.iter().zip(v) {
        if p > 0.0 {
            let ratio = v / (1.0 + theta * v).max(0.0);
            f += p * ratio;
            df += p * ratio * ratio;
        }
    }
    (f, df)
}

/// `sum p_i ln(1 + theta v_i)` at the best `theta`: what the likelihood per observation loses if the mean of `v` has to
/// be 0. Infinite if no law has that mean.
pub fn tilt_cost<const N: usize>(p: &[f64; N], v: &[f64; N]) -> f64 {
    match tilt(p, v) {
        Some(theta) => cost_at(p, v, theta),
        None => f64::INFINITY,
    }
}

/// `sum p_i ln(1 + theta v_i)`. Since no probability passes 1, no factor falls below `p_i`: that floor keeps the
/// logarithm finite where the factor drowns in rounding.
pub fn cost_at<const N: usize>(p: &[f64; N], v: &[f64; N], theta: f64) -> f64 {
    let mut sum = 0.0;
    for (&p, &v) in p.iter().zip(v) {
        if p > 0.0 {
            sum += p * (theta * v).max(p - 1.0).ln_1p();
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_of_a_cubic_with_a_flat_part() {
        let x = root(|x| (x - 0.3).powi(3), -5.0, 9.0).unwrap();
        assert!((x - 0.3).abs() < 1e-5);
        assert!((root(|x| x.exp() - 2.0, 0.0, 1.0).unwrap() - std::f64::consts::LN_2).abs() < 1e-15);
        assert_eq!(root(|x| x * x + 1.0, -1.0, 1.0), None);
        assert_eq!(root(|_| f64::NAN, -1.0, 1.0), None);
    }

    #[test]
    fn tilt_gives_the_wanted_mean() {
        let p = [0.2, 0.5, 0.3];
        let v = [-0.6, -0.1, 0.4];
        let theta = tilt(&p, &v).unwrap();
        let mean: f64 = (0..3).map(|i| p[i] * v[i] / (1.0 + theta * v[i])).sum();
        let mass: f64 = (0..3).map(|i| p[i] / (1.0 + theta * v[i])).sum();
        assert!(mean.abs() < 1e-15 && (mass - 1.0).abs() < 1e-15);
        assert_eq!(tilt(&p, &[0.1, 0.2, 0.3]), None);
    }
}
