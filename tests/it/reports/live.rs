//! The page of games that are being played, drawn from rows as they come.

use super::fixture::{HOSTILE, header};
use gauntlet::record::*;
use gauntlet::report::live::{Drawn, Playing, page};

fn playing(planned: Option<u64>, test: Option<SprtOutcome>) -> Playing {
    let header = Header { finished: None, complete: false, summary: None, ..header("match") };
    Playing::new(header, "runs/a-match".into(), planned, test)
}

fn game(pair: u64, game: u32, players: [&str; 2], result: &str, round: Option<u32>) -> Row {
    let [white, black] = players.map(str::to_owned);
    let reason = "white mates".to_owned();
    let (result, termination) = (result.to_owned(), "normal".to_owned());
    Row::Game(GameRow { round, pair, game, white, black, result, reason, termination, ..GameRow::default() })
}

/// A pair that the first of two wins and draws.
fn pair(
    playing: &mut Playing,
    number: u64,
    [first, second]: [&str; 2],
    round: Option<u32>,
    llr: Option<f64>,
) {
    playing.add(&game(number, 0, [first, second], "1-0", round));
    playing.add(&game(number, 1, [second, first], "1/2-1/2", round));
    playing.add(&Row::Pair(PairRow {
        pair: number,
        half_points: 3,
        wins: number + 1,
        draws: number + 1,
        losses: 0,
        penta: [0, 0, 0, number + 1, 0],
        llr,
    }));
}

fn part<'a>(drawn: &'a Drawn, name: &str) -> &'a str {
    let found = drawn.parts.iter().find(|(known, _)| *known == name);
    found.map(|(_, html)| html.as_str()).unwrap_or_else(|| panic!("no part {name}"))
}

#[test]
fn a_test_shows_where_it_stands_between_its_bounds() {
    let test = SprtOutcome {
        lower: -2.94,
        upper: 2.94,
        elo1: 5.0,
        model: "normalized".into(),
        ..SprtOutcome::default()
    };
    let mut playing = playing(None, Some(test));
    let before = playing.draw();
    assert!(part(&before, "verdict").contains("0 pairs of games so far."));
    assert!(before.parts.iter().all(|(name, _)| *name != "match"));
    (0..3).for_each(|number| pair(&mut playing, number, ["A", "B"], None, Some(0.5 + number as f64)));
    let drawn = playing.draw();
    assert_eq!(drawn.title, "3 pairs · LLR +2.50 · Gauntlet match");
    let verdict = part(&drawn, "verdict");
    assert!(verdict.contains("Playing") && verdict.contains("4.5 of 6 points"), "{verdict}");
    assert!(verdict.contains("LLR +2.50 between −2.94 and +2.94"), "{verdict}");
    let section = part(&drawn, "match");
    for word in ["LLR path", "H1 +2.94", "H0 −2.94", "Results of the pairs", "so far"] {
        assert!(section.contains(word), "{word}: {section}");
    }
    assert_eq!(drawn.state["matches"][0]["sprt"]["llr"], 2.5);
    assert_eq!(drawn.state["pairs"], 3);
    assert_eq!(part(&drawn, "latest").matches("<tr>").count(), 7);
}

#[test]
fn a_tournament_shows_standings_and_cross_table() {
    let mut playing = playing(Some(6), None);
    for (number, players) in [["A", "B"], ["C", "A"]].into_iter().enumerate() {
        pair(&mut playing, 0, players, Some(1), None);
        if number == 0 {
            let [first, second] = players.map(str::to_owned);
            let (name, round) = ("round 1".to_owned(), Some(1));
            playing.add(&Row::Match(MatchRow {
                name,
                round,
                first,
                second,
                wins: 1,
                draws: 1,
                ..MatchRow::default()
            }));
        }
    }
    let drawn = playing.draw();
    let section = part(&drawn, "tournament");
    assert!(section.contains("Cross table"), "{section}");
    // C has three half points of two games, A three and one of four.
    assert!(part(&drawn, "verdict").contains("2 of 6 pairs of games: C leads with 1.5 points of 2 games."));
    assert_eq!(drawn.state["standings"].as_array().unwrap().len(), 3);
}

#[test]
fn nothing_that_an_engine_is_called_becomes_part_of_the_page() {
    let mut playing = playing(Some(2), None);
    pair(&mut playing, 0, [HOSTILE, "B"], None, None);
    let html = page(&playing.draw(), "mark\"><script>");
    assert_eq!(html.matches("<script").count(), 1);
    assert!(!html.contains("<b>x</b>"));
    super::well_formed::check(&html).unwrap();
}

/// Once there is an end it is the report; what the ledger set aside was never shown.
#[test]
fn at_the_end_it_is_the_report() {
    let mut playing = playing(Some(1), None);
    pair(&mut playing, 0, ["A", "B"], None, None);
    let Row::Game(late) = game(1, 0, ["A", "B"], "1-0", None) else { return };
    playing.add(&Row::Game(GameRow { set_aside: true, ..late }));
    assert!(!part(&playing.draw(), "latest").contains("1.1"));
    let (first, second) = ("A".to_owned(), "B".to_owned());
    playing.add(&Row::Match(MatchRow {
        first,
        second,
        wins: 1,
        draws: 1,
        penta: [0, 0, 0, 1, 0],
        ..MatchRow::default()
    }));
    playing.header = header("match");
    let drawn = playing.draw();
    assert_eq!(drawn.title, "match: Played · Gauntlet");
    assert!(part(&drawn, "verdict").contains("A against B: 1 wins, 1 draws, 0 losses."));
    assert!(drawn.parts.iter().all(|(name, _)| *name != "latest"));
    assert_eq!(drawn.state["state"], "over");
}
