//! A chess board as SVG: from the placement field of a FEN string, with arrows for moves in UCI form. Pieces are drawn by
//! the paths below, made for this project. Knows no rules: a FEN it cannot read gives an empty board, a move it cannot read no arrow.

use super::svg::n;
use crate::types::{Color, Piece, Role, Square};
use maud::{Markup, PreEscaped, html};

/// What an arrow means; the colours and dashes are in the style sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrow {
    /// Expected by the suite.
    Best,
    /// What the engine played.
    Played,
    /// What it should not play.
    Avoid,
}

impl Arrow {
    const fn class(self) -> &'static str {
        match self {
            Arrow::Best => "best",
            Arrow::Played => "played",
            Arrow::Avoid => "avoid",
        }
    }
}

const SIDE: f64 = 40.0;
const MARGIN: f64 = 14.0;

/// Drawn in a box of 100 × 100; `class="cut"` is a line in the colour of the other side.
const fn shape(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            r#"<path d="M43 47C42 62 33 66 30 79H70C67 66 58 62 57 47Z"/><circle cx="50" cy="36" r="14"/><rect x="24" y="78" width="52" height="11" rx="3"/>"#
        }
        Role::Knight => {
            r#"<path d="M32 79C31 63 46 60 47 47C41 53 36 52 30 57C25 60 18 55 21 48C26 40 29 32 35 27C36 22 36 18 35 12C41 13 45 16 48 20C67 22 76 40 75 79Z"/><rect x="24" y="78" width="56" height="11" rx="3"/><circle class="dot" cx="41" cy="33" r="3.4"/>"#
        }
        Role::Bishop => {
            r#"<path d="M43 60C43 68 34 71 31 79H69C66 71 57 68 57 60Z"/><path d="M50 18C66 30 70 44 59 60H41C30 44 34 30 50 18Z"/><circle cx="50" cy="15" r="5.5"/><rect x="24" y="78" width="52" height="11" rx="3"/><path class="cut" d="M50 31V49M42 40H58"/>"#
        }
        Role::Rook => {
            r#"<path d="M35 42H65L69 79H31Z"/><path d="M26 19H38V27H44V19H56V27H62V19H74V36L66 43H34L26 36Z"/><rect x="22" y="78" width="56" height="11" rx="3"/><path class="cut" d="M36 43H64"/>"#
        }
        Role::Queen => {
            r#"<path d="M20 30L35 50L37 22L50 47L63 22L65 50L80 30L70 66H30Z"/><circle cx="18" cy="27" r="5.5"/><circle cx="37" cy="18" r="5.5"/><circle cx="63" cy="18" r="5.5"/><circle cx="82" cy="27" r="5.5"/><path d="M31 66H69L72 79H28Z"/><rect x="22" y="78" width="56" height="11" rx="3"/><path class="cut" d="M32 67H68"/>"#
        }
        Role::King => {
            r#"<path d="M46 7H54V13H60V21H54V30H46V21H40V13H46Z"/><path d="M50 44C46 27 20 28 22 46C23 56 32 58 33 68H67C68 58 77 56 78 46C80 28 54 27 50 44Z"/><path d="M33 66H67L71 79H29Z"/><rect x="22" y="78" width="56" height="11" rx="3"/><path class="cut" d="M34 67H66M50 46V58"/>"#
        }
    }
}

/// The pieces as symbols, once per page; every board refers to them.
pub fn symbols() -> Markup {
    let mut defs = String::new();
    for color in Color::ALL {
        for role in Role::ALL {
            let (id, class) = (Piece::new(color, role).letter(), color.pick("pw", "pb"));
            // Case alone must not tell ids apart: some readers fold it.
            defs += &format!(
                r#"<symbol id="p-{}{}" viewBox="0 0 100 100"><g class="{class}">{}</g></symbol>"#,
                color.pick('w', 'b'),
                id.to_ascii_lowercase(),
                shape(role)
            );
        }
    }
    html! { svg width="0" height="0" aria-hidden="true" class="symbols" { defs { (PreEscaped(defs)) (bare_board()) } } }
}

/// Room for the coordinates of a small board, which are large beside its squares.
const SMALL_MARGIN: f64 = 26.0;
const SMALL_SIZE: f64 = 8.0 * SIDE + SMALL_MARGIN;

/// A small square of a set, `inset` from its sides.
fn square_path(square: Square, inset: f64) -> String {
    let (x, y) =
        (SMALL_MARGIN + SIDE * f64::from(square.file()) + inset, SIDE * f64::from(7 - square.rank()) + inset);
    let side = SIDE - 2.0 * inset;
    format!("M{} {}h{2}v{2}h-{2}z", n(x), n(y), n(side))
}

/// The board below every [`set`].
fn bare_board() -> Markup {
    let dark: String =
        Square::all().filter(|s| (s.file() + s.rank()) % 2 == 0).map(|s| square_path(s, 0.0)).collect();
    html! {
        symbol id="bare-board" viewBox=(format!("0 0 {0} {0}", n(SMALL_SIZE))) {
            rect class="light-square" x=(n(SMALL_MARGIN)) y="0" width=(n(8.0 * SIDE)) height=(n(8.0 * SIDE)) {}
            path class="dark-square" d=(dark) {}
            @for index in 0..8u8 {
                @let step = SIDE * f64::from(index) + SIDE / 2.0;
                text class="small-coord" x=(n(SMALL_MARGIN / 2.0 - 1.0)) y=(n(step + 8.0)) text-anchor="middle" { (8 - index) }
                text class="small-coord" x=(n(SMALL_MARGIN + step)) y=(n(SMALL_SIZE - 4.0)) text-anchor="middle" { ((b'a' + index) as char) }
            }
        }
    }
}

/// A set of squares (bit 0 = a1), marked on a small board without pieces; a ring is a slider, dots are occupied squares.
/// The page must hold [`symbols`] once.
pub fn set(bits: u64, slider: Option<Square>, occupied: u64, title: &str) -> Markup {
    let has = |set: u64, square: Square| set >> square.index() & 1 != 0;
    let marks: String = Square::all().filter(|&s| has(bits, s)).map(|s| square_path(s, 3.0)).collect();
    let middle = |square: Square| {
        (SMALL_MARGIN + SIDE * (f64::from(square.file()) + 0.5), SIDE * (7.5 - f64::from(square.rank())))
    };
    html! {
        svg class="board set" viewBox=(format!("0 0 {0} {0}", n(SMALL_SIZE))) role="img" aria-label=(title) {
            use href="#bare-board" {}
            @if !marks.is_empty() { path class="members" d=(marks) {} }
            @for square in Square::all().filter(|&s| has(occupied, s) && Some(s) != slider) {
                @let (x, y) = middle(square);
                circle class="man" cx=(n(x)) cy=(n(y)) r="8" {}
            }
            @if let Some((x, y)) = slider.map(middle) { circle class="slider" cx=(n(x)) cy=(n(y)) r="11" {} }
        }
    }
}

/// The 64 squares of a FEN's first field, a1 first; `None` if it is not a board.
pub fn placement(fen: &str) -> Option<[Option<Piece>; 64]> {
    let mut board = [None; 64];
    let field = fen.split_whitespace().next()?;
    let mut ranks = 0;
    for (row, rank) in field.split('/').enumerate() {
        let mut file = 0u8;
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(skip) => file = file.checked_add(skip as u8)?,
                None => {
                    let piece = Piece::from_letter(letter)?;
                    if file > 7 || row > 7 {
                        return None;
                    }
                    board[Square::at(file, 7 - row as u8).index()] = Some(piece);
                    file += 1;
                }
            }
        }
        if file != 8 {
            return None;
        }
        ranks += 1;
    }
    (ranks == 8).then_some(board)
}

/// `White to move` or `Black to move`; empty if the FEN does not say.
pub fn to_move(fen: &str) -> &'static str {
    match fen.split_whitespace().nth(1) {
        Some("w") => "White to move",
        Some("b") => "Black to move",
        _ => "",
    }
}

/// From and to of a move in UCI form.
fn ends(uci: &str) -> Option<(Square, Square)> {
    Some((uci.get(0..2)?.parse().ok()?, uci.get(2..4)?.parse().ok()?))
}

/// Top left corner of a square, White below.
fn corner(square: Square) -> (f64, f64) {
    (MARGIN + SIDE * f64::from(square.file()), SIDE * f64::from(7 - square.rank()))
}

/// One board. `title` is what a screen reader says. The page must hold [`symbols`] once.
pub fn board(fen: &str, moves: &[(&str, Arrow)], title: &str) -> Markup {
    let pieces = placement(fen).unwrap_or([None; 64]);
    let arrows: Vec<(Square, Square, Arrow)> =
        moves.iter().filter_map(|&(uci, kind)| ends(uci).map(|(from, to)| (from, to, kind))).collect();
    let size = 8.0 * SIDE;
    html! {
        svg class="board" viewBox=(format!("0 0 {} {}", n(size + MARGIN), n(size + MARGIN))) role="img" aria-label=(title) {
            @for square in Square::all() {
                @let (x, y) = corner(square);
                @let shade = if (square.file() + square.rank()) % 2 == 0 { "dark" } else { "light" };
                rect class=(shade) x=(n(x)) y=(n(y)) width=(n(SIDE)) height=(n(SIDE)) {}
            }
            @for &(from, to, kind) in &arrows {
                @for square in [from, to] {
                    @let (x, y) = corner(square);
                    rect class=(format!("mark {}", kind.class())) x=(n(x)) y=(n(y)) width=(n(SIDE)) height=(n(SIDE)) {}
                }
            }
            @for square in Square::all() {
                @if let Some(piece) = pieces[square.index()] {
                    @let (x, y) = corner(square);
                    use href=(format!("#p-{}{}", piece.color.pick('w', 'b'), piece.role.letter()))
                        x=(n(x + 1.5)) y=(n(y + 1.5)) width=(n(SIDE - 3.0)) height=(n(SIDE - 3.0)) {}
                }
            }
            @for &(from, to, kind) in &arrows { (arrow(from, to, kind)) }
            @for index in 0..8u8 {
                @let step = SIDE * f64::from(index) + SIDE / 2.0;
                text class="coord" x=(n(MARGIN / 2.0)) y=(n(step + 3.5)) text-anchor="middle" { (8 - index) }
                text class="coord" x=(n(MARGIN + step)) y=(n(size + 11.0)) text-anchor="middle" { ((b'a' + index) as char) }
            }
        }
    }
}

/// A shaft that ends short of the target's middle, and a head.
fn arrow(from: Square, to: Square, kind: Arrow) -> Markup {
    let middle = |square| {
        let (x, y) = corner(square);
        (x + SIDE / 2.0, y + SIDE / 2.0)
    };
    let ((x0, y0), (x1, y1)) = (middle(from), middle(to));
    let length = (x1 - x0).hypot(y1 - y0).max(1.0);
    let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
    // Points along the shaft and beside it.
    let at = |along: f64, beside: f64| {
        format!("{} {}", n(x1 - dx * along - dy * beside), n(y1 - dy * along + dx * beside))
    };
    let start = format!("{} {}", n(x0 + dx * 8.0), n(y0 + dy * 8.0));
    html! {
        g class=(format!("arrow {}", kind.class())) {
            path class="shaft" d=(format!("M{start}L{}", at(15.0, 0.0))) {}
            path class="head" d=(format!("M{}L{}L{}Z", at(4.0, 0.0), at(17.0, 8.0), at(17.0, -8.0))) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placement_reads_and_refuses() {
        let start =
            placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("start position");
        assert_eq!(start[Square::E1.index()], Some(Piece::new(Color::White, Role::King)));
        assert_eq!(start[Square::D8.index()], Some(Piece::new(Color::Black, Role::Queen)));
        assert_eq!(start.iter().flatten().count(), 32);
        for bad in [
            "",
            "x",
            "8/8/8/8/8/8/8",
            "9/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/<b>",
            "ppppppppp/8/8/8/8/8/8/8",
        ] {
            assert_eq!(placement(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_move_that_is_none_draws_no_arrow() {
        for bad in ["", "e2", "é2e4", "0000", "z9z9", "e2<b"] {
            assert!(
                !board("8/8/8/8/8/8/8/8 w - - 0 1", &[(bad, Arrow::Best)], "x")
                    .into_string()
                    .contains("arrow"),
                "{bad}"
            );
        }
        assert!(
            board("8/8/8/8/8/8/8/8 w - - 0 1", &[("a7a8q", Arrow::Played)], "x")
                .into_string()
                .contains("arrow played")
        );
    }
}
