//! Everybody meets everybody, by the circle method: one engine stays, the others go round it one seat a round. With an odd
//! number of engines the one that stays is nobody, and who would meet it rests.

use super::field::{Encounter, Field};

pub(super) fn encounters(field: &Field) -> Vec<Encounter> {
    // Nobody among them if the number is odd.
    let seats = field.engines + field.engines % 2;
    let turns = seats.saturating_sub(1);
    let mut all = Vec::new();
    for cycle in 0..field.rounds as usize {
        for turn in 0..turns {
            let round = (cycle * turns + turn + 1) as u32;
            let met = (0..seats / 2).map(|table| at(table, turn, seats));
            for [one, two] in met.filter(|met| met.iter().all(|engine| *engine < field.engines)) {
                // Whoever was first is second the next time.
                let engines = if cycle.is_multiple_of(2) { [one, two] } else { [two, one] };
                all.push(field.encounter(round, engines));
            }
        }
    }
    all
}

/// Who sits at a table. Who is first changes from table to table, and at the first one from turn to turn: everybody is first
/// as often as second, or once more or less.
fn at(table: usize, turn: usize, seats: usize) -> [usize; 2] {
    let circle = seats - 1;
    let [one, two] = match table {
        0 => [turn, circle],
        _ => [(turn + table) % circle, (turn + circle - table) % circle],
    };
    let swapped = if table == 0 { !turn.is_multiple_of(2) } else { table.is_multiple_of(2) };
    if swapped { [two, one] } else { [one, two] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn everybody_meets_everybody_once_a_cycle_and_is_first_every_other_time() {
        for engines in 2..=17 {
            for rounds in 1..=3 {
                let all = encounters(&Field { engines, pairs: 1, rounds, seed: 0 });
                let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
                let mut first = vec![0i64; engines];
                for encounter in &all {
                    let [one, two] = encounter.engines;
                    *met.entry([one.min(two), one.max(two)]).or_default() += 1;
                    first[one] += 1;
                    first[two] -= 1;
                }
                assert_eq!(met.len(), engines * (engines - 1) / 2, "{engines}");
                assert!(met.values().all(|times| *times == rounds), "{engines}: {met:?}");
                assert!(first.iter().all(|balance| balance.abs() <= 1), "{engines} {rounds}: {first:?}");
                // Nobody plays twice in a round.
                let last = all.last().map_or(0, |encounter| encounter.round);
                assert_eq!(last, rounds * (engines + engines % 2 - 1) as u32);
                for round in 1..=last {
                    let of_round = all.iter().filter(|encounter| encounter.round == round);
                    let mut busy: Vec<usize> = of_round.flat_map(|encounter| encounter.engines).collect();
                    assert_eq!(busy.len(), engines - engines % 2);
                    busy.sort_unstable();
                    busy.dedup();
                    assert_eq!(busy.len(), engines - engines % 2, "{engines}: round {round}");
                }
            }
        }
    }
}
