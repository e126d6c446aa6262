//! Directions, influence quantities and from-to boards against the tables their pages publish, cell by cell.

use gauntlet::geometry::butterfly::{self, Entries, Relation};
use gauntlet::geometry::{
    Direction, KNIGHT_DISTANCE, begrees, degrees, difference_0x88, direction, direction_by_pair, influence,
    knight_set_distance,
};
use gauntlet::types::{Bitboard, Color, Piece, Role, Square};
use std::collections::BTreeSet;

const DEGREES: &str = include_str!("../data/geometry/degrees.tsv");
const BEGREES: &str = include_str!("../data/geometry/begrees.tsv");
const BUTTERFLY: &str = include_str!("../data/geometry/butterfly.txt");
const INFLUENCE: &str = include_str!("../data/geometry/influence.txt");

fn pairs() -> impl Iterator<Item = (Square, Square)> {
    Square::all().flat_map(|a| Square::all().map(move |b| (a, b)))
}

fn steps(a: Square, b: Square) -> (i32, i32) {
    (i32::from(b.file()) - i32::from(a.file()), i32::from(b.rank()) - i32::from(a.rank()))
}

fn white(role: Role) -> Piece {
    Piece::new(Color::White, role)
}

/// ((file difference, rank difference), cell)
fn sheet(text: &'static str) -> Vec<((i32, i32), &'static str)> {
    let cells: Vec<_> = text
        .lines()
        .enumerate()
        .flat_map(|(row, line)| {
            line.split('\t').enumerate().map(move |(column, cell)| {
                ((column as i32 - 7, 7 - row as i32), cell.trim_start_matches('_'))
            })
        })
        .collect();
    assert_eq!(cells.len(), 225);
    cells
}

/// A pair of squares with these differences.
fn example((file, rank): (i32, i32)) -> (Square, Square) {
    let from = Square::at((-file).max(0) as u8, (-rank).max(0) as u8);
    (from, Square::at((file.max(0)) as u8, rank.max(0) as u8))
}

#[test]
fn angles_are_those_of_the_published_sheets() {
    let mut distinct = BTreeSet::new();
    for (difference, cell) in sheet(DEGREES) {
        let (from, to) = example(difference);
        assert_eq!(steps(from, to), difference);
        if let Ok(expected) = cell.parse::<u16>() {
            assert_eq!(degrees(from, to), Some(expected), "{difference:?}");
            distinct.insert(expected);
        }
    }
    assert_eq!(distinct.len(), 144, "the page's number of angles");
    let all: BTreeSet<u16> = pairs().filter_map(|(a, b)| degrees(a, b)).collect();
    assert_eq!(all, distinct, "inner squares have the angle of a farther one");

    for (difference, cell) in sheet(BEGREES) {
        let (from, to) = example(difference);
        assert_eq!(begrees(from, to), cell.parse::<u8>().ok(), "{difference:?}");
    }
    let all: BTreeSet<u8> = pairs().filter_map(|(a, b)| begrees(a, b)).collect();
    assert!(all.into_iter().eq(0..144));
}

#[test]
fn both_direction_tables_tell_what_the_squares_tell() {
    let mut moves = 0;
    for (a, b) in pairs() {
        let (file, rank) = steps(a, b);
        // A unit vector by division: the definition, without tables.
        let distance = file.abs().max(rank.abs());
        let expected = Direction::ALL.into_iter().find(|direction| {
            let (f, r) = direction.step();
            let (f, r) = (i32::from(f), i32::from(r));
            if direction.is_knight() {
                (f, r) == (file, rank)
            } else {
                distance > 0 && (f * distance, r * distance) == (file, rank)
            }
        });
        assert_eq!(direction(a, b), expected, "{a}{b}");
        assert_eq!(direction_by_pair(a, b), expected, "{a}{b}");
        assert_eq!(direction(b, a), expected.map(Direction::opposite), "{b}{a}");
        assert_eq!(difference_0x88(a, b) as i32, 120 + 16 * rank + file);
        if let Some(direction) = expected {
            moves += 1;
            let mut square = a;
            while square != b {
                let next = direction.from(square).expect("on the board");
                assert_eq!(next.index() as i32 - square.index() as i32, i32::from(direction.increment()));
                square = next;
            }
            let angle = (degrees(a, b), begrees(a, b));
            assert_eq!(angle, (Some(direction.degrees()), Some(direction.begrees())), "{a}{b}");
        }
    }
    assert_eq!(moves, 1792, "the page's number of from-to pairs");
    let begrees: BTreeSet<u8> = Direction::ALL.map(Direction::begrees).into();
    assert!(begrees.into_iter().eq((0..16).map(|n| 9 * n)), "moves have every ninth");
    // The compass roses of the page.
    let increments = Direction::ALL.map(Direction::increment);
    assert_eq!(increments, [8, 9, 1, -7, -8, -9, -1, 7, 17, 10, -6, -15, -17, -10, 6, 15]);
    assert_eq!((Direction::North.from(Square::A8), Direction::West.from(Square::A1)), (None, None));
}

/// Squares and sums of one of the published boards: counts a1 to h8 (blank = 0), rank sums 1 to 8, file sums, total.
fn published(title: &str) -> ([u32; 64], [u32; 8], [u32; 8], u32) {
    let lines: Vec<&str> = INFLUENCE.lines().collect();
    let (top, at) = lines
        .iter()
        .enumerate()
        .find_map(|(row, line)| line.find(title).map(|at| (row, at)))
        .expect("a board of this title");
    let cut = |line: &'static str, from: usize, to: usize| -> &'static str {
        line.get(from.min(line.len())..to.min(line.len())).unwrap_or_default().trim()
    };
    let mut squares = [0; 64];
    let mut ranks = [0; 8];
    for down in 0..8 {
        let line = lines[top + 2 + down];
        let cells: Vec<&str> = cut(line, at, at + 33).trim_matches('|').split('|').collect();
        assert_eq!(cells.len(), 8, "{line}");
        for (file, cell) in cells.iter().enumerate() {
            squares[(7 - down) * 8 + file] = cell.trim().parse().unwrap_or(0);
        }
        ranks[7 - down] = cut(line, at + 33, at + 37).parse().unwrap_or(0);
    }
    let sums = cut(lines[top + 11], at.saturating_sub(1), at + 37);
    let sums: Vec<u32> = sums.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let mut files = [0; 8];
    let total = sums.len() - 1;
    files[..total].copy_from_slice(&sums[..total]);
    (squares, ranks, files, sums[total])
}

#[test]
fn influence_quantities_are_the_published_boards() {
    let boards = [
        ("White pawn total", white(Role::Pawn), None, 140),
        ("white pawn a2", white(Role::Pawn), Some(Square::A2), 58),
        ("white pawn d2", white(Role::Pawn), Some(Square::D2), 92),
        ("Knight", white(Role::Knight), None, 336),
        ("King", white(Role::King), None, 420),
        ("Bishop", white(Role::Bishop), None, 560),
        ("Rook", white(Role::Rook), None, 896),
        ("Queen", white(Role::Queen), None, 1456),
    ];
    for (title, piece, start, quantity) in boards {
        let (squares, ranks, files, total) = published(title);
        let reached = start.map_or(Bitboard::ALL, |start| influence::reachable(piece, start));
        let from = |square| if reached.has(square) { influence::moves_from(piece, square) } else { 0 };
        for square in Square::all() {
            assert_eq!(from(square), squares[square.index()], "{title} {square}");
        }
        for line in 0..8 {
            let rank: u32 = (0..8).map(|file| from(Square::at(file, line))).sum();
            let file: u32 = (0..8).map(|rank| from(Square::at(line, rank))).sum();
            assert_eq!(
                (rank, file),
                (ranks[line as usize], files[line as usize]),
                "{title} line {}",
                line + 1
            );
        }
        assert_eq!(total, quantity, "{title}");
        let ours = start
            .map_or_else(|| influence::quantity(piece), |start| influence::quantity_of_one(piece, start));
        assert_eq!(ours, quantity, "{title}");
    }
}

#[test]
fn influence_sums_of_the_page() {
    let quantity = |role| influence::quantity(white(role));
    // Rings from the edge to the centre: bishop, rook, queen.
    let rings = |role| {
        [0, 1, 2, 3].map(|ring| {
            influence::ring(ring).into_iter().map(|s| influence::moves_from(white(role), s)).sum::<u32>()
        })
    };
    assert_eq!(rings(Role::Bishop), [196, 180, 132, 52]);
    assert_eq!(rings(Role::Rook), [392, 280, 168, 56]);
    assert_eq!(rings(Role::Queen), [588, 460, 300, 108]);
    // The lower left quarter, its columns and its sum.
    let quarter = |role| {
        [0, 1, 2, 3].map(|file| {
            (0..4).map(|rank| influence::moves_from(white(role), Square::at(file, rank))).sum::<u32>()
        })
    };
    assert_eq!(quarter(Role::Knight), [13, 19, 26, 26]);
    assert_eq!(quarter(Role::King), [18, 29, 29, 29]);
    assert_eq!(quarter(Role::Bishop), [28, 34, 38, 40]);
    assert_eq!(quarter(Role::Rook), [56; 4]);
    assert_eq!(quarter(Role::Queen), [84, 90, 94, 96]);
    // Everything is divisible by 28, and pieces that exclude each other by 112: Fibonacci numbers are left.
    assert!(Role::ALL.into_iter().all(|role| quantity(role) % 28 == 0));
    let left = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| quantity(role) / 112);
    assert_eq!(left, [3, 5, 8, 13]);
    assert_eq!(quantity(Role::Knight) + quantity(Role::Queen), 1792);
    assert_eq!(quantity(Role::Rook), quantity(Role::Bishop) + quantity(Role::Knight));
    // A single bishop has half of its kind's.
    for start in [Square::C1, Square::F1] {
        assert_eq!(influence::quantity_of_one(white(Role::Bishop), start), 280);
    }
    assert_eq!(influence::quantity(Piece::new(Color::Black, Role::Pawn)), 140);
    for square in Square::all() {
        let black = influence::targets(Piece::new(Color::Black, Role::Pawn), square);
        assert_eq!(black, influence::targets(white(Role::Pawn), square.flip()).flip());
    }
}

#[test]
fn every_move_of_a_piece_has_its_own_number() {
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = Piece::new(color, role);
            let mut next = 0;
            for (from, to) in pairs() {
                let number = influence::number(piece, from, to);
                if influence::targets(piece, from).has(to) {
                    assert_eq!(number, Some(next), "{piece:?} {from}{to}");
                    assert_eq!(influence::by_number(piece, next), Some((from, to)), "{piece:?} {next}");
                    next += 1;
                } else {
                    assert_eq!(number, None, "{piece:?} {from}{to}");
                }
            }
            assert_eq!(u32::from(next), influence::quantity(piece));
            assert_eq!(influence::by_number(piece, next), None);
            assert_eq!(influence::by_number(piece, u16::MAX), None);
        }
    }
}

#[test]
fn the_butterfly_plot_is_the_published_one() {
    let (first, last) = (Square::D1, Square::E3);
    let plot = butterfly::plot(first..=last);
    let rows: Vec<&str> = plot.lines().skip(2).collect();
    let published: Vec<&str> = BUTTERFLY.lines().collect();
    assert_eq!((rows.len(), published.len()), (18, 18));
    for (ours, line) in rows.iter().zip(published) {
        let (name, marks) = line.split_once(' ').unwrap();
        let marks: String = marks.split_whitespace().collect();
        assert_eq!(*ours, format!("{marks} {name}"));
    }
    assert!(plot.starts_with("defghabcdefghabcde\n111112222222233333\n"), "{plot}");

    let all = Entries::of(Square::A1..=Square::H8);
    assert_eq!((all.rook, all.bishop, all.knight, all.total()), (896, 560, 336, 1792));
    assert_eq!(butterfly::ENTRIES * 7 / 16, 1792);
    for (a, b) in pairs() {
        let entry = butterfly::relation(a, b);
        assert_eq!(entry != Relation::None, direction(a, b).is_some(), "{a}{b}");
        assert_eq!(entry, butterfly::relation(b, a), "{a}{b}");
    }
    let indices: BTreeSet<usize> = pairs().map(|(a, b)| butterfly::index(a, b)).collect();
    assert!(indices.into_iter().eq(0..butterfly::ENTRIES));
    // "n butterflies span 8n + 2 squares": the wing tips of seven lie on d1 and e8.
    assert_eq!(Square::E8.index() - Square::D1.index() + 1, 8 * 7 + 2);
    let backwards = "h8".parse::<Square>().unwrap()..=Square::A1;
    assert_eq!(butterfly::plot(backwards), "\n\n", "an empty range is an empty plot");
}

/// The page's table by 8 x rank distance + file distance, away from corners.
const KNIGHT_DISTANCES: [u8; 64] = [
    0, 3, 2, 3, 2, 3, 4, 5, //
    3, 2, 1, 2, 3, 4, 3, 4, //
    2, 1, 4, 3, 2, 3, 4, 5, //
    3, 2, 3, 2, 3, 4, 3, 4, //
    2, 3, 2, 3, 4, 3, 4, 5, //
    3, 4, 3, 4, 3, 4, 5, 4, //
    4, 3, 4, 3, 4, 5, 4, 5, //
    5, 4, 5, 4, 5, 4, 5, 6, //
];

/// The oracle: a search in breadth over squares, with steps of its own.
fn searched(from: Square) -> [u8; 64] {
    let mut distance = [u8::MAX; 64];
    distance[from.index()] = 0;
    let mut queue = std::collections::VecDeque::from([(i32::from(from.file()), i32::from(from.rank()))]);
    while let Some((file, rank)) = queue.pop_front() {
        let moves = distance[(8 * rank + file) as usize];
        for (f, r) in (-2..=2).flat_map(|f: i32| (-2..=2).map(move |r: i32| (f, r))) {
            let (to_file, to_rank) = (file + f, rank + r);
            let on_board = (0..8).contains(&to_file) && (0..8).contains(&to_rank);
            if f.abs() + r.abs() == 3 && on_board {
                let to = (8 * to_rank + to_file) as usize;
                if distance[to] == u8::MAX {
                    distance[to] = moves + 1;
                    queue.push_back((to_file, to_rank));
                }
            }
        }
    }
    distance
}

#[test]
fn knight_distances_are_equal_on_all_pairs() {
    let mut greatest = 0;
    let mut detours = 0;
    for from in Square::all() {
        let expected = searched(from);
        for to in Square::all() {
            let moves = expected[to.index()];
            greatest = greatest.max(moves);
            for way in &KNIGHT_DISTANCE {
                assert_eq!((way.run)(from, to), moves, "{}: {from} {to}", way.id);
            }
            let (file, rank) = steps(from, to);
            let published = KNIGHT_DISTANCES[(8 * rank.abs() + file.abs()) as usize];
            if moves != published {
                detours += 1;
                assert_eq!((moves, published, file.abs(), rank.abs()), (4, 2, 1, 1), "{from} {to}");
            }
        }
    }
    // Four corners, there and back.
    assert_eq!((greatest, detours), (6, 8));
    let ids: BTreeSet<&str> = KNIGHT_DISTANCE.iter().map(|way| way.id).collect();
    assert_eq!(ids.len(), KNIGHT_DISTANCE.len());
}

#[test]
fn knight_distance_of_sets() {
    let knights = Bitboard::EMPTY.with(Square::B1).with(Square::G1);
    let distance = |to: Bitboard| knight_set_distance(knights, to);
    assert_eq!(distance(Bitboard::EMPTY.with(Square::F3).with(Square::A8)), Some(1));
    assert_eq!(distance(knights), Some(0));
    assert_eq!(distance(Bitboard::EMPTY), None);
    assert_eq!(knight_set_distance(Bitboard::EMPTY, knights), None);
}
