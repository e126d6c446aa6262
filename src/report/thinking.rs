//! How long the engines of a run took for their moves, and how much later their answers came than they said, as histograms:
//! sums while the rows come by.

use crate::record::GameRow;

/// Upper ends of the classes, µs: 1, 2 and 5 times a power of ten; what is more falls into one class above.
pub const ENDS: [u64; 22] = [
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
];

/// Engines beyond this number are left out.
const MOST_ENGINES: usize = 24;

pub type Histogram = [u64; ENDS.len() + 1];

/// One engine's moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Thinking {
    pub engine: String,
    /// Moves by the time they took.
    pub time: Histogram,
    /// Moves by the time measured less the time reported; negative ones are in the first class.
    pub latency: Histogram,
}

fn class(us: u64) -> usize {
    ENDS.partition_point(|&end| end <= us)
}

/// Adds the moves of a counted game.
pub fn add(all: &mut Vec<Thinking>, game: &GameRow) {
    let black_begins = game.start_fen.split_whitespace().nth(1) == Some("b");
    for (index, name) in [&game.white, &game.black].into_iter().enumerate() {
        let at = match all.iter().position(|one| one.engine == *name) {
            Some(at) => at,
            None if all.len() < MOST_ENGINES => {
                all.push(Thinking { engine: name.clone(), ..Thinking::default() });
                all.len() - 1
            }
            None => continue,
        };
        let own = game.plies.iter().skip(index ^ usize::from(black_begins)).step_by(2);
        for ply in own {
            if let Some(us) = ply.time_us {
                all[at].time[class(us)] += 1;
            }
            if let Some(us) = ply.latency_us {
                all[at].latency[class(us.max(0).unsigned_abs())] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlyRow;

    #[test]
    fn moves_are_counted_for_their_mover() {
        let ply = |time_us, latency_us| PlyRow { time_us, latency_us, ..PlyRow::default() };
        let game = GameRow {
            white: "w".into(),
            black: "b".into(),
            start_fen: "4k3/8/8/8/8/8/8/4K3 b - - 0 1".into(),
            plies: vec![
                ply(Some(9), Some(-3)),
                ply(Some(10), None),
                ply(None, None),
                ply(Some(u64::MAX), Some(5_000)),
            ],
            ..GameRow::default()
        };
        let mut all = Vec::new();
        add(&mut all, &game);
        let of = |name: &str| all.iter().find(|one| one.engine == name).expect("engine").clone();
        assert_eq!((of("b").time[0], of("b").time.iter().sum::<u64>(), of("b").latency[0]), (1, 1, 1));
        assert_eq!((of("w").time[1], of("w").time[ENDS.len()], of("w").latency[class(5_000)]), (1, 1, 1));
        assert_eq!((class(4_999), ENDS[class(5_000)]), (class(2_000), 10_000));
    }
}
