//! Attack maps kept as moves are played against attacks worked out where they are asked for; check detection three ways;
//! exchanges by attack byte against the exact evaluation. Each answer is asserted before it is timed.
//!
//! Times are for a whole game of random moves, or all its positions; elements per second are moves or queries.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gauntlet::attackmap::{AttackBytes, AttackMap, Batteries, PieceSets, SeeTable};
use gauntlet::engine::see::see_ge;
use gauntlet::rules::{Position, checkers_by_last_move};
use gauntlet::sliders::{DefaultSliders, Sliders};
use gauntlet::stats::SplitMix64;
use gauntlet::types::{Bitboard, Color, Move, Role, Square};
use std::hint::black_box;
use std::time::Duration;

/// A position, a move, and the position after it.
type Ply = (Position, Move, Position);

/// Some games of random moves from the start position.
fn games() -> Vec<Vec<Ply>> {
    let mut random = SplitMix64::new(1977);
    let mut games = Vec::new();
    for _ in 0..20 {
        let mut plies = Vec::new();
        let mut before = Position::startpos();
        for _ in 0..100 {
            let moves = before.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            let mut after = before;
            after.play_unchecked(mv);
            plies.push((before, mv, after));
            before = after;
        }
        games.push(plies);
    }
    games
}

fn plies() -> Vec<Ply> {
    games().concat()
}

/// All attackers of a square, on the fly.
fn attackers(position: &Position, square: Square) -> Bitboard {
    let board = position.board();
    let by = |color| board.attackers(square, position.occupied(), color, DefaultSliders::new());
    by(Color::White) | by(Color::Black)
}

fn keeping(criterion: &mut Criterion) {
    let games = games();
    let sliders = DefaultSliders::new();
    let map = AttackMap::new(&Position::startpos(), sliders);
    let sets = PieceSets::new(&Position::startpos(), sliders);
    for game in &games {
        let (mut map, mut sets) = (map.clone(), sets.clone());
        for (before, _, after) in game {
            map.update(before, after, sliders);
            sets.update(before, after, sliders);
            assert_eq!(map, AttackMap::new(after, sliders));
            assert!(Square::all().all(|square| sets.squares(sets.attackers(square)) == map.to(square)));
        }
    }
    let mut group = group(criterion, "attacks/per-move", plies().len());
    group.bench_function("atkfr-atkto", |b| {
        b.iter(|| {
            games.iter().fold(0, |sum, game| {
                let mut map = map.clone();
                for (before, _, after) in game {
                    map.update(before, after, sliders);
                }
                sum ^ map.to(Square::E4).0
            })
        })
    });
    group.bench_function("piece-sets", |b| {
        b.iter(|| {
            games.iter().fold(0, |sum, game| {
                let mut sets = sets.clone();
                for (before, _, after) in game {
                    sets.update(before, after, sliders);
                }
                sum ^ sets.attackers(Square::E4)
            })
        })
    });
    let plies = plies();
    group.bench_function("atkfr-atkto-from-scratch", |b| {
        b.iter(|| {
            plies.iter().fold(0, |sum, (_, _, after)| sum ^ AttackMap::new(after, sliders).to(Square::E4).0)
        })
    });
    group.bench_function("attack-bytes", |b| {
        b.iter(|| {
            plies.iter().fold(0, |sum, (_, _, after)| {
                sum ^ AttackBytes::new(after, Batteries::Ignored, sliders).of(Color::White, Square::E4)
            })
        })
    });
    group.finish();
}

/// One question: what attacks a square? Every square of every position, with the tables at hand.
fn asking(criterion: &mut Criterion) {
    let sliders = DefaultSliders::new();
    let positions: Vec<(Position, AttackMap)> = plies()
        .iter()
        .step_by(10)
        .map(|(position, ..)| (*position, AttackMap::new(position, sliders)))
        .collect();
    for (position, map) in &positions {
        assert!(Square::all().all(|square| attackers(position, square) == map.to(square)));
    }
    let mut group = group(criterion, "attacks/per-query", positions.len() * 64);
    group.bench_function("on-the-fly", |b| {
        b.iter(|| {
            let all =
                positions.iter().flat_map(|(position, _)| Square::all().map(|s| attackers(position, s)));
            all.fold(Bitboard::EMPTY, |sum, set| sum ^ set)
        })
    });
    group.bench_function("atkto", |b| {
        b.iter(|| {
            let all = positions.iter().flat_map(|(_, map)| Square::all().map(move |s| black_box(map).to(s)));
            all.fold(Bitboard::EMPTY, |sum, set| sum ^ set)
        })
    });
    group.finish();
}

fn checks(criterion: &mut Criterion) {
    let sliders = DefaultSliders::new();
    let plies = plies();
    let with_map: Vec<_> = plies.iter().map(|ply| (ply, AttackMap::new(&ply.2, sliders))).collect();
    for ((_, mv, after), map) in &with_map {
        assert_eq!(checkers_by_last_move(*mv, after, sliders), after.checkers());
        assert_eq!(map.checkers(after), after.checkers());
    }
    let mut group = group(criterion, "attacks/check", plies.len());
    let xor = |sum: Bitboard, set: Bitboard| sum ^ set;
    group.bench_function("last-move", |b| {
        b.iter(|| {
            let all = plies.iter().map(|(_, mv, after)| checkers_by_last_move(*mv, after, sliders));
            all.fold(Bitboard::EMPTY, xor)
        })
    });
    group.bench_function("on-the-fly", |b| {
        b.iter(|| {
            let all = plies.iter().map(|(_, _, after)| after.checkers_with(sliders));
            all.fold(Bitboard::EMPTY, xor)
        })
    });
    group.bench_function("attack-table-at-hand", |b| {
        b.iter(|| {
            let all = with_map.iter().map(|((_, _, after), map)| map.checkers(after));
            all.fold(Bitboard::EMPTY, xor)
        })
    });
    group.finish();
}

/// Does the cheapest capture of each attacked enemy piece win something?
fn exchanges(criterion: &mut Criterion) {
    let sliders = DefaultSliders::new();
    let table = SeeTable::new();
    let mut cases = Vec::new();
    for (position, ..) in plies() {
        let us = position.turn();
        for square in position.by_color(!us) - position.pieces(!us, Role::King) {
            let attackers = position.attackers(square, position.occupied(), us);
            let cheapest = Role::ALL.iter().find_map(|&role| (attackers & position.pieces(us, role)).first());
            if let Some(from) = cheapest {
                cases.push((position, Move::normal(from, square)));
            }
        }
    }
    // Approximate by construction: the share of equal answers is the study `attack-byte`'s matter; here it must be most.
    let byte = |position: &Position, square| {
        AttackBytes::new(position, Batteries::Seen, sliders).exchange(
            &table,
            position,
            square,
            position.turn(),
        ) > 0
    };
    let equal =
        cases.iter().filter(|(position, mv)| byte(position, mv.to()) == see_ge(position, *mv, 1, sliders));
    assert!(equal.count() * 10 > cases.len() * 8);
    let with_bytes: Vec<_> =
        cases.iter().map(|case| (case, AttackBytes::new(&case.0, Batteries::Seen, sliders))).collect();
    let mut group = group(criterion, "attacks/exchange", cases.len());
    group.bench_function("exact", |b| {
        b.iter(|| cases.iter().filter(|(position, mv)| see_ge(position, *mv, 1, sliders)).count())
    });
    group.bench_function("attack-bytes-at-hand", |b| {
        b.iter(|| {
            let wins = with_bytes.iter().filter(|((position, mv), bytes)| {
                bytes.exchange(&table, position, mv.to(), position.turn()) > 0
            });
            wins.count()
        })
    });
    group.bench_function("attack-bytes-made-for-it", |b| {
        b.iter(|| cases.iter().filter(|(position, mv)| byte(position, mv.to())).count())
    });
    group.finish();
}

fn group<'a>(
    criterion: &'a mut Criterion,
    name: &str,
    elements: usize,
) -> criterion::BenchmarkGroup<'a, criterion::measurement::WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .throughput(Throughput::Elements(elements as u64))
        .sample_size(20)
        .measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500));
    group
}

criterion_group!(attack_benches, keeping, asking, checks, exchanges);
criterion_main!(attack_benches);
