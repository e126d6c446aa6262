//! UTC times as text, from the system clock alone. Civil dates by the days-since-1970 arithmetic of the proleptic
//! Gregorian calendar; no time zones, no leap seconds, no locale.

use std::time::{SystemTime, UNIX_EPOCH};

/// Year, month, day, hour, minute, second.
fn civil(seconds: u64) -> (u64, u64, u64, u64, u64, u64) {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Counted from 1 March of year 0, so that the leap day is the last of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day, rest / 3_600, rest % 3_600 / 60, rest % 60)
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// RFC 3339 in UTC to the second: `2026-11-30T00:47:51Z`. Times before 1970 count as 1970.
pub fn rfc3339(time: SystemTime) -> String {
    let (year, month, day, hour, minute, second) = civil(seconds(time));
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The same moment without separators, for folder names: `20261130T004751Z`.
pub fn compact(time: SystemTime) -> String {
    rfc3339(time).replace(['-', ':'], "")
}

/// Seconds since 1970 of a text that [`rfc3339`] wrote; `None` for any other form.
pub fn parse(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let form = |at: usize, mark: u8| bytes.get(at) == Some(&mark);
    if bytes.len() != 20
        || !(form(4, b'-')
            && form(7, b'-')
            && form(10, b'T')
            && form(13, b':')
            && form(16, b':')
            && form(19, b'Z'))
    {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    Some(days * 86_400 + part(11, 13)? * 3_600 + part(14, 16)? * 60 + part(17, 19)?)
}

/// [`rfc3339`] of now.
pub fn now() -> String {
    rfc3339(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_moments() {
        // From `date -u -d @N +%FT%TZ` of GNU coreutils.
        for (unix, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_796_000_000, "2026-11-30T00:53:20Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(UNIX_EPOCH + Duration::from_secs(unix)), text);
            assert_eq!(parse(text), Some(unix));
        }
        for bad in ["", "2026-11-30", "2026-13-30T00:00:00Z", "2026-11-30T00:00:00+", "éééééééééé"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
        assert_eq!(compact(UNIX_EPOCH + Duration::from_secs(951_782_400)), "20000229T000000Z");
    }
}
