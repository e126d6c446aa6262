//! A sample in a few numbers.
//!
//! All functions take any order of values; values that are not numbers are the caller's to keep out.

/// Arithmetic mean; none of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Geometric mean of positive values; none if there are no values or one is not positive.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.iter().any(|&x| x <= 0.0) {
        return None;
    }
    Some(mean(&values.iter().map(|x| x.ln()).collect::<Vec<_>>())?.exp())
}

/// Sample standard deviation (divisor n - 1); from two values on.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// Sorted copy.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The quantile of **sorted** values, linear between order statistics (the usual default of R, NumPy, Excel).
/// `q` is taken into [0, 1].
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(sorted[below] + (place - below as f64) * (sorted[above] - sorted[below]))
}

/// The middle value, or the mean of the two middle ones.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(&sorted(values), 0.5)
}

/// Median distance from the median.
pub fn median_absolute_deviation(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    median(&values.iter().map(|x| (x - middle).abs()).collect::<Vec<_>>())
}

/// What a table shows of a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    pub n: usize,
    pub mean: f64,
    /// None for a single value.
    pub standard_deviation: Option<f64>,
    pub min: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub max: f64,
}

impl Summary {
    /// None of nothing.
    pub fn new(values: &[f64]) -> Option<Summary> {
        let sorted = sorted(values);
        Some(Summary {
            n: sorted.len(),
            mean: mean(&sorted)?,
            standard_deviation: standard_deviation(&sorted),
            min: *sorted.first()?,
            lower_quartile: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            upper_quartile: quantile(&sorted, 0.75)?,
            max: *sorted.last()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_small_samples() {
        let s = Summary::new(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((s.min, s.lower_quartile, s.median, s.upper_quartile, s.max), (1.0, 1.75, 2.5, 3.25, 4.0));
        assert!((s.standard_deviation.unwrap() - (5.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(Summary::new(&[7.0]).unwrap().standard_deviation, None);
        assert_eq!(Summary::new(&[]), None);
        assert_eq!(median_absolute_deviation(&[1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]), Some(1.0));
        assert!((geometric_mean(&[1.0, 4.0]).unwrap() - 2.0).abs() < 1e-15);
        assert_eq!(geometric_mean(&[1.0, 0.0]), None);
    }
}
