//! Who loses an encounter is out. The bracket is seeded by the order in which the engines were named: the first two can meet
//! in the final only, and where there are too few engines for a full bracket, the first ones have no opponent in round 1.
//!
//! A drawn encounter is played on, pair by pair; if that settles nothing either, the engine named earlier goes on.

use super::field::{Bye, Draw, Encounter, Field, Met};

/// Pairs by which a drawn encounter is played on before the order of the engines decides.
pub const MOST_PLAYOFFS: u32 = 4;

/// The bracket after some encounters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Bracket {
    /// What is played next.
    pub draw: Draw,
    /// By engine: the round in which it lost; none if it has not yet.
    pub lost: Vec<Option<u32>>,
    /// Encounters that no game decided: round, who went on, who did not.
    pub by_order: Vec<(u32, [usize; 2])>,
}

/// How two engines stand in a round.
enum Meeting {
    ToPlay(Encounter),
    Decided { winner: usize, loser: usize, by_order: bool },
}

impl Bracket {
    pub(super) fn new(field: &Field, met: &[Met]) -> Bracket {
        let mut bracket = Bracket { lost: vec![None; field.engines], ..Bracket::default() };
        let mut left: Vec<Option<usize>> = order(field.engines)
            .into_iter()
            .map(|seed| Some(seed).filter(|seed| *seed < field.engines))
            .collect();
        let mut round = 1;
        while left.len() > 1 && bracket.draw.encounters.is_empty() {
            left = left.chunks(2).map(|pair| bracket.meet(field, met, round, pair)).collect();
            round += 1;
        }
        // They belong to the first draw.
        if !met.is_empty() {
            bracket.draw.byes.clear();
        }
        bracket
    }

    /// Who of two neighbours goes on, as far as that is known.
    fn meet(&mut self, field: &Field, met: &[Met], round: u32, pair: &[Option<usize>]) -> Option<usize> {
        let (one, two) = match *pair {
            [Some(one), Some(two)] => (one.min(two), one.max(two)),
            [Some(engine), None] | [None, Some(engine)] => {
                self.draw.byes.push(Bye { round, engine });
                return Some(engine);
            }
            _ => return None,
        };
        match meeting(field, met, round, one, two) {
            Meeting::ToPlay(encounter) => {
                self.draw.encounters.push(encounter);
                None
            }
            Meeting::Decided { winner, loser, by_order } => {
                self.lost[loser] = Some(round);
                if by_order {
                    self.by_order.push((round, [winner, loser]));
                }
                Some(winner)
            }
        }
    }
}

fn meeting(field: &Field, met: &[Met], round: u32, one: usize, two: usize) -> Meeting {
    let (mut played, mut lead) = (0, 0i64);
    for Met { encounter, half_points: [first, second] } in met {
        // Two meet in one round only.
        if encounter.engines.contains(&one) && encounter.engines.contains(&two) {
            played += 1;
            let ahead = *first as i64 - *second as i64;
            lead += if encounter.engines[0] == one { ahead } else { -ahead };
        }
    }
    let by_order = lead == 0;
    match played {
        0 => Meeting::ToPlay(field.encounter(round, [one, two])),
        played if by_order && played <= MOST_PLAYOFFS => {
            // The first game of a play-off is White's in turn.
            let engines = if played % 2 == 1 { [two, one] } else { [one, two] };
            Meeting::ToPlay(Encounter { playoff: played, engines, pairs: 1, round })
        }
        _ if lead >= 0 => Meeting::Decided { winner: one, loser: two, by_order },
        _ => Meeting::Decided { winner: two, loser: one, by_order },
    }
}

/// The places of a bracket from top to bottom: each round the best left meets the worst left if nobody surprises.
fn order(engines: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < engines {
        let size = 2 * places.len();
        places = places.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE: Field = Field { engines: 5, pairs: 2, rounds: 1, seed: 0 };

    fn drawn(field: &Field, met: &[Met]) -> Vec<(u32, [usize; 2], u64)> {
        let draw = Bracket::new(field, met).draw;
        draw.encounters.iter().map(|e| (e.round, e.engines, e.pairs)).collect()
    }

    /// Plays what is drawn; `score` gives the half points of the first named of two engines.
    fn play(field: &Field, met: &mut Vec<Met>, score: impl Fn(usize, usize) -> [u64; 2]) {
        for encounter in Bracket::new(field, met).draw.encounters {
            let [one, two] = encounter.engines;
            met.push(Met { encounter, half_points: score(one, two) });
        }
    }

    #[test]
    fn five_engines_have_three_byes_and_the_first_two_meet_in_the_final() {
        let mut met = Vec::new();
        let bracket = Bracket::new(&FIVE, &met);
        let byes: Vec<usize> = bracket.draw.byes.iter().map(|bye| bye.engine).collect();
        assert_eq!(byes, [0, 1, 2]);
        assert_eq!(drawn(&FIVE, &met), [(1, [3, 4], 2)]);
        let better_wins = |one: usize, two: usize| if one < two { [6, 2] } else { [2, 6] };
        play(&FIVE, &mut met, better_wins);
        assert_eq!(drawn(&FIVE, &met), [(2, [0, 3], 2), (2, [1, 2], 2)]);
        assert_eq!(Bracket::new(&FIVE, &met).draw.byes, []);
        play(&FIVE, &mut met, better_wins);
        assert_eq!(drawn(&FIVE, &met), [(3, [0, 1], 2)]);
        play(&FIVE, &mut met, better_wins);
        let end = Bracket::new(&FIVE, &met);
        assert_eq!(end.draw, Draw::default());
        assert_eq!(end.lost, [None, Some(3), Some(2), Some(2), Some(1)]);
        assert_eq!(end.by_order, []);
    }

    #[test]
    fn a_drawn_encounter_is_played_on_and_then_goes_to_who_was_named_first() {
        let two = Field { engines: 2, pairs: 3, rounds: 1, seed: 0 };
        let level = |_, _| [2, 2];
        let mut met = Vec::new();
        play(&two, &mut met, level);
        for playoff in 1..=MOST_PLAYOFFS {
            let engines = if playoff % 2 == 1 { [1, 0] } else { [0, 1] };
            let expected = Encounter { round: 1, playoff, engines, pairs: 1 };
            assert_eq!(Bracket::new(&two, &met).draw.encounters, [expected]);
            // Whoever wins it goes on, whatever colour it began with.
            let mut settled = met.clone();
            play(&two, &mut settled, |one, _| if one == 1 { [3, 1] } else { [1, 3] });
            assert_eq!(Bracket::new(&two, &settled).lost, [Some(1), None]);
            play(&two, &mut met, level);
        }
        let end = Bracket::new(&two, &met);
        assert_eq!((end.lost, end.by_order), (vec![None, Some(1)], vec![(1, [0, 1])]));
        assert_eq!(end.draw, Draw::default());
    }

    #[test]
    fn any_number_of_engines_comes_down_to_one() {
        for engines in 2..=33 {
            let field = Field { engines, pairs: 1, rounds: 1, seed: 0 };
            let mut met = Vec::new();
            while !Bracket::new(&field, &met).draw.encounters.is_empty() {
                play(&field, &mut met, |one, two| if (one * 7 + two * 3) % 2 == 0 { [4, 0] } else { [0, 4] });
            }
            // Everybody but the winner has lost once, and lost once only.
            assert_eq!(met.len(), engines - 1);
            let lost = Bracket::new(&field, &met).lost;
            assert_eq!(lost.iter().filter(|round| round.is_none()).count(), 1, "{engines}: {lost:?}");
        }
    }
}
