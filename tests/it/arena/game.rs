//! Single games of scripted players: how each of them ends, in which words, and who gets the point.

use super::players::{Act, STARTPOS, Scene};
use gauntlet::arena::adjudicate::{Adjudication, DrawRule, ResignRule};
use gauntlet::arena::player::Fault;
use gauntlet::arena::tally::Conduct;
use gauntlet::subject::{PlayerLimit, TimeControl};
use gauntlet::types::Score::{Cp, Mate};
use std::time::Duration;

fn ends(scene: Scene, result: &str, reason: &str, termination: &str, plies: usize) {
    let expected = (result.to_owned(), reason.to_owned(), termination.to_owned(), plies);
    assert_eq!(scene.end(), expected);
}

fn with_clock(base_ms: u64, increment_ms: u64, margin_ms: u64) -> PlayerLimit {
    PlayerLimit {
        tc: Some(TimeControl {
            moves: None,
            base: Duration::from_millis(base_ms),
            increment: Duration::from_millis(increment_ms),
            ..TimeControl::default()
        }),
        margin: Duration::from_millis(margin_ms),
        ..PlayerLimit::default()
    }
}

#[test]
fn br_060_mate_on_the_hundredth_ply_is_mate() {
    let scene = Scene::moves("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113", "g3h3");
    ends(scene, "1-0", "white mates", "normal", 1);
    let scene = Scene::moves("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113", "g3g8");
    ends(scene, "1/2-1/2", "draw by fifty moves rule", "normal", 1);
}

#[test]
fn br_062_dead_positions_are_drawn_at_once_and_others_are_played() {
    for fen in [
        "5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39",
        "8/6k1/8/8/4B3/3B4/8/1K6 w - - 0 1",
        "B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1",
        "8/8/8/4k3/8/3K4/8/3N4 w - - 0 1",
    ] {
        ends(Scene::moves(fen, ""), "1/2-1/2", "draw by insufficient mating material", "normal", 0);
    }
    for fen in [
        "8/8/8/4k3/5b2/3K4/8/3B4 w - - 0 33",
        "8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50",
        "1n6/8/8/2k1K3/8/8/8/5B2 w - - 0 50",
        "8/8/8/4k3/8/3K4/8/3N1N2 w - - 0 1",
    ] {
        let scene = Scene { fen, white: vec![Act::Nothing], ..Scene::default() };
        ends(scene, "0-1", "white gives no move", "rules infraction", 0);
    }
}

#[test]
fn br_063_a_flag_against_a_bare_king_is_a_draw() {
    let oversteps = |fen| Scene {
        fen,
        black: vec![Act::After(101, "d6c6")],
        limit: with_clock(100, 0, 0),
        ..Scene::default()
    };
    ends(
        oversteps("8/8/3rk3/8/8/2K5/8/8 b - - 0 1"),
        "1/2-1/2",
        "draw: timeout v. bare king",
        "time forfeit",
        0,
    );
    ends(oversteps("8/8/8/4k3/4p3/4N3/4K3/8 b - - 0 1"), "1-0", "black loses on time", "time forfeit", 0);
}

#[test]
fn br_064_067_068_threefold_on_the_right_ply() {
    let games = [
        (
            "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
            "h7h5 e6h6 g7h7 h6e6 h7g7 e6h6 g7h7 h6e6 h7g7",
            9,
        ),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e1d2 e8d7 d2e1 d7e8 e1f2 e8f7 f2e1 f7e8", 8),
        (STARTPOS, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", 8),
        ("5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4", "d7c8 f8f7 c8d7 f7f8 d7d8 f8f7 d8d7 f7f8", 8),
    ];
    for (fen, moves, plies) in games {
        ends(Scene::moves(fen, moves), "1/2-1/2", "draw by threefold repetition", "normal", plies);
    }
}

#[test]
fn br_075_nothing_usable_loses_with_a_named_reason() {
    let answers = [
        (Act::Nothing, "white gives no move"),
        (Act::Move("a1a1"), "white makes an illegal move: a1a1"),
        (Act::Move("e2e4e5"), "white makes an illegal move: e2e4e5"),
        (Act::Move("e2"), "white makes an illegal move: e2"),
        (Act::Move("e2e5"), "white makes an illegal move: e2e5"),
    ];
    for (answer, reason) in answers {
        let scene = Scene { fen: STARTPOS, white: vec![answer], ..Scene::default() };
        let (finished, _) = scene.play();
        assert_eq!(finished.faults, [None, None], "the engine itself is well");
        let row = finished.played.row;
        assert_eq!((row.result.as_str(), row.reason.as_str()), ("0-1", reason));
        assert_eq!(row.termination, "rules infraction");
    }
}

#[test]
fn br_084_a_death_is_a_loss_by_disconnect_at_once() {
    let scene = Scene {
        fen: STARTPOS,
        white: vec![Act::Move("e2e4")],
        black: vec![Act::Die],
        limit: PlayerLimit { nodes: Some(5000), ..PlayerLimit::default() },
        ..Scene::default()
    };
    let (finished, _) = scene.play();
    assert_eq!(finished.faults, [None, Some(Fault::Died("exit status 1".to_owned()))]);
    let row = finished.played.row;
    assert_eq!((row.result.as_str(), row.reason.as_str()), ("1-0", "black disconnects: exit status 1"));
    assert_eq!((row.termination.as_str(), row.duration_us), ("abandoned", 0));
}

#[test]
fn a_hang_costs_the_margin_and_a_second() {
    let hang = |limit| Scene { fen: STARTPOS, white: vec![Act::Hang], limit, ..Scene::default() };
    let (finished, _) = hang(with_clock(1000, 10, 100)).play();
    assert_eq!(finished.faults, [Some(Fault::Hung("no bestmove".to_owned())), None]);
    assert_eq!(finished.played.row.reason, "white loses on time");
    assert_eq!(finished.played.row.duration_us, 2_100_000);
    let nodes = PlayerLimit { nodes: Some(5000), ..PlayerLimit::default() };
    ends(hang(nodes), "0-1", "white hangs: no answer in time", "abandoned", 0);
}

#[test]
fn br_091_the_clock_in_a_game() {
    let scene = Scene {
        fen: STARTPOS,
        white: vec![Act::After(9_800, "e2e4"), Act::After(450, "d2d4"), Act::After(301, "g1f3")],
        black: vec![Act::After(1_000, "e7e5"), Act::After(1_000, "d7d5")],
        limit: with_clock(10_000, 100, 200),
        ..Scene::default()
    };
    let (finished, [white, black]) = scene.play();
    let shown = |limit: &gauntlet::types::Limit| limit.clock.unwrap().remaining.map(|time| time.as_millis());
    assert_eq!(white.iter().map(shown).collect::<Vec<_>>(), [[10_000, 10_000], [300, 9_100], [100, 8_200]]);
    assert_eq!(black.iter().map(shown).collect::<Vec<_>>(), [[300, 10_000], [100, 9_100]]);
    let row = finished.played.row;
    assert_eq!((row.reason.as_str(), row.plies.len()), ("white loses on time", 4));
    assert_eq!(row.plies[2].clock_us, Some(100_000));
    assert_eq!(row.plies[2].time_us, Some(450_000));
}

/// The flag is looked at before the move: a late move is no mate and no crime.
#[test]
fn a_late_move_is_late_whatever_it_is() {
    for late in ["g3h3", "a1a1"] {
        let scene = Scene {
            fen: "8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 9 113",
            white: vec![Act::After(101, late)],
            limit: with_clock(100, 1_000, 0),
            ..Scene::default()
        };
        ends(scene, "0-1", "white loses on time", "time forfeit", 0);
    }
}

#[test]
fn br_096_the_rules_of_chess_come_first() {
    let full = Adjudication {
        resign: Some(ResignRule { movecount: 1, score: 400, twosided: false }),
        draw: Some(DrawRule { movenumber: 1, movecount: 1, score: 1_000_000 }),
        maxmoves: Some(1),
    };
    let mate = Scene {
        fen: "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
        white: vec![Act::Scored("g6g7", Mate(-1))],
        adjudication: full,
        ..Scene::default()
    };
    ends(mate, "1-0", "white mates", "normal", 1);
    // The same counters, no mate: adjudicated.
    let no_mate = Scene {
        fen: "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
        white: vec![Act::Scored("g6g5", Mate(-1))],
        adjudication: full,
        ..Scene::default()
    };
    ends(no_mate, "0-1", "black wins by adjudication", "adjudication", 1);

    let moves = ["g1f3", "f3g1", "g1f3", "f3g1"].map(|uci| Act::Scored(uci, Cp(0))).to_vec();
    let replies = ["g8f6", "f6g8", "g8f6", "f6g8"].map(|uci| Act::Scored(uci, Cp(0))).to_vec();
    for (movecount, reason, termination) in
        [(4, "draw by threefold repetition", "normal"), (3, "draw by adjudication", "adjudication")]
    {
        let draw = Some(DrawRule { movenumber: 1, movecount, score: 10 });
        let scene = Scene {
            fen: STARTPOS,
            white: moves.clone(),
            black: replies.clone(),
            adjudication: Adjudication { draw, ..Adjudication::default() },
            ..Scene::default()
        };
        ends(scene, "1/2-1/2", reason, termination, 2 * movecount as usize);
    }
}

#[test]
fn a_row_tells_each_ply_as_its_mover_saw_it() {
    let scene = Scene {
        fen: "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
        white: vec![Act::Scored("f6f7", Mate(2)), Act::Scored("g5h5", Cp(31))],
        black: vec![Act::Scored("h8h7", Mate(-1))],
        ..Scene::default()
    };
    let row = scene.play().0.played.row;
    let told: Vec<_> = row.plies.iter().map(|ply| (ply.uci.as_str(), ply.score.as_deref())).collect();
    assert_eq!(told, [("f6f7", Some("M2")), ("h8h7", Some("-M1")), ("g5h5", Some("31"))]);
    assert_eq!((row.white.as_str(), row.black.as_str(), row.result.as_str()), ("W", "B", "1-0"));
    assert_eq!(row.start_fen, "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
}

#[test]
fn searches_that_do_not_keep_to_their_limit_are_counted() {
    let scene = Scene {
        fen: STARTPOS,
        white: vec![Act::Move("e2e4"), Act::Disobeying("d2d4"), Act::Move("g1f3")],
        black: vec![Act::Disobeying("e7e5"), Act::Disobeying("d7d5"), Act::Nothing],
        limit: PlayerLimit { nodes: Some(1_000), ..PlayerLimit::default() },
        ..Scene::default()
    };
    let played = scene.play().0.played;
    assert_eq!((played.searches, played.disobeyed), ([3, 3], [1, 2]));
}

/// A match that is gone on with counts faults out of its record, one that was left alone as they happen: the same figures.
#[test]
fn conduct_reads_back_from_the_record() {
    let black_to_move = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    let last = [Act::Nothing, Act::Die, Act::Hang, Act::Move("a1a1"), Act::After(5_000, "g1f3")];
    let limits = [with_clock(1_000, 0, 0), PlayerLimit { nodes: Some(9), ..PlayerLimit::default() }];
    for (act, limit) in last.into_iter().flat_map(|act| limits.iter().map(move |limit| (act, limit.clone())))
    {
        let scenes = [
            Scene {
                fen: STARTPOS,
                white: vec![Act::Disobeying("e2e4"), act],
                black: vec![Act::Move("e7e5")],
                ..Scene::default()
            },
            Scene { fen: STARTPOS, white: vec![Act::Move("e2e4")], black: vec![act], ..Scene::default() },
            Scene {
                fen: black_to_move,
                white: vec![act],
                black: vec![Act::Disobeying("e7e5")],
                ..Scene::default()
            },
        ];
        for scene in scenes {
            let mut scene = Scene { limit: limit.clone(), ..scene };
            // Where no clock runs, a late answer is an answer: the game then ends without a word.
            [&mut scene.white, &mut scene.black].into_iter().for_each(|acts| acts.push(Act::Nothing));
            let played = scene.play().0.played;
            let mut booked = [Conduct::default(); 2];
            played.book(&mut booked);
            assert_eq!(Conduct::of(&played.row), booked, "{act:?} {}", played.row.reason);
        }
    }
}
