//! The outcome of a run in one word and one sentence, from its verdicts, or, where a run has none, from its rows.

use super::digest::Digest;
use super::figures::{count, fixed, signed};
use super::study::{Strength, StudyGroup};
use crate::record::{Header, MatchRow, Status};
use crate::stats::Model;

/// Word and sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Headline {
    pub status: Status,
    /// `PASS`, `FAIL`, `INCONCLUSIVE`, `H1 accepted`, …
    pub word: String,
    pub sentence: String,
}

/// What the run says as a whole.
pub fn headline(header: &Header, digest: &Digest) -> Headline {
    match digest.verdicts.as_slice() {
        [] => from_rows(header, digest),
        // What a tournament found is no check.
        [verdict] if !digest.standings.is_empty() => Headline {
            status: verdict.status,
            word: if verdict.status == Status::Info { "Played" } else { "INCONCLUSIVE" }.to_owned(),
            sentence: format!("{}.", verdict.summary),
        },
        [verdict] if verdict.stage == "speed" => {
            let judged = digest.comparisons.iter().map(|found| found.verdict.as_str());
            let word = match judged.into_iter().find(|word| !word.is_empty()) {
                Some("faster") => "Faster",
                Some("slower") => "Slower",
                Some("same") => "Same speed",
                _ => "Unclear",
            };
            let sentence = format!("{}.", verdict.summary);
            Headline { status: verdict.status, word: word.to_owned(), sentence }
        }
        _ => from_verdicts(header, digest),
    }
}

fn from_verdicts(header: &Header, digest: &Digest) -> Headline {
    let having = |status| {
        digest.verdicts.iter().filter(|v| v.status == status).map(|v| v.stage.as_str()).collect::<Vec<_>>()
    };
    let (failed, open) = (having(Status::Fail), having(Status::Inconclusive));
    let checks: u64 = digest.verdicts.iter().map(|v| v.checks).sum();
    let wrong: u64 = digest.verdicts.iter().map(|v| v.failed).sum();
    let passed = having(Status::Pass).len();
    let of = if checks == 1 { "1 check".to_owned() } else { format!("{} checks", count(checks)) };
    if !failed.is_empty() {
        let sentence = format!("{} of {of} failed, in: {}.", count(wrong), failed.join(", "));
        Headline { status: Status::Fail, word: "FAIL".into(), sentence }
    } else if !open.is_empty() || !header.complete {
        let why = if open.is_empty() {
            "the run did not end as planned".into()
        } else {
            format!("no clear answer in: {}", open.join(", "))
        };
        let sentence = format!("Nothing failed in {of}, but {why}.");
        Headline { status: Status::Inconclusive, word: "INCONCLUSIVE".into(), sentence }
    } else if passed > 0 {
        let sentence = match (checks, passed) {
            (1, _) => "The one check passed.".to_owned(),
            (_, 1) => format!("All {of} passed."),
            _ => format!("All {of} in {passed} stages passed."),
        };
        Headline { status: Status::Pass, word: "PASS".into(), sentence }
    } else {
        Headline {
            status: Status::Info,
            word: "Measured".into(),
            sentence: "Figures only; nothing here passes or fails.".into(),
        }
    }
}

/// Half of an interval whose middle is the estimate; of others `±` would tell another one.
fn half_width(elo: f64, low: f64, high: f64) -> Option<String> {
    let half = (high - low) / 2.0;
    ((low + high) / 2.0 - elo).abs().le(&(0.05 * half)).then(|| fixed(half, 0))
}

/// `B is 12 ± 8 Elo stronger than A`; of a sequential test by its median-unbiased estimate, where it has one. An interval
/// that holds 0 shows no difference, and one that is open at an end has no middle.
fn strength(m: &MatchRow) -> String {
    let finite = |value: Option<f64>| value.filter(|v| v.is_finite());
    let of_test = m
        .sprt
        .as_ref()
        .and_then(|s| Some((finite(s.unbiased)?, finite(s.unbiased_low)?, finite(s.unbiased_high)?)));
    let plain = || Some((finite(m.elo)?, finite(m.elo_low)?, finite(m.elo_high)?));
    let (first, second) = (&m.first, &m.second);
    match of_test.or_else(plain) {
        Some((elo, low, high)) if low > 0.0 || high < 0.0 => {
            let (stronger, weaker) = if elo > 0.0 { (first, second) } else { (second, first) };
            let (low, high) = if elo > 0.0 { (low, high) } else { (-high, -low) };
            let elo = elo.abs();
            match half_width(elo, low, high) {
                Some(half) => format!("{stronger} is {} ± {half} Elo stronger than {weaker}", fixed(elo, 0)),
                None => format!(
                    "{stronger} is {} Elo stronger than {weaker} (95 %: {} to {})",
                    fixed(elo, 0),
                    fixed(low, 0),
                    fixed(high, 0)
                ),
            }
        }
        Some((elo, low, high)) => {
            let ends = match half_width(elo, low, high) {
                Some(half) => format!(" ± {half} Elo against {second}"),
                None => format!(" Elo against {second} (95 %: {} to {})", signed(low, 0), signed(high, 0)),
            };
            format!("No difference in strength was shown: {first} is at {}{ends}", signed(elo, 0))
        }
        None => match (finite(m.elo_low), finite(m.elo_high)) {
            (Some(low), _) if low > 0.0 => {
                format!("{first} is at least {} Elo stronger than {second}", fixed(low, 0))
            }
            (_, Some(high)) if high < 0.0 => {
                format!("{second} is at least {} Elo stronger than {first}", fixed(-high, 0))
            }
            _ => format!("{first} against {second}"),
        },
    }
}

fn from_rows(header: &Header, digest: &Digest) -> Headline {
    let say = |status, word: &str, sentence: String| Headline { status, word: word.to_owned(), sentence };
    let groups = digest.perft_groups();
    let checked: usize = groups.iter().map(|g| g.checked).sum();
    let wrong: usize = groups.iter().map(|g| g.wrong.len()).sum();
    let different: usize =
        digest.symmetry_groups().iter().filter(|g| g.mode == "eval").map(|g| g.different.len()).sum();
    let broken = digest.slider_backends().iter().filter(|b| b.2 == "failed").count();
    // The matches of a study are its cells: none of them is the result, but one that is not valid spoils it.
    let mut outcomes = digest.contests.iter().filter_map(|c| c.outcome.as_ref());
    let match_of_two = match digest.studies.is_empty() {
        true => digest.contests.last().and_then(|c| c.outcome.as_ref()),
        false => outcomes.find(|m| m.invalid.is_some()),
    };
    if wrong > 0 {
        return say(
            Status::Fail,
            "FAIL",
            format!("{} of {} perft counts are wrong.", count(wrong as u64), count(checked as u64)),
        );
    }
    if different > 0 {
        return say(
            Status::Fail,
            "FAIL",
            format!("The evaluation differs from its mirror image in {different} positions."),
        );
    }
    if broken > 0 {
        return say(Status::Fail, "FAIL", format!("{broken} slider backends disagree with the oracle."));
    }
    if let Some(why) = match_of_two.and_then(|m| m.invalid.as_ref()) {
        return say(Status::Inconclusive, "NOT VALID", format!("{why}."));
    }
    if let Some((m, sprt)) = match_of_two.and_then(|m| m.sprt.as_ref().map(|s| (m, s))) {
        let pairs = match m.penta.iter().sum() {
            1 => "1 pair".to_owned(),
            pairs => format!("{} pairs", count(pairs)),
        };
        let unit = Model::from_id(&sprt.model).map_or("Elo", Model::unit);
        let bounds = format!("{} to {} {unit}, {}", fixed(sprt.elo0, 1), fixed(sprt.elo1, 1), sprt.model);
        return match sprt.verdict.as_str() {
            "H1" => say(
                Status::Pass,
                "H1 accepted",
                format!("{}; SPRT accepts H1 ({bounds}) after {pairs}.", strength(m)),
            ),
            "H0" => say(
                Status::Fail,
                "H0 accepted",
                format!("{}; SPRT accepts H0 ({bounds}) after {pairs}.", strength(m)),
            ),
            _ => say(
                Status::Inconclusive,
                "Undecided",
                format!("{}; SPRT reached no bound ({bounds}) in {pairs}.", strength(m)),
            ),
        };
    }
    if !header.complete {
        return say(
            Status::Inconclusive,
            "INCOMPLETE",
            "The run did not end as planned; these are the results it had.".into(),
        );
    }
    if checked > 0 {
        return say(Status::Pass, "PASS", format!("All {} perft counts are right.", count(checked as u64)));
    }
    if let Some(m) = match_of_two {
        let sentence = format!(
            "{}: {} wins, {} draws, {} losses.",
            strength(m),
            count(m.wins),
            count(m.draws),
            count(m.losses)
        );
        return say(Status::Info, "Played", sentence);
    }
    let studied: Vec<String> = digest.study_groups().iter().filter_map(studied).collect();
    if !studied.is_empty() {
        return say(Status::Info, "Measured", studied.join(" "));
    }
    say(Status::Info, "Measured", "Figures only; nothing here passes or fails.".into())
}

/// What the cells of a study came to that are matches: the least and the greatest Elo, and what was found over all of them.
fn studied(group: &StudyGroup) -> Option<String> {
    let series = group.strengths();
    let mut cells: Vec<&Strength> =
        series.iter().flat_map(|one| &one.cells).filter(|cell| cell.elo.is_finite()).collect();
    cells.sort_by(|a, b| a.elo.total_cmp(&b.elo));
    let told = |cell: &Strength| format!("{} ({})", signed(cell.elo, 0), cell.label);
    let mut sentence = match cells.as_slice() {
        [] => return None,
        [cell] => format!("Elo of the first over the second: {}", told(cell)),
        [least, .., greatest] => format!(
            "Elo of the first over the second: from {} to {}, in {} cells",
            told(least),
            told(greatest),
            count(cells.len() as u64)
        ),
    };
    let overall = |metric: &str| group.overall.iter().find(|row| row.metric == metric).map(|row| row.value);
    if let (Some(elo), Some(error)) = (overall("elo_per_doubling"), overall("elo_per_doubling_se")) {
        sentence += &format!("; together {} ± {} a doubling", fixed(elo, 0), fixed(1.96 * error, 0));
    }
    Some(sentence + ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Row, SprtOutcome, StudyRow};

    #[test]
    fn a_study_of_matches_says_what_came_out() {
        let row = |cell, level: &str, metric: &str, value| {
            Row::Study(StudyRow {
                study: "s".into(),
                cell,
                levels: vec![("nodes".into(), level.into())],
                metric: metric.into(),
                value,
            })
        };
        let cell = |cell, level, elo: f64| {
            let figures = [("games", 8.0), ("elo", elo), ("elo_low", elo - 9.0), ("elo_high", elo + 9.0)];
            figures.map(|(metric, value)| row(cell, level, metric, value))
        };
        let mut rows: Vec<Row> =
            [cell(0, "50", 90.4), cell(1, "100", -20.2), cell(2, "200", f64::INFINITY)].concat();
        let header = Header { complete: true, ..Header::default() };
        let sentence = |rows: &[Row]| headline(&header, &Digest::of(rows)).sentence;
        let found = "Elo of the first over the second: from −20 (nodes 100) to +90 (nodes 50), in 2 cells";
        assert_eq!(sentence(&rows), format!("{found}."));
        rows.extend([row(3, "all", "elo_per_doubling", 208.0), row(3, "all", "elo_per_doubling_se", 10.0)]);
        assert_eq!(sentence(&rows), format!("{found}; together 208 ± 20 a doubling."));
        assert!(sentence(&rows[..1]).starts_with("Figures only"));
    }

    #[test]
    fn strength_in_words() {
        let row = |elo, low, high| MatchRow {
            first: "B".into(),
            second: "A".into(),
            elo: Some(elo),
            elo_low: Some(low),
            elo_high: Some(high),
            ..MatchRow::default()
        };
        assert_eq!(strength(&row(12.2, 4.1, 20.3)), "B is 12 ± 8 Elo stronger than A");
        assert_eq!(strength(&row(-12.2, -20.3, -4.1)), "A is 12 ± 8 Elo stronger than B");
        assert_eq!(strength(&row(301.3, 129.5, 503.3)), "B is 301 Elo stronger than A (95 %: 130 to 503)");
        assert_eq!(strength(&row(-301.3, -503.3, -129.5)), "A is 301 Elo stronger than B (95 %: 130 to 503)");
        assert!(
            strength(&row(280.0, -57.2, 775.8)).ends_with("is at +280 Elo against A (95 %: −57 to +776)")
        );
        assert_eq!(
            strength(&row(3.0, -5.0, 11.0)),
            "No difference in strength was shown: B is at +3 ± 8 Elo against A"
        );
        let all_won = row(f64::INFINITY, 190.4, f64::INFINITY);
        assert_eq!(strength(&all_won), "B is at least 190 Elo stronger than A");
        let tested = MatchRow {
            sprt: Some(SprtOutcome {
                unbiased: Some(9.0),
                unbiased_low: Some(2.0),
                unbiased_high: Some(16.0),
                ..SprtOutcome::default()
            }),
            ..row(12.2, 4.1, 20.3)
        };
        assert_eq!(strength(&tested), "B is 9 ± 7 Elo stronger than A");
        assert_eq!(
            strength(&MatchRow { first: "B".into(), second: "A".into(), ..MatchRow::default() }),
            "B against A"
        );
    }
}
