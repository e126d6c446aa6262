//! Adjudication on scores alone: whose scores count, mate signs, runs that break, move numbers.

use gauntlet::arena::adjudicate::{Adjudged, Adjudication, Adjudicator, DrawRule, ResignRule};
use gauntlet::types::Color::{Black, White};
use gauntlet::types::Score::{self, Cp, Mate};

/// Feeds scores of White and Black in turn from move `first` on; the ply (from 1) and what was decided.
fn feed(rules: Adjudication, first: u32, scores: &[Option<Score>]) -> Option<(usize, Adjudged)> {
    let mut adjudicator = Adjudicator::new(rules);
    scores.iter().enumerate().find_map(|(ply, &score)| {
        let mover = if ply % 2 == 0 { White } else { Black };
        let complete = first - 1 + (ply as u32).div_ceil(2);
        adjudicator.note(mover, score, complete).map(|end| (ply + 1, end))
    })
}

fn resign(movecount: u32, score: i32, twosided: bool) -> Adjudication {
    Adjudication { resign: Some(ResignRule { movecount, score, twosided }), ..Adjudication::default() }
}

fn draw(movenumber: u32, movecount: u32, score: i32) -> Adjudication {
    Adjudication { draw: Some(DrawRule { movenumber, movecount, score }), ..Adjudication::default() }
}

#[test]
fn br_094_a_mate_found_never_counts_against_its_finder() {
    let scores = [Mate(9), Cp(-900), Mate(8), Cp(-900), Mate(7), Cp(-900)].map(Some);
    for twosided in [false, true] {
        let end = feed(resign(3, 400, twosided), 1, &scores);
        assert_eq!(end, Some((6, Adjudged::Resigned { loser: Black })));
    }
    // And being mated counts against the one who is: `mate -3`, and `mate 0`.
    let scores = [Mate(-3), Cp(10), Mate(-2), Cp(10), Mate(0)].map(Some);
    assert_eq!(feed(resign(3, 400, false), 1, &scores), Some((5, Adjudged::Resigned { loser: White })));
}

#[test]
fn resignation_needs_the_losers_own_scores_in_a_row() {
    let optimist = [Cp(900), Cp(0)].map(Some).repeat(20);
    assert_eq!(feed(resign(3, 400, false), 1, &optimist), None, "a winner's scores alone decide nothing");
    let broken = [-500, 0, -500, 0, -399, 0, -500, 0, -500].map(|cp| Some(Cp(cp)));
    assert_eq!(feed(resign(3, 400, false), 1, &broken), None);
    let silent = [Some(Cp(-500)), None, Some(Cp(-500)), None, None, None, Some(Cp(-500))];
    assert_eq!(feed(resign(3, 400, false), 1, &silent), None, "no score, no run");
    let alone = [-400, 399].map(|cp| Some(Cp(cp))).repeat(10);
    assert_eq!(feed(resign(3, 400, false), 1, &alone), Some((5, Adjudged::Resigned { loser: White })));
    assert_eq!(feed(resign(3, 400, true), 1, &alone), None, "two-sided: the other must agree");
    let both = [-400, 400].map(|cp| Some(Cp(cp))).repeat(10);
    assert_eq!(feed(resign(3, 400, true), 1, &both), Some((6, Adjudged::Resigned { loser: White })));
}

#[test]
fn draws_need_both_sides_and_the_games_own_move_number() {
    let quiet = [5, -5].map(|cp| Some(Cp(cp))).repeat(40);
    assert_eq!(feed(draw(1, 8, 10), 1, &quiet), Some((16, Adjudged::Drawn)));
    assert_eq!(feed(draw(34, 8, 10), 1, &quiet), Some((68, Adjudged::Drawn)), "after 34 full moves");
    assert_eq!(
        feed(draw(34, 8, 10), 30, &quiet),
        Some((16, Adjudged::Drawn)),
        "a FEN that starts at move 30"
    );
    assert_eq!(
        feed(draw(34, 8, 10), 20, &quiet),
        Some((30, Adjudged::Drawn)),
        "a FEN that starts at move 20"
    );
    let one_sided = [5, -11].map(|cp| Some(Cp(cp))).repeat(40);
    assert_eq!(feed(draw(1, 8, 10), 1, &one_sided), None);
    let mut broken = quiet.clone();
    broken[15] = Some(Mate(-30));
    assert_eq!(feed(draw(1, 8, 10), 1, &broken), Some((32, Adjudged::Drawn)));
    assert_eq!(feed(draw(1, 8, 10), 1, &[None; 80]), None);
}

#[test]
fn the_longest_length_counts_full_moves_of_the_games_own_numbering() {
    let rules = Adjudication { maxmoves: Some(50), ..Adjudication::default() };
    assert_eq!(feed(rules, 1, &[None; 200]), Some((100, Adjudged::TooLong)));
    assert_eq!(feed(rules, 41, &[None; 200]), Some((20, Adjudged::TooLong)));
    assert_eq!(feed(Adjudication::default(), 1, &[Some(Cp(0)); 600]), None);
}
