//! The extended move of 32 bits: the compact one below, then the moving and the captured role, then a score.
//!
//! With the roles in it, making the move looks nothing up. They are laid out so that integers compare as move ordering
//! wants it: by score, then the more valuable victim, then the less valuable attacker. Source: page "Encoding Moves" of the seed
//! documents, section "Extended Move Structure".

use super::{captured, from_to};
use crate::geometry::influence;
use crate::rules::Position;
use crate::types::{Color, Move, Piece, Role};

const MOVER_SHIFT: u32 = 16;
const VICTIM_SHIFT: u32 = 19;
/// Where the score begins.
pub const SCORE_SHIFT: u32 = 22;
/// The highest score an extended move holds.
pub const MOST_SCORE: u16 = (1 << (32 - SCORE_SHIFT)) - 1;

/// Codes that a move can have with score 0: six contents of the to square for every move of a piece, the pawn moves of both sides,
/// castling as in [`from_to`]. Colour is not in the code, but tells in the direction of a pawn.
pub const CODES: u32 = 6 * 3668 + 2 * 668 + 2 * 42;

/// Bits 0-15 compact move, 16-18 moving role (king 0 to pawn 5), 19-21 captured role (none 0, pawn 1 to queen 5), 22-31 score.
/// Greater is to be tried first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExtendedMove(u32);

impl ExtendedMove {
    /// `score` above [`MOST_SCORE`] is cut down to it. `None` if no piece of the side to move stands on the from square.
    pub fn new(position: &Position, mv: Move, score: u16) -> Option<ExtendedMove> {
        let mover = position.piece_at(mv.from()).filter(|piece| piece.color == position.turn())?.role;
        let victim = captured(position, mv).map_or(0, |role| role as u32 + 1);
        let roles = (Role::King as u32 - mover as u32) << MOVER_SHIFT | victim << VICTIM_SHIFT;
        let score = u32::from(score.min(MOST_SCORE)) << SCORE_SHIFT;
        Some(ExtendedMove(score | roles | u32::from(from_to::encode(position, mv))))
    }

    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Any number; [`ExtendedMove::mv`] tells whether it is a move.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> ExtendedMove {
        ExtendedMove(bits)
    }

    /// The lower half: the compact move.
    #[inline(always)]
    pub const fn compact(self) -> u16 {
        self.0 as u16
    }

    /// The moving role; `None` for a number that is no move.
    #[inline(always)]
    pub const fn mover(self) -> Option<Role> {
        match self.0 >> MOVER_SHIFT & 7 {
            code @ 0..=5 => Some(Role::ALL[5 - code as usize]),
            _ => None,
        }
    }

    /// The captured role, if any.
    #[inline(always)]
    pub const fn victim(self) -> Option<Role> {
        match self.0 >> VICTIM_SHIFT & 7 {
            code @ 1..=5 => Some(Role::ALL[code as usize - 1]),
            _ => None,
        }
    }

    #[inline(always)]
    pub const fn score(self) -> u16 {
        (self.0 >> SCORE_SHIFT) as u16
    }

    /// The same move with another score, cut down to [`MOST_SCORE`].
    #[must_use]
    pub fn with_score(self, score: u16) -> ExtendedMove {
        let score = u32::from(score.min(MOST_SCORE)) << SCORE_SHIFT;
        ExtendedMove(score | self.0 & ((1 << SCORE_SHIFT) - 1))
    }

    /// Victim and attacker as one number, 0 to 47: the more valuable victim first, then the less valuable attacker.
    #[inline(always)]
    pub const fn mvv_lva(self) -> u32 {
        self.0 >> MOVER_SHIFT & 63
    }

    /// The move; `None` for a number whose parts contradict each other. Needs no board.
    pub fn mv(self) -> Option<Move> {
        let mv = from_to::decode(self.compact())?;
        let mover = self.mover()?;
        let victim_code = self.0 >> VICTIM_SHIFT & 7;
        let kind = self.compact() >> 12;
        let (from, to) = (mv.from(), mv.to());
        let victim_fits = match kind {
            from_to::EN_PASSANT => victim_code == 1,
            _ if from_to::is_promotion(self.compact()) && from_to::is_capture(self.compact()) => {
                (2..=5).contains(&victim_code)
            }
            from_to::CAPTURE => (1..=5).contains(&victim_code),
            _ => victim_code == 0,
        };
        let mover_fits = match kind {
            from_to::QUIET | from_to::CAPTURE if mover == Role::Pawn => {
                let straight = from.file() == to.file();
                let single = from.rank().abs_diff(to.rank()) == 1 && !matches!(to.rank(), 0 | 7);
                let goes = Color::ALL
                    .iter()
                    .any(|&color| influence::targets(Piece::new(color, mover), from).has(to));
                goes && single && straight == (kind == from_to::QUIET)
            }
            from_to::QUIET | from_to::CAPTURE => {
                influence::targets(Piece::new(Color::White, mover), from).has(to)
            }
            from_to::KING_CASTLE | from_to::QUEEN_CASTLE => mover == Role::King,
            _ => mover == Role::Pawn,
        };
        (victim_fits && mover_fits).then_some(mv)
    }
}
