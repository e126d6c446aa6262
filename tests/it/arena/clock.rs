//! Every flag fall, as a table: rows BR-091 and BR-093 of `tests/data/cases.csv` and the cases beside them.

use gauntlet::arena::clock::{Flag, GameClock};
use gauntlet::subject::{PlayerLimit, TimeControl};
use gauntlet::types::ClockLimit;
use std::time::Duration;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn tc(moves: Option<u32>, base: u64, increment: u64, margin: u64) -> PlayerLimit {
    PlayerLimit {
        tc: Some(TimeControl { moves, base: ms(base), increment: ms(increment), ..TimeControl::default() }),
        margin: ms(margin),
        ..PlayerLimit::default()
    }
}

/// Limit; time used by each move (ms); what the clock shows after each (ms), or `None` where the flag falls.
type Case = (&'static str, PlayerLimit, &'static [u64], &'static [Option<u64>]);

#[test]
fn the_table_of_flag_falls() {
    let cases: [Case; 10] = [
        (
            "BR-091: the margin forgives, and the clock stops at zero",
            tc(None, 300, 100, 200),
            &[450],
            &[Some(100)],
        ),
        ("used to the last of it", tc(None, 300, 0, 0), &[300, 1], &[Some(0), None]),
        ("one beyond it", tc(None, 300, 0, 0), &[301], &[None]),
        ("one beyond the margin", tc(None, 300, 100, 200), &[501], &[None]),
        ("the increment comes too late for the move that oversteps", tc(None, 100, 1000, 0), &[101], &[None]),
        (
            "the increment is there for the next move",
            tc(None, 100, 1000, 0),
            &[100, 1000],
            &[Some(1000), Some(1000)],
        ),
        ("the last move of a period is no free move", tc(Some(2), 100, 0, 0), &[50, 51], &[Some(50), None]),
        (
            "a period adds its time to what is left",
            tc(Some(2), 100, 10, 0),
            &[50, 40, 100, 30, 10],
            &[Some(60), Some(130), Some(40), Some(120), Some(120)],
        ),
        (
            "a base of zero: the increment is there from the first move on",
            tc(None, 0, 100, 0),
            &[60, 140, 101],
            &[Some(140), Some(100), None],
        ),
        ("the margin is there on every move", tc(None, 0, 0, 50), &[50, 50, 51], &[Some(0), Some(0), None]),
    ];
    for (name, limit, used, expected) in cases {
        let mut clock = GameClock::new(&limit);
        for (used, expected) in used.iter().zip(expected) {
            let flag = clock.charge(ms(*used));
            assert_eq!(flag, if expected.is_some() { Flag::Up } else { Flag::Fallen }, "{name}");
            if let Some(shown) = expected {
                assert_eq!(clock.remaining(), Some(ms(*shown)), "{name}");
            }
        }
    }
}

/// A limit as a SPEC writes it.
fn spec(text: &str) -> PlayerLimit {
    gauntlet::subject::EngineSpec::parse(&format!("embedded:{text}")).expect(text).limit
}

/// By hand: `2/1:3/0.5+0.1:2`: two moves in 1 s, then three in 0.5 s with 0.1 s each, then 2 s for the rest.
#[test]
fn one_period_after_the_other() {
    let mut clock = GameClock::new(&spec("tc=2/1:3/0.5+0.1:2"));
    // Used, shown after it, moves to go, increment; in ms. The second one ends a period: 100 + 500.
    for (used, left, to_go, increment) in
        [(400, 600, Some(1), 0), (500, 600, Some(3), 100), (300, 400, Some(2), 100)]
    {
        assert_eq!(clock.charge(ms(used)), Flag::Up);
        let told = clock.search_limit(&clock, 0).clock.unwrap();
        assert_eq!(
            (told.remaining[0], told.moves_to_go, told.increment[0]),
            (ms(left), to_go, ms(increment))
        );
    }
    // The last move of a period has its increment and then the next period's time: 400 - 200 + 100 - 300 + 100 + 2000.
    for used in [200, 300] {
        assert_eq!(clock.charge(ms(used)), Flag::Up);
    }
    let told = clock.search_limit(&clock, 0).clock.unwrap();
    assert_eq!((told.remaining[0], told.moves_to_go, told.increment[0]), (ms(2_100), None, ms(0)));
    // The last one has no moves: nothing is added any more.
    assert_eq!((clock.charge(ms(2_000)), clock.remaining()), (Flag::Up, Some(ms(100))));
    assert_eq!(clock.charge(ms(101)), Flag::Fallen);
    // One with moves comes again and again.
    let mut clock = GameClock::new(&spec("tc=1/1:2/0.3"));
    let left: Vec<u128> = [900, 100, 100, 250, 250]
        .map(|used| (clock.charge(ms(used)) == Flag::Up).then(|| clock.remaining().unwrap().as_millis()))
        .into_iter()
        .flatten()
        .collect();
    assert_eq!(left, [400, 300, 500, 250, 300]);
}

/// An overstep on the last move of a period is a loss before the next period's time comes.
#[test]
fn no_period_comes_to_the_rescue() {
    let mut clock = GameClock::new(&spec("tc=1/0.1:1/60"));
    assert_eq!(clock.charge(ms(101)), Flag::Fallen);
}

/// What one side uses is the other's.
#[test]
fn an_hourglass_runs_back() {
    let mut clocks = [GameClock::new(&spec("tc=*1")), GameClock::new(&spec("tc=*1"))];
    for (side, used) in [(0, 300), (1, 500), (0, 1_200)] {
        assert_eq!(clocks[side].charge(ms(used)), Flag::Up);
        clocks[1 - side].receive(ms(used));
    }
    // 1000 - 300 + 500 - 1200; 1000 + 300 - 500 + 1200.
    assert_eq!([clocks[0].remaining(), clocks[1].remaining()], [Some(ms(0)), Some(ms(2_000))]);
    assert_eq!(clocks[0].charge(ms(1)), Flag::Fallen);
    // An ordinary clock takes nothing from anybody.
    let mut plain = GameClock::new(&spec("tc=1"));
    plain.receive(ms(500));
    assert_eq!(plain.remaining(), Some(ms(1_000)));
}

/// 500 nodes are a millisecond, whatever the time was.
#[test]
fn nodes_as_time() {
    let limit = spec("tc=1+0.1,margin=20,nodestime=500");
    assert!(!limit.is_timed() && spec("tc=1").is_timed() && !spec("nodes=5").is_timed());
    let mut clock = GameClock::new(&limit);
    assert_eq!(clock.patience(), None);
    assert_eq!(clock.price(ms(9_000), Some(100_000)), ms(200));
    assert_eq!(clock.price(ms(9_000), None), ms(9_000));
    let price = clock.price(ms(0), Some(100_000));
    assert_eq!((clock.charge(price), clock.remaining()), (Flag::Up, Some(ms(900))));
    let price = clock.price(ms(0), Some(460_001));
    assert_eq!((price, clock.charge(price)), (Duration::from_micros(920_002), Flag::Fallen));
    let fixed = GameClock::new(&spec("movetime=100,nodestime=500"));
    assert_eq!(fixed.allowance(), Some(ms(100)));
}

#[test]
fn br_091_no_negative_time_is_ever_sent() {
    let white = tc(None, 10_000, 100, 200);
    let mut clock = GameClock::new(&white);
    let opponent = GameClock::new(&white);
    // 10,000 - 9,800 + 100 = 300 ms are left, as in the report.
    assert_eq!(clock.charge(ms(9_800)), Flag::Up);
    assert_eq!(clock.remaining(), Some(ms(300)));
    assert_eq!(clock.charge(ms(450)), Flag::Up);
    let sent = clock.search_limit(&opponent, 0).clock.unwrap();
    assert_eq!(sent.remaining, [ms(100), ms(10_000)]);
    assert_eq!(sent.increment, [ms(100), ms(100)]);
}

#[test]
fn br_093_a_fixed_time_is_fresh_every_move() {
    let limit = PlayerLimit { movetime: Some(ms(100)), margin: ms(50), ..PlayerLimit::default() };
    let mut clock = GameClock::new(&limit);
    for _ in 0..60 {
        assert_eq!(clock.charge(ms(95)), Flag::Up);
    }
    assert_eq!(clock.charge(ms(150)), Flag::Up);
    assert_eq!(clock.charge(ms(160)), Flag::Fallen);
    assert_eq!(clock.remaining(), None);
    assert_eq!(clock.search_limit(&clock, 0).time, Some(ms(100)));
}

#[test]
fn nodes_and_depth_have_no_flag() {
    let limit = PlayerLimit { nodes: Some(5000), depth: Some(9), ..PlayerLimit::default() };
    let mut clock = GameClock::new(&limit);
    assert_eq!(clock.charge(Duration::from_secs(3600)), Flag::Up);
    assert_eq!(clock.allowance(), None);
    let sent = clock.search_limit(&clock, 1);
    assert_eq!((sent.nodes, sent.depth, sent.time, sent.clock), (Some(5000), Some(9), None, None));
}

/// What a search may take before it is told to stop: with the second that a silent engine is given then, a hang costs the
/// margin and a second.
#[test]
fn a_search_may_take_what_is_left_and_the_margin() {
    let mut clock = GameClock::new(&tc(None, 1_000, 10, 100));
    assert_eq!(clock.allowance(), Some(ms(1_100)));
    assert_eq!(clock.charge(ms(900)), Flag::Up);
    assert_eq!(clock.allowance(), Some(ms(210)));
    let both = PlayerLimit { movetime: Some(ms(50)), ..tc(None, 1_000, 10, 100) };
    assert_eq!(GameClock::new(&both).allowance(), Some(ms(150)));
}

#[test]
fn both_sides_are_told_both_clocks() {
    let (white, black) = (tc(Some(40), 60_000, 600, 0), tc(None, 10_000, 100, 0));
    let (mut white, black) = (GameClock::new(&white), GameClock::new(&black));
    assert_eq!(white.charge(ms(1_600)), Flag::Up);
    let remaining = [ms(59_000), ms(10_000)];
    let increment = [ms(600), ms(100)];
    assert_eq!(
        white.search_limit(&black, 0).clock,
        Some(ClockLimit { remaining, increment, moves_to_go: Some(39) })
    );
    assert_eq!(
        black.search_limit(&white, 1).clock,
        Some(ClockLimit { remaining, increment, moves_to_go: None })
    );
    let nodes = GameClock::new(&PlayerLimit { nodes: Some(1), ..PlayerLimit::default() });
    assert_eq!(black.search_limit(&nodes, 1).clock.unwrap().remaining, [ms(10_000); 2]);
}
