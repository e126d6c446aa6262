//! Popcounts, bit scans, snoob and knight distances, each way on the same words: a chain in which every word is turned by
//! the result before it, so that latency is what is timed. Answers are asserted first.
//!
//! `dense`: half of the bits set, as in an occupancy's fill; `sparse`: a few bits, as in a set of pieces. Scans run over `sparse`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gauntlet::bits::{FORWARD, POPCOUNT, REVERSE, SNOOB, Variant};
use gauntlet::geometry::{KNIGHT_DISTANCE, knight_distance};
use gauntlet::stats::SplitMix64;
use gauntlet::types::Square;
use std::hint::black_box;
use std::time::Duration;

const WORDS: usize = 4096;

fn words(seed: u64, sparse: bool) -> Vec<u64> {
    let mut random = SplitMix64::new(seed);
    let mut word = move || {
        let words: [u64; 4] = std::array::from_fn(|_| random.next_u64());
        if sparse { words[0] & words[1] & words[2] & words[3] } else { words[0] }
    };
    std::iter::repeat_with(&mut word).filter(|&word| word != 0).take(WORDS).collect()
}

fn family<F>(criterion: &mut Criterion, name: &str, ways: &[Variant<F>], words: &[u64]) {
    let expected = (ways[0].chain)(words);
    let mut group = criterion.benchmark_group(name);
    group
        .throughput(Throughput::Elements(words.len() as u64))
        .sample_size(30)
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(200));
    for way in ways {
        assert_eq!((way.chain)(words), expected, "{}", way.id);
        group.bench_function(BenchmarkId::from_parameter(way.id), |b| {
            b.iter(|| (way.chain)(black_box(words)))
        });
    }
    group.finish();
}

fn distances(criterion: &mut Criterion) {
    let mut random = SplitMix64::new(4);
    let pairs: Vec<(Square, Square)> = (0..WORDS)
        .map(|_| (Square::new(random.below(64) as u8), Square::new(random.below(64) as u8)))
        .collect();
    let mut group = criterion.benchmark_group("knight-distance");
    group
        .throughput(Throughput::Elements(WORDS as u64))
        .sample_size(30)
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(200));
    let sum = |run: fn(Square, Square) -> u8, pairs: &[(Square, Square)]| -> u32 {
        pairs.iter().map(|&(a, b)| u32::from(run(a, b))).sum()
    };
    let expected = sum(knight_distance, &pairs);
    for way in &KNIGHT_DISTANCE {
        assert_eq!(sum(way.run, &pairs), expected, "{}", way.id);
        group.bench_function(BenchmarkId::from_parameter(way.id), |b| {
            b.iter(|| sum(way.run, black_box(&pairs)))
        });
    }
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    let (dense, sparse) = (words(1, false), words(2, true));
    family(criterion, "popcount/dense", POPCOUNT, &dense);
    family(criterion, "popcount/sparse", POPCOUNT, &sparse);
    family(criterion, "bitscan-forward/sparse", FORWARD, &sparse);
    family(criterion, "bitscan-reverse/sparse", REVERSE, &sparse);
    family(criterion, "snoob/sparse", SNOOB, &sparse);
    distances(criterion);
}

criterion_group!(bits_benches, benches);
criterion_main!(bits_benches);
