//! All moves there are, numbered without gaps: 22,678 for each side, White first, 45,356 in all.
//!
//! A number tells colour, piece, from and to square, what is captured and what a pawn becomes, in 16 bits and without a
//! board. The blocks stand in the order of the page's table. Castling has two numbers for each side: in orthodox chess
//! they are whole moves, in Chess960 the position tells the squares. As on the page, a pawn may be captured on any square
//! by a piece, the first and the last rank included; those numbers stay unused.
//! Source: page "Encoding Moves" of the seed documents, section "Move Enumeration".

use super::{captured, promotion_code, promotion_role};
use crate::geometry::influence;
use crate::rules::Position;
use crate::types::{Color, Move, MoveKind, Piece, Role, Square};

/// Numbers of both sides.
pub const CODES: u32 = 2 * SIDE as u32;
/// Numbers of one side.
pub const SIDE: u16 = 22_678;

/// A line of the page's table: the moves of one kind of one role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    pub role: Role,
    pub kind: Kind,
    /// Pairs of from and to squares.
    pub from_to: u16,
    /// Numbers for each of them without and with a capture.
    pub quiet: u16,
    pub captures: u16,
    /// The first number of the block, White's.
    pub first: u16,
}

impl Block {
    /// Numbers of one side.
    pub const fn numbers(self) -> u16 {
        self.from_to * (self.quiet + self.captures)
    }
}

/// Kinds of moves that are numbered on their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Promotion,
    CapturePromotion,
    DoublePush,
    Push,
    Capture,
    EnPassant,
    Castle,
    /// What pieces do: to an empty square or with a capture.
    Piece,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Promotion => "promotions",
            Kind::CapturePromotion => "captures and promotions",
            Kind::DoublePush => "double pushes",
            Kind::Push => "pushes",
            Kind::Capture => "captures",
            Kind::EnPassant => "en passant",
            Kind::Castle => "castling",
            Kind::Piece => "moves and captures",
        }
    }
}

/// The table: pawns, king, knight, bishop, rook, queen.
pub const BLOCKS: [Block; 12] = {
    const fn block(role: Role, kind: Kind, from_to: u16, quiet: u16, captures: u16) -> Block {
        Block { role, kind, from_to, quiet, captures, first: 0 }
    }
    let mut blocks = [
        block(Role::Pawn, Kind::Promotion, 8, 4, 0),
        block(Role::Pawn, Kind::CapturePromotion, 14, 0, 16),
        block(Role::Pawn, Kind::DoublePush, 8, 1, 0),
        block(Role::Pawn, Kind::Push, 40, 1, 0),
        block(Role::Pawn, Kind::Capture, 70, 0, 5),
        block(Role::Pawn, Kind::EnPassant, 14, 0, 1),
        block(Role::King, Kind::Castle, 2, 1, 0),
        block(Role::King, Kind::Piece, 420, 1, 5),
        block(Role::Knight, Kind::Piece, 336, 1, 5),
        block(Role::Bishop, Kind::Piece, 560, 1, 5),
        block(Role::Rook, Kind::Piece, 896, 1, 5),
        block(Role::Queen, Kind::Piece, 1456, 1, 5),
    ];
    let mut first = 0;
    let mut i = 0;
    while i < blocks.len() {
        blocks[i].first = first;
        first += blocks[i].numbers();
        i += 1;
    }
    assert!(first == SIDE, "the page's sum");
    blocks
};

/// A move with all that its number tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Enumerated {
    /// Castling: the rook is on the king's side, or on the queen's.
    Castle { color: Color, king_side: bool },
    /// Any other move.
    Move {
        piece: Piece,
        from: Square,
        to: Square,
        captured: Option<Role>,
        promotion: Option<Role>,
        en_passant: bool,
    },
}

impl Enumerated {
    /// A legal move with what it does; `None` if no piece of the side to move stands on its from square.
    pub fn new(position: &Position, mv: Move) -> Option<Enumerated> {
        let color = position.turn();
        let piece = position.piece_at(mv.from()).filter(|piece| piece.color == color)?;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return Some(Enumerated::Castle { color, king_side: to.file() > from.file() });
        }
        Some(Enumerated::Move {
            piece,
            from,
            to,
            captured: captured(position, mv),
            promotion: mv.promotion_role(),
            en_passant: mv.kind() == MoveKind::EnPassant,
        })
    }

    /// The number, 0 to 45,355; `None` if no such move exists.
    pub fn number(self) -> Option<u16> {
        let (color, within) = match self {
            Enumerated::Castle { color, king_side } => {
                (color, block(Role::King, Kind::Castle).first + u16::from(!king_side))
            }
            Enumerated::Move { piece, from, to, captured, promotion, en_passant } => {
                let (block, square, content) = if piece.role == Role::Pawn {
                    pawn_place(piece.color, from, to, captured, promotion, en_passant)?
                } else {
                    if promotion.is_some() || en_passant || captured == Some(Role::King) {
                        return None;
                    }
                    let content = captured.map_or(0, |role| role as u16 + 1);
                    (block(piece.role, Kind::Piece), influence::number(piece, from, to)?, content)
                };
                (piece.color, block.first + square * (block.quiet + block.captures) + content)
            }
        };
        Some(color as u16 * SIDE + within)
    }

    /// The move with this number; `None` from 45,356 on.
    pub fn by_number(number: u16) -> Option<Enumerated> {
        let color = *Color::ALL.get(usize::from(number / SIDE))?;
        let within = number % SIDE;
        let block = BLOCKS.iter().rev().find(|block| block.first <= within)?;
        let per_square = block.quiet + block.captures;
        let (square, content) = ((within - block.first) / per_square, (within - block.first) % per_square);
        let piece = Piece::new(color, block.role);
        if block.kind == Kind::Castle {
            return Some(Enumerated::Castle { color, king_side: square == 0 });
        }
        let (from, to) = match block.kind {
            Kind::Piece => influence::by_number(piece, square)?,
            kind => pawn_squares(color, kind, square)?,
        };
        let taken = match block.kind {
            Kind::Piece => content.checked_sub(1).map(|role| Role::ALL[usize::from(role) % 6]),
            Kind::Capture => Some(Role::ALL[usize::from(content) % 6]),
            Kind::CapturePromotion => Some(promotion_role(content / 4)),
            Kind::EnPassant => Some(Role::Pawn),
            _ => None,
        };
        let promotes = matches!(block.kind, Kind::Promotion | Kind::CapturePromotion);
        Some(Enumerated::Move {
            piece,
            from,
            to,
            captured: taken,
            promotion: promotes.then(|| promotion_role(content)),
            en_passant: block.kind == Kind::EnPassant,
        })
    }

    /// The move without a position: castling is that of orthodox chess.
    pub const fn mv(self) -> Move {
        match self {
            Enumerated::Castle { color, king_side } => {
                let rank = match color {
                    Color::White => 0,
                    Color::Black => 7,
                };
                Move::castle(Square::at(4, rank), Square::at(if king_side { 7 } else { 0 }, rank))
            }
            Enumerated::Move { from, to, en_passant: true, .. } => Move::en_passant(from, to),
            Enumerated::Move { from, to, promotion: Some(role), .. } => Move::promotion(from, to, role),
            Enumerated::Move { from, to, .. } => Move::normal(from, to),
        }
    }

    /// The move in a position, which tells where king and rook stand that castle. Legality is not tested.
    pub fn mv_in(self, position: &Position) -> Option<Move> {
        let Enumerated::Castle { color, king_side } = self else { return Some(self.mv()) };
        let king = position.king(color);
        let rooks = position.castling_rooks() & position.pieces(color, Role::Rook);
        let rook = rooks.into_iter().find(|rook| (rook.file() > king.file()) == king_side)?;
        Some(Move::castle(king, rook))
    }
}

fn block(role: Role, kind: Kind) -> Block {
    // Every pair that is asked for stands in the table; the first block for any other.
    BLOCKS.into_iter().find(|block| block.role == role && block.kind == kind).unwrap_or(BLOCKS[0])
}

/// The rank as its side counts it, 0 to 7.
const fn relative(color: Color, rank: u8) -> u8 {
    match color {
        Color::White => rank,
        Color::Black => 7 - rank,
    }
}

/// (first from rank, its to rank) of a kind of pawn move, as the side counts them.
const fn pawn_ranks(kind: Kind) -> (u8, u8) {
    match kind {
        Kind::Promotion | Kind::CapturePromotion => (6, 7),
        Kind::DoublePush => (1, 3),
        Kind::EnPassant => (4, 5),
        _ => (1, 2),
    }
}

/// Block, number of the squares, number of the content.
fn pawn_place(
    color: Color,
    from: Square,
    to: Square,
    captured: Option<Role>,
    promotion: Option<Role>,
    en_passant: bool,
) -> Option<(Block, u16, u16)> {
    let straight = from.file() == to.file();
    let ranks = (relative(color, from.rank()), relative(color, to.rank()));
    let kind = match (promotion, straight, en_passant) {
        (Some(_), true, _) => Kind::Promotion,
        (Some(_), false, _) => Kind::CapturePromotion,
        (None, true, _) if ranks == (1, 3) => Kind::DoublePush,
        (None, true, _) => Kind::Push,
        (None, false, true) => Kind::EnPassant,
        (None, false, false) => Kind::Capture,
    };
    if promotion.is_some_and(|role| !Role::PROMOTIONS.contains(&role)) {
        return None;
    }
    let become_code = promotion.map_or(0, promotion_code);
    let content = match (kind, captured) {
        (Kind::Promotion | Kind::DoublePush | Kind::Push, None) | (Kind::EnPassant, Some(Role::Pawn)) => {
            become_code
        }
        (Kind::Capture, Some(role)) if role != Role::King => role as u16,
        (Kind::CapturePromotion, Some(role)) if !matches!(role, Role::Pawn | Role::King) => {
            promotion_code(role) * 4 + become_code
        }
        _ => return None,
    };
    // By from rank, then from file, then to file; the first and the last file have one capture each.
    let place = ranks.0.checked_sub(pawn_ranks(kind).0)?;
    let file = u16::from(from.file());
    let square = if straight {
        u16::from(place) * 8 + file
    } else {
        u16::from(place) * 14 + 2 * file + u16::from(to.file() > from.file()) - 1
    };
    let block = block(Role::Pawn, kind);
    (square < block.from_to && pawn_squares(color, kind, square) == Some((from, to)))
        .then_some((block, square, content))
}

/// From and to square of a pawn move by their number in its block.
fn pawn_squares(color: Color, kind: Kind, number: u16) -> Option<(Square, Square)> {
    let captures = matches!(kind, Kind::CapturePromotion | Kind::Capture | Kind::EnPassant);
    let (place, from_file, to_file) = if captures {
        let (place, within) = (number / 14, number % 14 + 1);
        let from = within / 2;
        (place, from, (from + within % 2 * 2).checked_sub(1)?)
    } else {
        (number / 8, number % 8, number % 8)
    };
    let (from_rank, to_rank) = pawn_ranks(kind);
    let at = |file: u16, rank: u8| Square::at(file as u8, relative(color, rank + place as u8));
    Some((at(from_file, from_rank), at(to_file, to_rank)))
}
