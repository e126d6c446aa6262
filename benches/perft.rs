//! Perft beside the best crates of the field, in one run: each answer is asserted before it is timed.
//! Bulk counting at the horizon for all, one thread, no hash table.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::rules::perft;
use gauntlet::sliders::{Pext, Sliders};
use std::hint::black_box;
use std::time::Duration;

/// Name, FEN, depth, published count.
const POSITIONS: [(&str, &str, u32, u64); 3] = [
    ("start-d5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("kiwipete-d4", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("position3-d6", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
];

/// The horizon has a closure of its own: a third faster than one that asks for the depth.
fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += cozy(&child, depth - 1);
        }
        false
    });
    nodes
}

fn jordan(board: &chess::Board, depth: u32) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.map(|mv| jordan(&board.make_move_new(mv), depth - 1)).sum()
}

fn benches(criterion: &mut Criterion) {
    for (name, text, depth, nodes) in POSITIONS {
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group
            .throughput(Throughput::Elements(nodes))
            .sample_size(10)
            .measurement_time(Duration::from_secs(3))
            .warm_up_time(Duration::from_millis(500));

        let position = fen::parse(text, CastlingMode::Standard).expect("a published position");
        assert_eq!(perft(&position, depth, Pext::new()), nodes, "gauntlet");
        group.bench_function(BenchmarkId::from_parameter("gauntlet"), |b| {
            b.iter(|| perft(black_box(&position), depth, Pext::new()))
        });

        let board: cozy_chess::Board = text.parse().expect("a published position");
        assert_eq!(cozy(&board, depth), nodes, "cozy-chess");
        group.bench_function(BenchmarkId::from_parameter("cozy-chess"), |b| {
            b.iter(|| cozy(black_box(&board), depth))
        });

        let board: shakmaty::Chess = text
            .parse::<shakmaty::fen::Fen>()
            .expect("a published position")
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("a legal position");
        assert_eq!(shakmaty::perft(&board, depth), nodes, "shakmaty");
        group.bench_function(BenchmarkId::from_parameter("shakmaty"), |b| {
            b.iter(|| shakmaty::perft(black_box(&board), depth))
        });

        let board: chess::Board = text.parse().expect("a published position");
        assert_eq!(jordan(&board, depth), nodes, "chess");
        group.bench_function(BenchmarkId::from_parameter("chess"), |b| {
            b.iter(|| jordan(black_box(&board), depth))
        });
        group.finish();
    }
}

criterion_group!(perft_benches, benches);
criterion_main!(perft_benches);
