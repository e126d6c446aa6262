//! Standard Algebraic Notation: `Nf3`, `exd6`, `O-O-O+`, `a8=Q#`. Written strictly, read leniently.
//! Source: pages "Algebraic Chess Notation" and "Portable Game Notation" of the seed documents.
//! The long and the figurine form (`lan`, `fan`) are spelled and read here too.
//!
//! Reading forgives what leaves no doubt: missing or wrong check signs, `!?` marks, an `e.p.` suffix, castling with
//! zeros, a promotion without `=`, needless from-squares, a missing `x`, coordinate moves. It never guesses: letters
//! of other languages, two possible movers or a missing promotion piece are errors.

use super::{MoveError, uci_move};
use crate::rules::{MoveSink, PieceSet, Position, Targets, generate};
use crate::sliders::Hyperbola;
use crate::types::{Bitboard, Move, MoveKind, Role, Square};

/// No move in any accepted spelling is longer.
const LONGEST: usize = 16;

/// How much of the from-square stands in a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// As little as is needed: SAN.
    Shortest,
    /// All of it, and a hyphen where nothing is captured: LAN.
    Full,
}

/// Reads one move and finds it among the legal ones.
pub fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    read(text, text, position, Origin::Shortest)
}

/// As [`parse`], for the relatives of SAN. `shown` is the move as written, for the error; `origin` says how much of the
/// from-square is demanded.
pub(super) fn read(text: &str, shown: &str, position: &Position, origin: Origin) -> Result<Move, MoveError> {
    let (text, shown) = (text.trim(), shown.trim());
    MoveError::check_null(text)?;
    let body = without_suffixes(text);
    if body.len() > LONGEST || !body.is_ascii() {
        return Err(MoveError::syntax(shown));
    }
    if let Some(east) = castling_side(body) {
        return castle_towards(position, east).ok_or_else(|| MoveError::illegal(shown));
    }
    let written = Written::split(body).ok_or_else(|| MoveError::syntax(shown))?;
    if origin == Origin::Full && (written.file.is_none() || written.rank.is_none()) {
        return Err(MoveError::no_origin(shown));
    }
    written.find(position, shown)
}

/// The text without check signs, `!`/`?` marks and `e.p.`, in any order.
pub(super) fn without_suffixes(text: &str) -> &str {
    let mut body = text;
    loop {
        let shorter = body.trim_end_matches(['+', '#', '!', '?', ' ']);
        let shorter = shorter.strip_suffix("e.p.").or_else(|| shorter.strip_suffix("ep")).unwrap_or(shorter);
        if shorter.len() == body.len() {
            return body;
        }
        body = shorter;
    }
}

/// `Some(true)` for king-side castling, with capital or small o or zero.
pub(super) fn castling_side(body: &str) -> Option<bool> {
    let is_ring = |part: &str| matches!(part, "O" | "o" | "0");
    let mut parts = body.split('-');
    let rings = parts.clone().count();
    (matches!(rings, 2 | 3) && parts.all(is_ring)).then_some(rings == 2)
}

pub(super) fn castle_towards(position: &Position, east: bool) -> Option<Move> {
    position
        .legal_moves()
        .iter()
        .copied()
        .find(|mv| mv.is_castle() && (mv.to().file() > mv.from().file()) == east)
}

/// What a written move says, part by part.
struct Written {
    role: Option<Role>,
    file: Option<u8>,
    rank: Option<u8>,
    captures: bool,
    to: Square,
    promotion: Option<Role>,
}

impl Written {
    /// Takes the text apart: piece, from-file, from-rank, capture sign, target, promotion.
    fn split(body: &str) -> Option<Written> {
        let mut rest = body.as_bytes();
        let mut role = None;
        if let [letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P'), after @ ..] = rest {
            role = Role::from_letter(*letter as char);
            rest = after;
        }
        if let [before @ .., b')'] = rest {
            rest = before;
        }
        let mut promotion = None;
        if let [before @ .., letter] = rest
            && letter.is_ascii_alphabetic()
        {
            promotion = Some(Role::from_letter(*letter as char)?);
            rest = match before {
                [before @ .., b'=' | b'(' | b'/'] => before,
                _ => before,
            };
        }
        let [before @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = rest else { return None };
        let to = Square::at(file - b'a', rank - b'1');
        let (before, captures) = match before {
            [before @ .., b'x' | b':'] => (before, true),
            [before @ .., b'-'] => (before, false),
            _ => (before, false),
        };
        let (file, rank) = match before {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        Some(Written { role, file, rank, captures, to, promotion })
    }

    fn find(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        if let (None | Some(Role::King), Some(file), Some(rank)) = (self.role, self.file, self.rank) {
            let from = Square::at(file, rank);
            if self.role.is_none() || position.role_at(from) == self.role {
                return uci_move::find(position, from, self.to, self.promotion, text);
            }
        }
        let role = self.role.unwrap_or(Role::Pawn);
        // A pawn move without a from-file is a step straight ahead, unless it says that it captures.
        let straight = role == Role::Pawn && self.file.is_none() && !self.captures;
        let file = if straight { Some(self.to.file()) } else { self.file };
        let mut search = Fitting {
            position,
            role,
            written: self,
            file,
            found: None,
            several: false,
            lacks_promotion: false,
        };
        generate(position, Hyperbola, Targets::All, &mut search);
        match search.found {
            Some(_) if search.several => Err(MoveError::ambiguous(text, &search.all())),
            Some(mv) => Ok(mv),
            None if search.lacks_promotion => Err(MoveError::missing_promotion(text)),
            None => Err(MoveError::illegal(text)),
        }
    }
}

/// Takes from the generator what fits a written move, so that no list is made: most of the time it takes to read a game is
/// spent here.
struct Fitting<'a> {
    position: &'a Position,
    role: Role,
    written: &'a Written,
    /// The from-file, written or implied.
    file: Option<u8>,
    found: Option<Move>,
    several: bool,
    /// A promotion fits, but the piece is not said.
    lacks_promotion: bool,
}

impl Fitting<'_> {
    fn is_from(&self, from: Square) -> bool {
        self.file.is_none_or(|file| from.file() == file)
            && self.written.rank.is_none_or(|rank| from.rank() == rank)
    }

    fn add(&mut self, mv: Move) {
        self.several |= self.found.is_some();
        self.found = Some(mv);
    }

    fn pawn(&self, to: Bitboard, step: i8) -> Option<Square> {
        let target = self.written.to;
        let fits = self.role == Role::Pawn && to.has(target);
        let from = Square::new((target.index() as i8 - step) as u8);
        (fits && self.is_from(from)).then_some(from)
    }

    /// All moves that fit, for the message.
    fn all(&self) -> Vec<Move> {
        let fits = |mv: &Move| {
            !mv.is_castle()
                && mv.to() == self.written.to
                && mv.promotion_role() == self.written.promotion
                && self.position.role_at(mv.from()) == Some(self.role)
                && self.is_from(mv.from())
        };
        self.position.legal_moves().iter().copied().filter(fits).collect()
    }
}

impl MoveSink for Fitting<'_> {
    fn piece<P: PieceSet>(&mut self, from: Square, to: Bitboard) {
        let target = self.written.to;
        if to.has(target)
            && self.written.promotion.is_none()
            && self.position.role_at(from) == Some(self.role)
            && self.is_from(from)
        {
            self.add(Move::normal(from, target));
        }
    }

    fn pawns(&mut self, to: Bitboard, step: i8) {
        if let Some(from) = self.pawn(to, step)
            && self.written.promotion.is_none()
        {
            self.add(Move::normal(from, self.written.to));
        }
    }

    fn promotions(&mut self, to: Bitboard, step: i8) {
        if let Some(from) = self.pawn(to, step) {
            match self.written.promotion {
                Some(role) if Role::PROMOTIONS.contains(&role) => {
                    self.add(Move::promotion(from, self.written.to, role));
                }
                Some(_) => {}
                None => self.lacks_promotion = true,
            }
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        let fits = self.role == Role::Pawn && to == self.written.to && self.is_from(from);
        if fits && self.written.promotion.is_none() {
            self.add(Move::en_passant(from, to));
        }
    }

    fn castle(&mut self, _king: Square, _rook: Square) {}
}

/// Writes a move in SAN with the shortest sufficient from-square and with `+` or `#`. A move that is not legal in the
/// position is written as coordinates.
pub fn format(mv: Move, position: &Position) -> String {
    spell(mv, position, Origin::Shortest).unwrap_or_else(|| format!("{mv:?}"))
}

/// The move with its check sign; `None` if it is not legal.
pub(super) fn spell(mv: Move, position: &Position, origin: Origin) -> Option<String> {
    let legal = position.legal_moves();
    if !legal.contains(&mv) {
        return None;
    }
    let mut text = body(mv, position, &legal, origin);
    let mut next = *position;
    next.play_unchecked(mv);
    if next.is_check() {
        text.push(if next.has_legal_move() { '+' } else { '#' });
    }
    Some(text)
}

/// The move without its check sign.
fn body(mv: Move, position: &Position, legal: &[Move], origin: Origin) -> String {
    if mv.is_castle() {
        return if mv.to().file() > mv.from().file() { "O-O" } else { "O-O-O" }.to_owned();
    }
    let (from, to) = (mv.from(), mv.to());
    let file = (b'a' + from.file()) as char;
    let rank = (b'1' + from.rank()) as char;
    let captures = position.piece_at(to).is_some() || mv.kind() == MoveKind::EnPassant;
    let mut text = String::with_capacity(8);
    let role = position.role_at(from).unwrap_or(Role::Pawn);
    if role != Role::Pawn {
        text.push(role.upper_letter());
    }
    match role {
        _ if origin == Origin::Full => {
            text.extend([file, rank]);
            if !captures {
                text.push('-');
            }
        }
        Role::Pawn if captures => text.push(file),
        Role::Pawn => {}
        _ => {
            let rival = |other: &&Move| {
                other.to() == to
                    && other.from() != from
                    && !other.is_castle()
                    && position.role_at(other.from()) == Some(role)
            };
            let (mut any, mut same_file, mut same_rank) = (false, false, false);
            for other in legal.iter().filter(rival) {
                any = true;
                same_file |= other.from().file() == from.file();
                same_rank |= other.from().rank() == from.rank();
            }
            if any && (!same_file || same_rank) {
                text.push(file);
            }
            if same_file {
                text.push(rank);
            }
        }
    }
    if captures {
        text.push('x');
    }
    text.push_str(&to.to_string());
    if let Some(role) = mv.promotion_role() {
        text.push('=');
        text.push(role.upper_letter());
    }
    text
}
