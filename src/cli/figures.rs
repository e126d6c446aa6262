//! Numbers as text: what a script may parse to the last digit, and what a person reads. It knows no verb.

/// At least twelve significant digits and always enough to get the same number back; `inf`, `-inf`; never NaN: `n/a`.
pub fn exact(value: f64) -> String {
    const DIGITS: usize = 12;
    if value.is_nan() {
        return "n/a".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if value == 0.0 {
        return "0.00000000000".to_owned();
    }
    let magnitude = value.abs();
    if !(1e-5..1e15).contains(&magnitude) {
        let text = format!("{value:e}");
        return if significant(&text) >= DIGITS { text } else { format!("{value:.*e}", DIGITS - 1) };
    }
    let text = format!("{value}");
    let have = significant(&text);
    if have >= DIGITS {
        return text;
    }
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    format!("{value:.*}", decimals + DIGITS - have)
}

/// [`exact`], or `n/a` where there is no figure.
pub fn exact_or_na(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), exact)
}

/// Fixed decimals, or `n/a`.
pub fn fixed_or_na(value: Option<f64>, decimals: usize) -> String {
    match value {
        Some(value) if value.is_finite() => format!("{value:.decimals$}"),
        Some(value) => exact(value),
        None => "n/a".to_owned(),
    }
}

/// Digits of the mantissa from the first that is not zero.
fn significant(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
    mantissa.chars().filter(char::is_ascii_digit).skip_while(|&digit| digit == '0').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_digits_and_the_same_number_back() {
        for value in
            [0.5, -0.5, 1.0, 190.848501887865, 1e-28, -2.5e-7, 123456789.0, 1e20, 0.1 + 0.2, 2.944438979166]
        {
            let text = exact(value);
            assert!(significant(&text) >= 12, "{text}");
            assert_eq!(text.parse::<f64>(), Ok(value), "{text}");
        }
    }

    #[test]
    fn the_odd_ones_have_names() {
        assert_eq!(exact(f64::INFINITY), "inf");
        assert_eq!(exact(f64::NEG_INFINITY), "-inf");
        assert_eq!(exact(f64::NAN), "n/a");
        assert_eq!(exact(-0.0), "0.00000000000");
        assert_eq!(exact_or_na(None), "n/a");
        assert_eq!(fixed_or_na(Some(1.25), 1), "1.2");
    }
}
