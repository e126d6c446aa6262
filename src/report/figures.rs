//! Numbers as people read them, and the few summaries a report needs. Nothing here ever prints `NaN`: what is not known or
//! not defined is `n/a`. Sources: Wilson 1927 for the interval of a proportion.

/// Shown where a figure is not known or not defined.
pub const NONE: &str = "n/a";

/// Not a character of any text (Unicode 23.7): HTML takes all of them for faults, XML forbids U+FFFE and U+FFFF.
pub(super) fn is_noncharacter(c: char) -> bool {
    matches!(c as u32 & 0xffff, 0xfffe | 0xffff) || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}

/// With this many decimals; infinite as `∞`, undefined as `n/a`.
pub fn fixed(value: f64, decimals: usize) -> String {
    match value {
        v if v.is_nan() => NONE.to_owned(),
        v if v == f64::INFINITY => "∞".to_owned(),
        v if v == f64::NEG_INFINITY => "−∞".to_owned(),
        v => {
            let text = format!("{v:.decimals$}");
            // No "-0.0": a rounded zero has no sign. Elsewhere a true minus sign, which is as wide as a digit.
            match text.strip_prefix('-') {
                Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.to_owned(),
                Some(rest) => format!("−{rest}"),
                None => text,
            }
        }
    }
}

/// [`fixed`] with a sign for positive values too: `+12.3`.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let rounded_to_zero = text.chars().all(|c| c == '0' || c == '.');
    if value > 0.0 && !rounded_to_zero { format!("+{text}") } else { text }
}

/// A figure of any size: whole numbers and those of four digits before the point in threes, others with four digits;
/// less than 10^-9 is 0.
pub fn figure(value: f64) -> String {
    if (0.0..1e15).contains(&value) && (value.fract() == 0.0 || value >= 1000.0) {
        return count(value.round() as u64);
    }
    if value.abs() < 1e-9 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    fixed(value, (3.0 - magnitude).clamp(0.0, 9.0) as usize)
}

pub fn maybe(value: Option<f64>, decimals: usize) -> String {
    value.map_or(NONE.to_owned(), |v| fixed(v, decimals))
}

pub fn maybe_signed(value: Option<f64>, decimals: usize) -> String {
    value.map_or(NONE.to_owned(), |v| signed(v, decimals))
}

/// `low … high`; `≥ low` or `≤ high` if only one end is known, `n/a` if none is.
pub fn interval(low: Option<f64>, high: Option<f64>, decimals: usize) -> String {
    let known = |end: Option<f64>| end.filter(|v| !v.is_nan()).map(|v| signed(v, decimals));
    match (known(low), known(high)) {
        (Some(low), Some(high)) => format!("{low} … {high}"),
        (Some(low), None) => format!("≥ {low}"),
        (None, Some(high)) => format!("≤ {high}"),
        (None, None) => NONE.to_owned(),
    }
}

/// The same of figures that have no sign: `0.98 … 1.02`.
pub fn ends(low: Option<f64>, high: Option<f64>, decimals: usize) -> String {
    match low.zip(high) {
        Some((low, high)) => format!("{} … {}", fixed(low, decimals), fixed(high, decimals)),
        None => NONE.to_owned(),
    }
}

/// Digits in threes with commas: `119,060,324`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three significant digits with k, M, G: `1.23M`, `45.6k`, `789`.
pub fn short(value: f64) -> String {
    let (scaled, suffix) = match value.abs() {
        v if v >= 999.5e6 => (value / 1e9, "G"),
        v if v >= 999.5e3 => (value / 1e6, "M"),
        v if v >= 999.5 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let decimals = match scaled.abs() {
        v if v >= 99.95 || (suffix.is_empty() && v.fract() == 0.0) => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    fixed(scaled, decimals) + suffix
}

/// A recorded score as people write it: centipawns `31` become `+0.31`; mates and anything else stay.
pub fn score_text(score: &str) -> String {
    match score.parse::<i64>() {
        Ok(0) => "0.00".to_owned(),
        Ok(cp) => signed(cp as f64 / 100.0, 2),
        Err(_) => score.to_owned(),
    }
}

/// Half points as points: `2.5`, `3`.
pub fn points(half_points: u64) -> String {
    fixed(0.5 * half_points as f64, (half_points % 2) as usize)
}

pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { NONE.to_owned() } else { fixed(100.0 * part as f64 / whole as f64, 1) + " %" }
}

/// `850 µs`, `12.3 ms`, `4.56 s`, `3 min 20 s`, `2 h 05 min`.
pub fn duration_us(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{} ms", fixed(us as f64 / 1e3, if us < 10_000 { 2 } else { 1 })),
        1_000_000..60_000_000 => format!("{} s", fixed(us as f64 / 1e6, 2)),
        60_000_000..3_600_000_000 => format!("{} min {:02} s", us / 60_000_000, us / 1_000_000 % 60),
        _ => format!("{} h {:02} min", us / 3_600_000_000, us / 60_000_000 % 60),
    }
}

/// `512 B`, `843 kB`, `2.3 MB` (thousands, as the field writes table sizes).
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{} B", count(bytes)),
        10_000..1_000_000 => format!("{} kB", fixed(bytes as f64 / 1e3, 0)),
        _ => format!("{} MB", fixed(bytes as f64 / 1e6, 2)),
    }
}

/// Operations per second; `None` if no time passed.
pub fn rate(operations: u64, time_us: u64) -> Option<f64> {
    (time_us > 0).then(|| operations as f64 * 1e6 / time_us as f64)
}

/// Median, least and greatest; `None` for no values. Values that are not numbers are left out.
pub fn spread(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
    let mut sorted: Vec<f64> = values.into_iter().filter(|v| !v.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let (&min, &max) = (sorted.first()?, sorted.last()?);
    let middle = sorted.len() / 2;
    let median =
        if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 };
    Some(Spread { n: sorted.len(), median, min, max })
}

/// What [`spread`] found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    pub n: usize,
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

/// Wilson's 95 % interval of a proportion; `None` for no trials.
pub fn wilson(successes: u64, trials: u64) -> Option<(f64, f64)> {
    if trials == 0 {
        return None;
    }
    const Z: f64 = 1.959_963_984_540_054;
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let z2 = Z * Z / n;
    let centre = (p + z2 / 2.0) / (1.0 + z2);
    let half = Z / (1.0 + z2) * (p * (1.0 - p) / n + z2 / (4.0 * n)).sqrt();
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(count(119_060_324), "119,060,324");
        assert_eq!([count(0), count(999), count(1_000)], ["0", "999", "1,000"]);
        assert_eq!(
            [short(12.0), short(999.6), short(1_234_567.0), short(45_600.0)],
            ["12", "1.00k", "1.23M", "45.6k"]
        );
        assert_eq!(
            [fixed(f64::NAN, 2), fixed(f64::NEG_INFINITY, 1), fixed(-0.04, 1), fixed(-1.25, 1)],
            ["n/a", "−∞", "0.0", "−1.2"]
        );
        assert_eq!([signed(0.04, 1), signed(3.0, 1), signed(-3.0, 1)], ["0.0", "+3.0", "−3.0"]);
        assert_eq!(
            [duration_us(850), duration_us(4_560_000), duration_us(200_000_000)],
            ["850 µs", "4.56 s", "3 min 20 s"]
        );
        assert_eq!(interval(Some(f64::NAN), None, 1), "n/a");
        assert_eq!(interval(Some(-1.25), Some(f64::INFINITY), 1), "−1.2 … +∞");
        assert_eq!(interval(Some(3.0), None, 0), "≥ +3");
        assert_eq!(percent(1, 0), "n/a");
        assert_eq!(
            [score_text("31"), score_text("-120"), score_text("0"), score_text("-M2")],
            ["+0.31", "−1.20", "0.00", "-M2"]
        );
    }

    #[test]
    fn wilson_of_published_examples() {
        // Newcombe 1998, Statistics in Medicine 17, table I, method 3: 81/263, 15/148, 0/20, 29/29.
        for (successes, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (29, 29, 0.8830, 1.0),
        ] {
            let (l, h) = wilson(successes, trials).expect("trials");
            assert!((l - low).abs() < 5e-5 && (h - high).abs() < 5e-5, "{successes}/{trials}: {l} {h}");
        }
    }

    #[test]
    fn spread_of_few() {
        let found = spread([3.0, 1.0, f64::NAN, 2.0, 10.0]).expect("values");
        assert_eq!((found.n, found.median, found.min, found.max), (4, 2.5, 1.0, 10.0));
        assert_eq!(spread([]), None);
    }
}
