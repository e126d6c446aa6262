//! Joint ratings and tie-breaks against the reference, error bars against simulation.

use super::{Differences, Row, Table};
use gauntlet::stats::SplitMix64;
use gauntlet::stats::rating::{
    DrawModel, ErrorKind, Group, Rating, Results, Settings, Standings, TieBreak, groups, rate,
};
use gauntlet::stats::scale::score_of_elo;
use gauntlet::trial::rating::Tournament;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

fn tournament(name: &str) -> Tournament {
    let path = format!("{}/tests/data/stats/pgn/{name}.pgn", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(path).unwrap();
    let mut tournament = Tournament::default();
    tournament
        .read(text.as_slice(), &AtomicBool::new(false), &mut |fault| panic!("{name}: {fault}"))
        .unwrap();
    tournament
}

/// The group and the rating of a player.
fn find(rated: &[Group], player: usize) -> (usize, &Rating) {
    let all =
        rated.iter().enumerate().flat_map(|(at, group)| group.ratings.iter().map(move |rating| (at, rating)));
    all.into_iter().find(|(_, rating)| rating.player == player).unwrap()
}

/// The rating, if the reference has one: all players are linked.
fn linked(rated: &[Group], player: usize) -> Option<&Rating> {
    (rated.len() == 1).then(|| find(rated, player).1)
}

#[test]
fn rating_rows() {
    let mut cache: HashMap<String, Tournament> = HashMap::new();
    Table::open("rating.csv").check(|row, d| {
        let name = row.text("tournament");
        let played = cache.entry(name.to_owned()).or_insert_with(|| tournament(name));
        let results = played.results();
        let player = played.number(row.text("player")).unwrap();
        let score = results.scores()[player];
        assert_eq!(score.games, row.count("games"));
        assert_eq!(score.points(), row.number("points"));
        assert_eq!(groups(results).len() as u64, row.count("strong_components"));
        let plain = rate(results, &Settings::default());
        let rating = linked(&plain, player);
        d.compare("bt", rating.map(|r| r.rating), row.optional("bt_rating"), 1e-6, 0.0);
        d.compare("bt se", rating.and_then(|r| r.information_error), row.optional("bt_se"), 1e-5, 0.0);
        d.compare("ordo", rating.map(|r| r.rating), row.optional("ordo_rating_w0"), 0.002, 0.0);
        let white = rate(results, &Settings { white_advantage: true, ..Settings::default() });
        let rating = linked(&white, player);
        d.compare("btw", rating.map(|r| r.rating), row.optional("btw_rating"), 1e-6, 0.0);
        d.compare("btw se", rating.and_then(|r| r.information_error), row.optional("btw_se"), 1e-5, 0.0);
        d.compare("ordo -W", rating.map(|r| r.rating), row.optional("ordo_rating_wauto"), 0.002, 0.0);
        let advantage = linked(&white, player).and(white[0].white_advantage).map(|fitted| fitted.value);
        d.compare("white", advantage, row.optional("btw_white_adv"), 1e-6, 0.0);
        // Ordo writes two decimals of it.
        d.compare("ordo white", advantage, row.optional("ordo_white_adv"), 0.006, 0.0);
        let prior = rate(results, &Settings { prior_draws: 1.0, ..Settings::default() });
        d.compare("prior", linked(&prior, player).map(|r| r.rating), row.number("prior1_rating"), 1e-6, 0.0);
        let (group, rating) = find(&plain, player);
        d.compare("component", rating.rating, row.number("component_rating"), 1e-6, 0.0);
        d.compare("component se", rating.information_error, row.optional("component_se"), 1e-5, 0.0);
        // The same division, whatever the numbers.
        for other in
            Table::open("rating.csv").rows.iter().map(Row).filter(|other| other.text("tournament") == name)
        {
            let there = find(&plain, played.number(other.text("player")).unwrap()).0;
            assert_eq!(there == group, other.text("component") == row.text("component"), "{name}");
        }
    });
}

/// Games as `A-B:0.5`, by the letters.
fn letters(text: &str) -> (Vec<String>, Results) {
    let (mut names, mut results) = (Vec::new(), Results::default());
    for game in text.split(' ') {
        let (players, points) = game.split_once(':').unwrap();
        let numbers: Vec<usize> = players
            .split('-')
            .map(|name| {
                names.iter().position(|known| known == name).unwrap_or_else(|| {
                    names.push(name.to_owned());
                    results.add_player()
                })
            })
            .collect();
        results.add(numbers[0], numbers[1], (2.0 * points.parse::<f64>().unwrap()) as u32);
    }
    (names, results)
}

#[test]
fn tiebreak_rows() {
    const COLUMNS: [(&str, TieBreak); 9] = [
        ("sos_buchholz", TieBreak::Sos),
        ("buchholz_cut1_low", TieBreak::SosCut1),
        ("buchholz_median", TieBreak::SosMedian),
        ("sodos_sonneborn_berger_games", TieBreak::Sodos),
        ("sb_by_minimatch_outcome", TieBreak::SodosMatch),
        ("h2h_points_vs_tied", TieBreak::Direct),
        ("wins", TieBreak::Wins),
        ("wins_as_black", TieBreak::WinsBlack),
        ("koya", TieBreak::Koya),
    ];
    let games: HashMap<String, String> = Table::open("tiebreak_games.csv")
        .rows
        .iter()
        .map(|row| (row["id"].clone(), row["games_white-black:whitescore"].clone()))
        .collect();
    Table::open("tiebreak.csv").check(|row, d| {
        let (names, results) = letters(&games[row.text("id")]);
        let player = names.iter().position(|name| name == row.text("player")).unwrap();
        let standings = Standings::new(&results, &COLUMNS.map(|(_, kind)| kind));
        assert_eq!(standings.scores[player].games, row.count("games"));
        d.compare("points", standings.scores[player].points(), row.number("points"), 0.0, 0.0);
        for ((column, _), &value) in COLUMNS.iter().zip(&standings.tie_breaks[player]) {
            d.compare(column, value, row.number(column), 0.0, 0.0);
        }
    });
}

#[test]
fn places_are_shared_only_by_equals() {
    let (names, results) = letters("A-B:1 B-C:1 C-A:1 A-D:1 B-D:1 C-D:1");
    let standings = Standings::new(&results, &[TieBreak::Sos, TieBreak::Wins]);
    let place = |name: &str| standings.place[names.iter().position(|known| known == name).unwrap()];
    assert_eq!(["A", "B", "C", "D"].map(place), [1, 1, 1, 4]);
}

fn random_results(players: usize, games: usize, seed: u64) -> Results {
    let (mut rng, mut results) = (SplitMix64::new(seed), Results::new(players));
    for _ in 0..games {
        let (white, black) = (rng.below(players as u64) as usize, rng.below(players as u64) as usize);
        results.add(white, black, rng.category(&[0.3, 0.3, 0.4]) as u32);
    }
    results
}

/// What maximum likelihood means for these models: points, White's points and draws come out as they were.
#[test]
fn the_fit_predicts_what_was_scored() {
    let results = random_results(9, 400, 3);
    for draws in DrawModel::ALL {
        let settings = Settings { white_advantage: true, draws, ..Settings::default() };
        let rated = rate(&results, &settings);
        let [group] = rated.as_slice() else { panic!("{} groups", rated.len()) };
        let advantage = group.white_advantage.unwrap().value;
        let rating: HashMap<usize, f64> = group.ratings.iter().map(|r| (r.player, r.rating)).collect();
        assert!(rating.values().sum::<f64>().abs() < 1e-6);
        let nu = group.equal_draw_rate.map_or(0.0, |rate| 2.0 * rate.value / (1.0 - rate.value));
        assert_eq!(nu > 0.0, draws == DrawModel::Davidson);
        let (mut points, mut of_white, mut drawn) = (vec![0.0; 9], [0.0; 2], [0.0; 2]);
        for (a, b, meeting) in results.meetings() {
            for (white, black, games) in [(a, b, meeting.games(true)), (b, a, meeting.games(false))] {
                let n = games.iter().sum::<u64>() as f64;
                let odds = 10_f64.powf((rating[&white] - rating[&black] + advantage) / 400.0);
                let total = 1.0 + odds + nu * odds.sqrt();
                let draw = nu * odds.sqrt() / total;
                let expected = n * (odds / total + 0.5 * draw);
                points[white] += expected;
                points[black] += n - expected;
                of_white[0] += expected;
                drawn[0] += n * draw;
                drawn[1] += games[1] as f64;
                let of_a = 0.5 * games[1] as f64 + games[2] as f64;
                of_white[1] += if white == a { of_a } else { n - of_a };
            }
        }
        for (player, score) in results.scores().iter().enumerate() {
            assert!((points[player] - score.points()).abs() < 1e-8, "{draws:?}");
        }
        assert!((of_white[0] - of_white[1]).abs() < 1e-8);
        if draws == DrawModel::Davidson {
            assert!((drawn[0] - drawn[1]).abs() < 1e-8);
        }
    }
}

#[test]
fn anchors_are_kept_and_one_only_moves_the_list() {
    let results = random_results(6, 200, 8);
    let rating = |settings: &Settings| -> Vec<f64> {
        let rated = rate(&results, settings);
        (0..6).map(|player| find(&rated, player).1.rating).collect()
    };
    let anchors = |list: &[(usize, f64)]| list.iter().copied().collect::<BTreeMap<_, _>>();
    let plain = rating(&Settings::default());
    let one = Settings { anchors: anchors(&[(2, 2500.0)]), ..Settings::default() };
    for (player, moved) in rating(&one).iter().enumerate() {
        assert!((moved - 2500.0 - (plain[player] - plain[2])).abs() < 1e-6);
    }
    assert_eq!(find(&rate(&results, &one), 2).1.information_error, Some(0.0));
    let two = rating(&Settings { anchors: anchors(&[(2, 2500.0), (4, 2800.0)]), ..Settings::default() });
    assert!((two[2] - 2500.0).abs() < 1e-9 && (two[4] - 2800.0).abs() < 1e-9);
    // The others' points are still the predicted ones.
    let expected: f64 = (0..6)
        .filter(|&other| other != 1)
        .map(|other| {
            let games = results.against(1, other).iter().sum::<u64>() as f64;
            games * score_of_elo(two[1] - two[other])
        })
        .sum();
    assert!((expected - results.scores()[1].points()).abs() < 1e-8);
    let prior = Settings { prior_draws: 1.0, ..Settings::default() };
    let shifted = Settings { anchors: anchors(&[(0, 3000.0)]), ..prior.clone() };
    let (prior, shifted) = (rating(&prior), rating(&shifted));
    assert!(prior.iter().zip(&shifted).all(|(p, s)| (s - p - (3000.0 - prior[0])).abs() < 1e-6));
}

/// White's advantage where White wins every game: no finite value exists; ratings still do.
#[test]
fn an_advantage_that_is_not_defined_is_none() {
    let (_, results) = letters("A-B:1 B-A:1 A-B:1 B-A:1 A-B:1");
    let rated = rate(&results, &Settings { white_advantage: true, ..Settings::default() });
    assert_eq!((rated.len(), rated[0].white_advantage), (1, None));
    assert!(rated[0].ratings.iter().all(|r| r.rating.is_finite()));
    // All draws, all or none: the draw rate is no finite parameter.
    let (_, results) = letters("A-B:0.5 B-C:0.5 C-A:0.5");
    let rated = rate(&results, &Settings { draws: DrawModel::Davidson, ..Settings::default() });
    assert!(rated[0].equal_draw_rate.is_none() && rated[0].ratings.iter().all(|r| r.rating.abs() < 1e-9));
    assert!(rate(&Results::default(), &Settings::default()).is_empty());
}

/// Pairs from unbalanced openings: results of the two games are strongly tied to each other. Intervals from pairs must hold the truth
/// in about 95 % of the cases, and games taken as independent are too wide.
#[test]
fn clustered_intervals_hold_what_they_promise() {
    const RUNS: u64 = 400;
    let truth = [40.0, 0.0, -40.0];
    let (mut held, mut too_wide, mut total) = (0.0, 0.0, 0.0);
    for run in 0..RUNS {
        let mut rng = SplitMix64::new(run);
        let mut results = Results::new(3);
        for _ in 0..100 {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                // White is as good as winning in this opening, or Black is.
                let tilt = if rng.uniform() < 0.5 { 300.0 } else { -300.0 };
                let mut game = |white: usize, black: usize| {
                    let p = score_of_elo(truth[white] - truth[black] + tilt);
                    u32::from(rng.uniform() < p) * 2
                };
                let pair = [game(a, b), game(b, a)];
                results.add_pair(a, b, pair);
            }
        }
        let rated = rate(&results, &Settings::default());
        // A law of tilted openings gives smaller differences of rating than the strengths: compare with what it gives itself.
        for rating in &rated[0].ratings {
            assert_eq!(rating.kind, ErrorKind::Clustered);
            let want = truth[rating.player] * shrunk(40.0);
            total += 1.0;
            held += f64::from(u8::from((rating.rating - want).abs() <= rating.error().unwrap()));
            let wide = 1.96 * rating.information_error.unwrap();
            too_wide += f64::from(u8::from((rating.rating - want).abs() <= wide));
        }
        // Who is stronger is as likely as it is not that the other is.
        let p = rated[0].superiority(0, 2).unwrap() + rated[0].superiority(2, 0).unwrap();
        assert!((p - 1.0).abs() < 1e-12);
    }
    let (held, too_wide) = (held / total, too_wide / total);
    // Three ratings with mean 0 are less than three observations: 2.5 standard errors of 400.
    assert!((0.92..=0.975).contains(&held), "{held}");
    assert!(too_wide > 0.98, "{too_wide}");
}

/// How much of a difference is left in ratings when every opening gives one side 300 Elo.
fn shrunk(difference: f64) -> f64 {
    let score = 0.5 * (score_of_elo(difference + 300.0) + score_of_elo(difference - 300.0));
    gauntlet::stats::scale::elo_of_score(score) / difference
}

/// A long ladder of even opponents, more players than any matrix is held for.
#[test]
fn many_players_are_rated_without_a_matrix() {
    let n = 2500;
    let mut results = Results::new(n);
    for player in 0..n {
        for step in [1, 7, 40] {
            let other = (player + step) % n;
            for points in [0, 1, 2, ((player * 7 + step) % 3) as u32] {
                results.add(player, other, points);
            }
        }
    }
    let rated = rate(&results, &Settings::default());
    assert_eq!((rated.len(), rated[0].ratings.len()), (1, n));
    let rating: HashMap<usize, f64> = rated[0].ratings.iter().map(|r| (r.player, r.rating)).collect();
    let mut d = Differences { place: "ladder".to_owned(), ..Differences::default() };
    for (player, score) in results.scores().iter().enumerate() {
        let mut expected = 0.0;
        for step in [1, 7, 40, n - 1, n - 7, n - 40] {
            expected += 4.0 * score_of_elo(rating[&player] - rating[&((player + step) % n)]);
        }
        d.compare("points", expected, score.points(), 1e-7, 0.0);
    }
    d.finish();
    assert!(rated[0].ratings.iter().all(|r| r.information_error.is_none()));
    assert_eq!(rated[0].superiority(0, 1), None);
}
