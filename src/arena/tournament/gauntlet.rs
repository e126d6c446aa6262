//! The first engine against each other one, in the order they were named; who is first changes with the cycle.

use super::field::{Encounter, Field};

pub(super) fn encounters(field: &Field) -> Vec<Encounter> {
    let others = field.engines.saturating_sub(1) as u32;
    let cycle = |cycle: u32| {
        (1..field.engines).map(move |other| {
            let engines = if cycle.is_multiple_of(2) { [0, other] } else { [other, 0] };
            field.encounter(cycle * others + other as u32, engines)
        })
    };
    (0..field.rounds).flat_map(cycle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_meets_everybody() {
        let all = encounters(&Field { engines: 4, pairs: 3, rounds: 2, seed: 0 });
        let met: Vec<_> = all.iter().map(|encounter| encounter.engines).collect();
        assert_eq!(met, [[0, 1], [0, 2], [0, 3], [1, 0], [2, 0], [3, 0]]);
        assert!(all.iter().map(|encounter| encounter.round).eq(1..=6));
    }
}
