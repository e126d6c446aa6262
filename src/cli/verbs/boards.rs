//! The tables of `gauntlet list` that are about the board and the coding of moves: encodings, the enumeration of all moves, influence
//! quantities, directions, the from-to board. The text form may say more than the table: pictures of boards.

use crate::cli::table::Table;
use crate::encoding::Encoding;
use crate::encoding::enumeration::{self, BLOCKS};
use crate::geometry::butterfly::{self, Entries};
use crate::geometry::{Direction, influence};
use crate::types::{Color, Piece, Role, Square};
use std::fmt::Write;

/// Each encoding: width, codes in use, what it takes to read one.
pub fn encodings() -> Table {
    let mut table = Table::new(&["id", "bits", "codes", "decoding_needs", "about"]);
    for encoding in Encoding::ALL {
        let numbers = [encoding.bits(), encoding.codes()].map(|number| number.to_string());
        let [bits, codes] = numbers;
        table.row(vec![
            encoding.id().to_owned(),
            bits,
            codes,
            encoding.decoding_needs().to_owned(),
            encoding.about().to_owned(),
        ]);
    }
    table
}

/// The blocks of the enumeration and their sums.
pub fn enumeration() -> Table {
    let mut table =
        Table::new(&["piece", "kind", "first", "from_to", "quiet", "captures", "per_side", "both_sides"]);
    let mut line = |names: [&str; 2], first: Option<u16>, from_to: u16, quiet: u16, captures: u16| {
        let side = quiet + captures;
        let first = first.map(|first| first.to_string()).unwrap_or_default();
        let numbers = [from_to, quiet, captures, side].map(|number| number.to_string());
        let mut cells = names.map(str::to_owned).to_vec();
        cells.push(first);
        cells.extend(numbers);
        cells.push((2 * u32::from(side)).to_string());
        table.row(cells);
    };
    let mut sums = (0, 0, 0);
    for block in BLOCKS {
        let (quiet, captures) = (block.from_to * block.quiet, block.from_to * block.captures);
        sums = (sums.0 + block.from_to, sums.1 + quiet, sums.2 + captures);
        line([role_name(block.role), block.kind.name()], Some(block.first), block.from_to, quiet, captures);
    }
    debug_assert_eq!(sums.1 + sums.2, enumeration::SIDE);
    line(["all", "all"], None, sums.0, sums.1, sums.2);
    table
}

/// The sixteen directions of moves.
pub fn directions() -> Table {
    let columns = ["name", "file_step", "rank_step", "increment", "increment_0x88", "degrees", "begrees"];
    let mut table = Table::new(&columns);
    for direction in Direction::ALL {
        let (file, rank) = direction.step();
        table.row(vec![
            direction.name().to_owned(),
            file.to_string(),
            rank.to_string(),
            format!("{:+}", direction.increment()),
            format!("{:+}", 16 * rank + file),
            direction.degrees().to_string(),
            direction.begrees().to_string(),
        ]);
    }
    table
}

/// White's pieces; Black's differ in the pawn alone, whose board is mirrored.
fn pieces() -> impl Iterator<Item = Piece> {
    [Role::Pawn, Role::Knight, Role::King, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| Piece::new(Color::White, role))
}

/// One row for each piece: its influence quantity, the sums of the rings around the centre, the moves from every square.
pub fn influence() -> Table {
    let columns = ["piece", "moves", "edge", "second_ring", "third_ring", "centre", "moves_from_a1_b1_to_h8"];
    let mut table = Table::new(&columns);
    for piece in pieces() {
        let from = |square| influence::moves_from(piece, square);
        let ring = |number| influence::ring(number).into_iter().map(from).sum::<u32>().to_string();
        let squares: Vec<String> = Square::all().map(|square| from(square).to_string()).collect();
        let mut cells = vec![role_name(piece.role).to_owned(), influence::quantity(piece).to_string()];
        cells.extend((0..4).map(ring));
        cells.push(squares.join(" "));
        table.row(cells);
    }
    table
}

/// The same as boards, rank 8 first, with the sums of ranks and files.
pub fn influence_boards() -> String {
    let mut text = String::new();
    for piece in pieces() {
        let from = |file, rank| influence::moves_from(piece, Square::at(file, rank));
        let _ = writeln!(text, "{}\n", role_name(piece.role));
        for rank in (0..8).rev() {
            let _ = write!(text, "  {} ", rank + 1);
            for file in 0..8 {
                let _ = write!(text, "{:>5}", from(file, rank));
            }
            let _ = writeln!(text, "  |{:>5}", (0..8).map(|file| from(file, rank)).sum::<u32>());
        }
        text.push_str("       a    b    c    d    e    f    g    h\n    ");
        for file in 0..8 {
            let _ = write!(text, "{:>5}", (0..8).map(|rank| from(file, rank)).sum::<u32>());
        }
        let _ = writeln!(text, "  |{:>5}\n", influence::quantity(piece));
    }
    text.truncate(text.trim_end().len());
    text
}

/// One row for each from square: how many entries are moves, and a mark for each to square.
pub fn butterfly() -> Table {
    let mut table = Table::new(&["from", "rook", "bishop", "knight", "valid", "to_a1_b1_to_h8"]);
    for from in Square::all() {
        let entries = Entries::from(from);
        let mut cells = vec![from.to_string()];
        cells.extend([entries.rook, entries.bishop, entries.knight, entries.total()].map(|n| n.to_string()));
        cells.push(butterfly::row(from, Square::A1..=Square::H8));
        table.row(cells);
    }
    table
}

/// The plot of the whole board, what its marks mean, and the sums.
pub fn butterfly_plot() -> String {
    let all = Entries::of(Square::A1..=Square::H8);
    format!(
        "{}\n- | rook   {:>5}\n/ \\ bishop {:>5}\n~   knight {:>5}\n    valid  {:>5} of {}\n#   no move",
        butterfly::plot(Square::A1..=Square::H8),
        all.rook,
        all.bishop,
        all.knight,
        all.total(),
        butterfly::ENTRIES,
    )
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
