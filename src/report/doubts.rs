//! What the rows of a run themselves give reason to doubt, said before its figures: small samples, time losses, unbalanced
//! openings. What was seen while it ran (overload, limits not kept) is in the header.

use super::contest::Games;
use super::digest::Digest;
use super::figures::{count, fixed, percent};
use crate::record::Header;

/// Pairs and positions below which an interval says more than the figure in it.
const FEW_PAIRS: u64 = 30;
const FEW_POSITIONS: u64 = 20;

/// From this share of games on, repeated ones are worth a word.
const NOTED_REPEATS: f64 = 0.01;

/// Games from which White's share of the points is looked at, and the shares that balanced openings do not come to.
const ENOUGH_GAMES: u64 = 60;
const BALANCED: std::ops::RangeInclusive<f64> = 0.35..=0.7;

/// All that should be known before the figures are looked at: what the header says, then what the rows give reason to doubt.
pub(super) fn warnings(header: &Header, digest: &Digest) -> Vec<String> {
    let known = &header.warnings;
    known.iter().cloned().chain(busy(header, digest)).chain(doubts(known, digest)).collect()
}

/// Speeds that were measured while others had the processors. Matches look after that themselves, and more closely.
fn busy(header: &Header, digest: &Digest) -> Option<String> {
    let (load, cores) = (header.machine.load?, header.machine.cores);
    let has_speeds = !digest.bench.is_empty() || !digest.sliders.is_empty() || !digest.perft.is_empty();
    let is_known = header.warnings.iter().any(|line| line.contains("load"));
    (has_speeds && header.verb != "gate" && !is_known && cores > 0 && load > cores as f64).then(|| {
        let (load, cores) = (fixed(load, 1), if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") });
        format!("the machine was busy when this began (load {load} on {cores}): speeds and ranks by speed tell little")
    })
}

/// Lines for people. `known`: what is said already.
fn doubts(known: &[String], digest: &Digest) -> Vec<String> {
    let mut lines = Vec::new();
    for m in digest.contests.iter().filter_map(|c| c.outcome.as_ref()) {
        let pairs: u64 = m.penta.iter().sum();
        let decided = m.sprt.as_ref().is_some_and(|s| s.verdict != "undecided");
        if digest.studies.is_empty()
            && digest.verdicts.is_empty()
            && m.round.is_none()
            && !decided
            && pairs < FEW_PAIRS
        {
            lines.push(format!(
                "only {} of games: the interval says more than the estimate",
                if pairs == 1 { "1 pair".to_owned() } else { format!("{pairs} pairs") }
            ));
        }
    }
    let few: Vec<String> = digest
        .tactics_groups()
        .iter()
        .filter(|g| (1..FEW_POSITIONS).contains(&g.scored))
        .map(|g| format!("{} ({})", g.suite, g.scored))
        .collect();
    if !few.is_empty() {
        lines.push(format!("few scored positions: {}", few.join(", ")));
    }
    let games = Games::of_all(&digest.contests);
    let lost: u64 = games.endings.iter().filter(|e| e.termination == "time forfeit").map(|e| e.games).sum();
    if lost > 0 && !known.iter().any(|line| line.contains("time")) {
        lines.push(format!("{} of {} games were lost on time", count(lost), count(games.counted)));
    }
    if games.repeats > 0 && games.repeats as f64 >= NOTED_REPEATS * games.counted.max(1) as f64 {
        lines.push(format!(
            "{} of {} games go move for move as an earlier one: they count, but tell nothing new",
            count(games.repeats),
            count(games.counted)
        ));
    }
    let [won, drawn, lost] = games.of_white;
    let played = won + drawn + lost;
    let share = (2 * won + drawn) as f64 / (2 * played.max(1)) as f64;
    if played >= ENOUGH_GAMES && !BALANCED.contains(&share) {
        lines.push(format!(
            "White had {} of the points: the openings are not balanced, and pairs that both colours win alike tell little",
            percent(2 * won + drawn, 2 * played)
        ));
    }
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameRow, MatchRow, Row};
    use crate::report::html::{self, Told};
    use crate::report::{headline, markdown, text};
    use std::path::Path;

    fn rows(results: &[(&str, &str, usize)], pairs: u64) -> Vec<Row> {
        let mut rows = Vec::new();
        for &(result, termination, number) in results {
            let game =
                GameRow { result: result.into(), termination: termination.into(), ..GameRow::default() };
            rows.extend(std::iter::repeat_n(Row::Game(game), number));
        }
        rows.push(Row::Match(MatchRow { penta: [0, 0, pairs, 0, 0], ..MatchRow::default() }));
        rows
    }

    /// Wherever a person reads figures: terminal, page, summary of a job.
    #[test]
    fn doubts_stand_beside_the_figures_everywhere() {
        let rows = rows(&[("1-0", "normal", 2)], 1);
        let header = Header { warnings: vec!["of the header".to_owned()], ..Header::default() };
        let digest = Digest::of(&rows);
        let told = Told {
            path: Path::new("run"),
            header: &header,
            digest,
            games: Vec::new(),
            plan: Vec::new(),
            is_beside: true,
        };
        let page: String = html::parts(&told, &headline(&header, &told.digest), 0, "")
            .into_iter()
            .map(|(_, part)| part.into_string())
            .collect();
        for text in [text::of(&header, &told.digest, None), markdown::document(&header, &told.digest), page] {
            let places = ["of the header", "only 1 pair of games"].map(|line| text.find(line));
            assert!(places[0].is_some() && places[0] < places[1], "{text}");
        }
    }

    #[test]
    fn speeds_of_a_busy_machine_are_doubted() {
        let perft = r#"{"kind":"perft","suite":"s","id":"1","fen":"","depth":1,"counter":"c","nodes":1,"expected":1,"time_us":1}"#;
        let bench = [serde_json::from_str(perft).unwrap()];
        let at = |load| {
            let mut header = Header::default();
            (header.machine.load, header.machine.cores) = (Some(load), 2);
            header
        };
        assert!(warnings(&at(8.1), &Digest::of(&bench))[0].contains("load 8.1 on 2 cores"));
        assert!(warnings(&at(1.9), &Digest::of(&bench)).is_empty());
        assert!(warnings(&at(8.1), &Digest::of(&[])).is_empty());
        let told = Header { warnings: vec!["load 8 before it began".to_owned()], ..at(8.1) };
        assert_eq!(warnings(&told, &Digest::of(&bench)).len(), 1);
    }

    #[test]
    fn small_samples_time_losses_and_openings_are_doubted() {
        let doubtful = rows(&[("1-0", "normal", 50), ("0-1", "time forfeit", 10)], 30);
        let lines = doubts(&[], &Digest::of(&doubtful));
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(
            lines[0].starts_with("10 of 60 games") && lines[1].starts_with("White had 83.3 %"),
            "{lines:?}"
        );
        let known = ["2 time losses".to_owned()];
        assert_eq!(doubts(&known, &Digest::of(&doubtful)).len(), 1);
        assert!(
            doubts(&[], &Digest::of(&rows(&[("1-0", "normal", 29), ("0-1", "normal", 31)], 30))).is_empty()
        );
        assert!(doubts(&[], &Digest::of(&rows(&[("1-0", "normal", 2)], 1)))[0].contains("only 1 pair of"));
    }

    #[test]
    fn games_that_repeat_are_doubted() {
        let mut all = rows(&[("1-0", "normal", 99), ("0-1", "normal", 101)], 100);
        assert_eq!(doubts(&[], &Digest::of(&all)), Vec::<String>::new());
        for row in all.iter_mut().take(3) {
            let Row::Game(game) = row else { panic!() };
            game.plies = vec![crate::record::PlyRow { uci: "e2e4".into(), ..Default::default() }];
        }
        let lines = doubts(&[], &Digest::of(&all));
        assert!(lines[0].starts_with("2 of 200 games go move for move"), "{lines:?}");
    }
}
