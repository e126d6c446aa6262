//! Attack maps, attack bytes and check detection: kept tables equal those from scratch after every move of random games, and
//! those of other people's attack functions (shakmaty for attacks, cozy-chess for checkers); exchanges equal a full search.

use gauntlet::attackmap::{AttackBytes, AttackMap, Batteries, PieceSets, SeeTable, attack_byte};
use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::notation::uci_move;
use gauntlet::record::{Row, StudyRow};
use gauntlet::rules::{Position, checkers_by_last_move};
use gauntlet::sliders::Hyperbola;
use gauntlet::stats::SplitMix64;
use gauntlet::trial::{Progress, exchange};
use gauntlet::types::{Bitboard, Color, Move, Piece, Role, Square};
use std::collections::HashMap;

/// Random games from Chess960 starts, and from positions where promotion and en passant are near.
fn walk(games: usize, mut visit: impl FnMut(&Position, Move, &Position)) {
    let mut random = SplitMix64::new(1977);
    let promoting = [
        "4k3/8/PPPPPPPP/8/8/pppppppp/8/4K3 w - - 0 1",
        "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R3K2R w KQkq - 0 1",
        "8/1p1p1p2/4k3/P1P1P1P1/p1p1p1p1/4K3/1P1P1P2/8 w - - 0 1",
    ];
    let chess960 = include_str!("../../suites/perft/chess960.epd")
        .lines()
        .step_by(17)
        .map(|line| line.split(';').next().unwrap_or_default().trim());
    let starts: Vec<&str> = promoting.into_iter().chain(chess960).collect();
    for start in starts.iter().cycle().take(games) {
        let mut before = fen::parse(start, CastlingMode::Chess960).unwrap();
        for _ in 0..120 {
            let moves = before.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            let mut after = before;
            after.play_unchecked(mv);
            visit(&before, mv, &after);
            before = after;
        }
    }
}

/// What the piece attacks, by shakmaty.
fn oracle(position: &Position, square: Square) -> Bitboard {
    let Some(piece) = position.piece_at(square) else { return Bitboard::EMPTY };
    let role = match piece.role {
        Role::Pawn => shakmaty::Role::Pawn,
        Role::Knight => shakmaty::Role::Knight,
        Role::Bishop => shakmaty::Role::Bishop,
        Role::Rook => shakmaty::Role::Rook,
        Role::Queen => shakmaty::Role::Queen,
        Role::King => shakmaty::Role::King,
    };
    let piece = shakmaty::Piece { color: shakmaty::Color::from_white(piece.color.is_white()), role };
    let occupied = shakmaty::Bitboard(position.occupied().0);
    Bitboard(shakmaty::attacks::attacks(shakmaty::Square::new(square.index() as u32), piece, occupied).0)
}

#[test]
fn kept_tables_are_those_from_scratch_and_of_another_program() {
    let mut kept: Option<(Position, AttackMap)> = None;
    let mut moves = 0;
    walk(120, |before, _, after| {
        let mut map = match kept.take() {
            Some((position, map)) if position == *before => map,
            _ => AttackMap::new(before, Hyperbola),
        };
        let undone = map.clone();
        map.update(before, after, Hyperbola);
        for from in Square::all() {
            assert_eq!(map.from(from), oracle(after, from), "{from} in {}", fen::format(after));
            let both = Color::ALL.map(|by| after.attackers(from, after.occupied(), by));
            assert_eq!(map.to(from), both[0] | both[1], "to {from} in {}", fen::format(after));
        }
        assert_eq!(map, AttackMap::new(after, Hyperbola));
        let mut back = map.clone();
        back.update(after, before, Hyperbola);
        assert_eq!(back, undone, "taken back to {}", fen::format(before));
        kept = Some((*after, map));
        moves += 1;
    });
    assert!(moves > 8_000, "{moves}");
}

#[test]
fn piece_sets_say_what_the_tables_say() {
    let mut kept: Option<(Position, PieceSets)> = None;
    let (mut strangers, mut moves) = (0, 0);
    walk(120, |before, _, after| {
        let mut sets = match kept.take() {
            Some((position, sets)) if position == *before => sets,
            _ => PieceSets::new(before, Hyperbola),
        };
        sets.update(before, after, Hyperbola);
        let fresh = PieceSets::new(after, Hyperbola);
        let map = AttackMap::new(after, Hyperbola);
        for square in Square::all() {
            for sets in [&sets, &fresh] {
                let attackers = sets.attackers(square);
                assert_eq!(sets.squares(attackers), map.to(square), "{square} in {}", fen::format(after));
                assert_eq!(attackers.count_ones(), map.to(square).count());
                assert_eq!(sets.squares(attackers & 0xFFFF), map.to(square) & after.by_color(Color::White));
                for color in Color::ALL {
                    for role in Role::ALL {
                        let there = map.to(square) & after.pieces(color, role);
                        assert_eq!(sets.count(attackers, Piece::new(color, role)), there.count());
                    }
                }
            }
        }
        strangers += u32::from(sets.strangers() != 0);
        moves += 1;
        kept = Some((*after, sets));
    });
    assert!(moves > 8_000 && strangers > 50, "{moves} {strangers}");
}

/// By the last move, by attack table and on the fly: the same checkers as cozy-chess finds.
#[test]
fn check_is_detected_three_ways() {
    let (mut moves, mut checks, mut double) = (0, 0, 0);
    walk(120, |before, _, _| {
        for &mv in before.legal_moves().iter() {
            let mut after = *before;
            after.play_unchecked(mv);
            let found = checkers_by_last_move(mv, &after, Hyperbola);
            assert_eq!(found, after.checkers(), "{mv:?} in {}", fen::format_shredder(before));
            checks += u32::from(found.any());
            double += u32::from(found.more_than_one());
            moves += 1;
        }
        let mut map = AttackMap::new(before, Hyperbola);
        for &mv in before.legal_moves().iter().step_by(5) {
            let mut after = *before;
            after.play_unchecked(mv);
            map.update(before, &after, Hyperbola);
            let board = cozy_chess::Board::from_fen(&fen::format_shredder(&after), true).unwrap();
            let expected = Bitboard(board.checkers().0);
            assert_eq!(map.checkers(&after), expected, "{mv:?} in {}", fen::format_shredder(before));
            assert_eq!(checkers_by_last_move(mv, &after, Hyperbola), expected);
            map.update(&after, before, Hyperbola);
        }
    });
    assert!(moves > 100_000 && checks > 2_000 && double > 20, "{moves} {checks} {double}");
}

/// The cases that the last move alone can tell wrongly: en passant opening lines, castling with check, promotion.
#[test]
fn discovered_checks_of_special_moves() {
    for (text, uci, checkers) in [
        // Both pawns leave the rank, the captured pawn the diagonal.
        ("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "e5d6", "a5"),
        ("8/8/4k3/3pP3/8/8/8/B3K3 w - d6 0 1", "e5d6", ""),
        ("8/5k2/8/3pP3/2B5/8/8/4K3 w - d6 0 1", "e5d6", "c4"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "f1"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "d1"),
        ("6k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8"),
        ("6k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", ""),
        ("4k3/8/8/4N3/8/8/4R3/4K3 w - - 0 1", "e5f7", "e2"),
        // Double check: the knight itself, and the rook behind it.
        ("4k3/8/8/8/4N3/8/4R3/4K3 w - - 0 1", "e4f6", "e2 f6"),
    ] {
        let before = fen::parse(text, CastlingMode::Standard).unwrap();
        let mv = uci_move::parse(uci, &before).unwrap();
        let mut after = before;
        after.play_unchecked(mv);
        let expected: Bitboard = checkers
            .split_whitespace()
            .map(|name| Square::all().find(|square| square.to_string() == name).unwrap())
            .collect();
        assert_eq!(checkers_by_last_move(mv, &after, Hyperbola), expected, "{uci} in {text}");
        assert_eq!(after.checkers(), expected, "{uci} in {text}");
    }
}

/// Attackers of each role, cheapest first in the order of roles; bishops count as knights.
type Men = [u8; 6];
const VALUES: [i32; 6] = [100, 325, 325, 500, 975, 20_000];

/// The best of all orders of capture, both sides free to stop; the king takes only what is not guarded.
fn best_exchange(victim: i32, men: Men, others: Men, known: &mut HashMap<(i32, Men, Men), i32>) -> i32 {
    if let Some(&value) = known.get(&(victim, men, others)) {
        return value;
    }
    let mut best = 0;
    for role in 0..6 {
        if men[role] == 0 || (role == 5 && others != [0; 6]) {
            continue;
        }
        let mut left = men;
        left[role] -= 1;
        best = best.max(victim - best_exchange(VALUES[role], others, left, known));
    }
    known.insert((victim, men, others), best);
    best
}

#[test]
fn the_exchange_table_is_the_best_of_all_orders() {
    // For each byte the attackers it stands for: of those with the usual material that give this byte, the cheapest.
    let mut meant: HashMap<u8, Men> = HashMap::new();
    for king in 0..=1 {
        for queen in 0..=1 {
            for rooks in 0..=2 {
                for minors in 0..=3 {
                    for pawns in 0..=2 {
                        let men = [pawns, minors, 0, rooks, queen, king];
                        if men.iter().sum::<u8>() > 7 {
                            continue;
                        }
                        let cheap = |men: &Men| (men[0], men[1], men[3], men[4]);
                        let slot = meant.entry(attack_byte(men)).or_insert(men);
                        if cheap(&men) > cheap(slot) {
                            *slot = men;
                        }
                    }
                }
            }
        }
    }
    assert!(meant.len() > 80, "{}", meant.len());
    let table = SeeTable::new();
    let mut known = HashMap::new();
    let mut wins = 0;
    for (&attack, &men) in &meant {
        for (&defence, &others) in &meant {
            for victim in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let expected = best_exchange(VALUES[victim.index()], men, others, &mut known);
                assert_eq!(table.get(victim, attack, defence), expected, "{victim:?} {men:?} {others:?}");
                wins += u32::from(expected > 0);
            }
        }
    }
    assert!(wins > 1000);
    assert_eq!(table.get(Role::King, 0xFF, 0), 0);
}

#[test]
fn attack_bytes_count_the_attackers_of_every_square() {
    let mut positions = 0;
    walk(40, |_, _, after| {
        let bytes = AttackBytes::new(after, Batteries::Ignored, Hyperbola);
        let behind = AttackBytes::new(after, Batteries::Seen, Hyperbola);
        for square in Square::all() {
            for color in Color::ALL {
                let attackers = after.attackers(square, after.occupied(), color);
                let counts = Role::ALL.map(|role| (attackers & after.pieces(color, role)).count() as u8);
                assert_eq!(bytes.of(color, square), attack_byte(counts), "{square} {}", fen::format(after));
                assert!(behind.of(color, square) & 7 >= bytes.of(color, square) & 7);
            }
        }
        positions += 1;
    });
    assert!(positions > 1000);
}

#[test]
fn a_rook_behind_a_rook_is_seen_where_wanted() {
    let position = fen::parse("3r1k2/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", CastlingMode::Standard).unwrap();
    let table = SeeTable::new();
    let wins = |batteries| {
        AttackBytes::new(&position, batteries, Hyperbola).exchange(
            &table,
            &position,
            Square::D5,
            Color::White,
        )
    };
    assert_eq!((wins(Batteries::Ignored), wins(Batteries::Seen)), (0, 100));
}

/// The study runs and its shares add up; that the two agree in most exchanges is what the page claims.
#[test]
fn the_study_of_attack_bytes() {
    let factors = exchange::Factors {
        source: vec![exchange::Source::Suites, exchange::Source::Games],
        batteries: vec![exchange::Behind::Ignored, exchange::Behind::Seen],
    };
    let mut rows = Vec::new();
    let limits = exchange::Limits { positions: 2000 };
    let cells = exchange::run("test", &factors, &limits, 1, &mut rows, &Progress::default()).unwrap();
    assert_eq!((cells, rows.len()), (4, 4 * 7));
    for cell in rows.chunks(7) {
        let figures: HashMap<&str, f64> = cell
            .iter()
            .map(|row| match row {
                Row::Study(StudyRow { metric, value, .. }) => (metric.as_str(), *value),
                other => panic!("{other:?}"),
            })
            .collect();
        let shares = ["equal_pct", "high_pct", "low_pct"].map(|name| figures[name]);
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert!(figures["exchanges"] > 1000.0 && figures["same_pct"] > 80.0, "{figures:?}");
    }
    let refused =
        exchange::run("x", &factors, &exchange::Limits { positions: 0 }, 1, &mut rows, &Progress::default());
    assert!(refused.unwrap_err().to_string().starts_with("limits.positions: 0"));
    let twice = exchange::Factors { source: vec![exchange::Source::Suites; 2], ..factors };
    let refused = exchange::run("x", &twice, &limits, 1, &mut rows, &Progress::default());
    assert!(refused.unwrap_err().to_string().starts_with("factors.source: suites stands there twice"));
}

/// Whatever the limit, progress ends where it was to end, an interrupt is seen at once, and nothing is kept that grows with
/// the limit.
#[test]
fn progress_of_the_study_of_attack_bytes() {
    let factors = |source| exchange::Factors {
        source: vec![source],
        batteries: vec![exchange::Behind::Ignored, exchange::Behind::Seen],
    };
    // More than the suites have.
    let limits = exchange::Limits { positions: 10_000_000 };
    let progress = Progress::default();
    let suites = factors(exchange::Source::Suites);
    exchange::run("x", &suites, &limits, 1, &mut Vec::new(), &progress).unwrap();
    assert!(progress.done() > 2000 && progress.done() == progress.total(), "{progress:?}");
    let progress = Progress::default();
    progress.stop();
    let games = factors(exchange::Source::Games);
    let start = std::time::Instant::now();
    let ended = exchange::run("x", &games, &limits, 1, &mut Vec::new(), &progress);
    assert!(matches!(ended, Err(gauntlet::trial::TrialError::Interrupted)));
    // Ten million positions of games take a minute and more.
    assert!(start.elapsed().as_secs() < 5 && progress.done() == 0);
}

/// The first position of a random game has no exchange: there is no figure of none, and no NaN.
#[test]
fn a_study_without_an_exchange_has_no_figures_of_them() {
    let factors =
        exchange::Factors { source: vec![exchange::Source::Games], batteries: vec![exchange::Behind::Seen] };
    let mut rows = Vec::new();
    let limits = exchange::Limits { positions: 1 };
    exchange::run("x", &factors, &limits, 1, &mut rows, &Progress::default()).unwrap();
    let metrics: Vec<_> = rows
        .iter()
        .map(|row| match row {
            Row::Study(StudyRow { metric, value, .. }) => (metric.as_str(), *value),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(metrics, [("positions", 1.0), ("exchanges", 0.0)]);
}
