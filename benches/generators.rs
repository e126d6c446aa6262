//! The generators of this package beside each other: copies against make and unmake, bitboards against 0x88, legal against
//! pseudo-legal moves, one half of the code against two, stages against all at once. Each answer is asserted before it is
//! timed. One thread, no hash table.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gauntlet::mailbox::Mailbox;
use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::rules::{self, Position};
use gauntlet::sliders::{DefaultSliders, Sliders};
use std::hint::black_box;
use std::time::Duration;

/// Name, FEN, depth, published count.
const POSITIONS: [(&str, &str, u32, u64); 3] = [
    ("start-d5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("kiwipete-d4", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("position3-d5", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
];

type Count = fn(&Position, u32, bool) -> u64;

/// `copied` is the walk of `make-unmake` with a copy of the board per move; `legal` copies too, but plays the moves as the
/// generator finds them, without a list.
const COUNTS: [(&str, Count); 7] = [
    ("legal", |position, depth, bulk| match bulk {
        true => rules::perft(position, depth, DefaultSliders::new()),
        false => rules::perft_make(position, depth, DefaultSliders::new()),
    }),
    ("copied", |position, depth, bulk| rules::perft_copied(position, depth, DefaultSliders::new(), bulk)),
    ("make-unmake", |position, depth, bulk| {
        rules::perft_in_place(position, depth, DefaultSliders::new(), bulk)
    }),
    ("monochrome", |position, depth, bulk| {
        rules::perft_monochrome(position, depth, DefaultSliders::new(), bulk)
    }),
    ("staged", |position, depth, bulk| rules::perft_staged(position, depth, DefaultSliders::new(), bulk)),
    ("pseudo-legal", |position, depth, bulk| {
        rules::perft_pseudo_legal(position, depth, DefaultSliders::new(), bulk)
    }),
    ("mailbox", |position, depth, bulk| {
        Mailbox::new(&position.to_setup()).expect("a position").perft(depth, bulk)
    }),
];

fn bench(group: &mut BenchmarkGroup<'_, WallTime>, position: &Position, depth: u32, nodes: u64, bulk: bool) {
    group
        .throughput(Throughput::Elements(nodes))
        .sample_size(10)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500));
    for (name, count) in COUNTS {
        assert_eq!(count(position, depth, bulk), nodes, "{name}");
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| count(black_box(position), depth, bulk));
        });
    }
}

fn benches(criterion: &mut Criterion) {
    for (name, text, depth, nodes) in POSITIONS {
        let position = fen::parse(text, CastlingMode::Standard).expect("a published position");
        for (bulk, how) in [(true, "bulk"), (false, "made")] {
            let mut group = criterion.benchmark_group(format!("generators/{how}/{name}"));
            bench(&mut group, &position, depth, nodes, bulk);
            group.finish();
        }
    }
}

criterion_group!(generator_benches, benches);
criterion_main!(generator_benches);
