//! Forsyth-Edwards Notation, with the castling letters of X-FEN and Shredder-FEN.
//! Source: page "Forsyth-Edwards Notation" of the seed documents; X-FEN: Reinhard Scharnagl.
//!
//! Reading: four fields (the counters are then 0 1) or six; runs of blanks between them; full-move number 0 reads
//! as 1. Castling rights and en-passant squares that are well written but impossible on the board are dropped.

use super::text::{excerpt, trimmed};
use crate::rules::{Position, PositionError};
use crate::types::{Bitboard, Color, Piece, Role, Setup, Square};
use std::fmt::Write;
use thiserror::Error;

/// How the castling letters `KQkq` are read. File letters (Shredder-FEN) mean the same in both modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingMode {
    /// King on the e-file, rook on the a- or h-file; a right without them is dropped.
    #[default]
    Standard,
    /// `KQkq` mean the outermost rook on that side of the king (X-FEN).
    Chess960,
}

/// Why a FEN could not be read; the message names the field.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    #[error("FEN: {0} fields where 4 or 6 are needed")]
    FieldCount(usize),
    #[error("FEN piece placement: {reason} in {text:?}")]
    Placement { text: String, reason: &'static str },
    #[error("FEN side to move: {0:?} is neither \"w\" nor \"b\"")]
    Turn(String),
    #[error("FEN castling rights: {reason} in {text:?}")]
    Castling { text: String, reason: &'static str },
    #[error("FEN en passant square: {0:?} is neither \"-\" nor a square of rank 3 or 6")]
    EnPassant(String),
    #[error("FEN half-move clock: {0:?} is not a number in range")]
    HalfmoveClock(String),
    #[error("FEN full-move number: {0:?} is not a number in range")]
    FullmoveNumber(String),
    #[error("FEN position: {0}")]
    Position(#[from] PositionError),
}

/// Reads a FEN of four or six fields and checks the position.
///
/// # Errors
/// If a field is badly written, or the whole is no position.
pub fn parse(text: &str, mode: CastlingMode) -> Result<Position, FenError> {
    Ok(Position::from_setup(&parse_setup(text, mode)?)?)
}

/// Reads a FEN of four or six fields without asking whether the position is possible.
///
/// # Errors
/// If a field is badly written.
pub fn parse_setup(text: &str, mode: CastlingMode) -> Result<Setup, FenError> {
    let mut fields = trimmed(text).split_ascii_whitespace();
    let board = parse_placement(fields.next().ok_or(FenError::FieldCount(0))?)?;
    let rest: Vec<&str> = fields.by_ref().take(6).collect();
    let (&[turn, castling, ep], counters) = match rest.split_first_chunk::<3>() {
        Some(split) if matches!(split.1.len(), 0 | 2) => split,
        _ => return Err(FenError::FieldCount(1 + rest.len() + fields.count())),
    };
    let mut setup = setup_from(board, turn, castling, ep, mode)?;
    if let [halfmove, fullmove] = counters {
        setup.halfmove = parse_halfmove(halfmove)?;
        setup.fullmove = parse_fullmove(fullmove)?;
    }
    Ok(setup)
}

/// Reads the four fields of an EPD record (placement, side to move, castling, en passant); the counters are 0 1.
///
/// # Errors
/// If a field is badly written.
pub fn parse_epd_fields(fields: [&str; 4], mode: CastlingMode) -> Result<Setup, FenError> {
    let [placement, turn, castling, ep] = fields;
    setup_from(parse_placement(placement)?, turn, castling, ep, mode)
}

fn setup_from(
    board: [Option<Piece>; 64],
    turn: &str,
    castling: &str,
    ep: &str,
    mode: CastlingMode,
) -> Result<Setup, FenError> {
    let turn = match turn {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(FenError::Turn(excerpt(turn))),
    };
    let castling_rooks = parse_castling(castling, &board, mode)?;
    Ok(Setup { board, turn, castling_rooks, ep: parse_ep(ep, turn)?, halfmove: 0, fullmove: 1 })
}

fn parse_placement(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let error = |reason| Err(FenError::Placement { text: excerpt(text), reason });
    let mut board = [None; 64];
    let mut ranks = 0u8;
    for rank in text.split('/') {
        if ranks == 8 {
            return error("more than 8 ranks");
        }
        let mut file = 0u8;
        let mut after_digit = false;
        for letter in rank.chars() {
            let is_digit = matches!(letter, '1'..='8');
            if is_digit && after_digit {
                return error("two digits in a row");
            }
            after_digit = is_digit;
            if is_digit {
                file += letter as u8 - b'0';
            } else if let Some(piece) = Piece::from_letter(letter) {
                if file < 8 {
                    board[Square::at(file, 7 - ranks).index()] = Some(piece);
                }
                file += 1;
            } else {
                return error("a character that is neither a piece nor 1 to 8");
            }
            if file > 8 {
                return error("a rank of more than 8 squares");
            }
        }
        if file != 8 {
            return error("a rank of fewer than 8 squares");
        }
        ranks += 1;
    }
    if ranks == 8 { Ok(board) } else { error("fewer than 8 ranks") }
}

fn parse_castling(text: &str, board: &[Option<Piece>; 64], mode: CastlingMode) -> Result<Bitboard, FenError> {
    let error = |reason| Err(FenError::Castling { text: excerpt(text), reason });
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for (index, letter) in text.char_indices() {
        if text[..index].contains(letter) {
            return error("a letter given twice");
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            'k' => side_rook(board, color, mode, true),
            'q' => side_rook(board, color, mode, false),
            file @ 'a'..='h' => {
                let square = Square::at(file as u8 - b'a', color.pick(0, 7));
                let named = king_at_home(board, color).is_some() && is_rook(board, color, square);
                named.then_some(square)
            }
            _ => return error("a character that is neither of KQkq nor a file"),
        };
        rooks = rook.map_or(rooks, |square| rooks.with(square));
    }
    for color in Color::ALL {
        if let Some(king) = king_at_home(board, color) {
            let mine = rooks & Bitboard::back_rank(color);
            let east = mine.into_iter().filter(|rook| rook.file() > king.file()).count();
            if east > 1 || mine.count() as usize - east > 1 {
                return error("two rooks on one side of the king");
            }
        }
    }
    Ok(rooks)
}

fn is_rook(board: &[Option<Piece>; 64], color: Color, square: Square) -> bool {
    board[square.index()] == Some(Piece::new(color, Role::Rook))
}

/// The king's square, if he stands on his first rank.
fn king_at_home(board: &[Option<Piece>; 64], color: Color) -> Option<Square> {
    (0..8)
        .map(|file| Square::at(file, color.pick(0, 7)))
        .find(|square| board[square.index()] == Some(Piece::new(color, Role::King)))
}

/// The rook that `K`/`k` (east) or `Q`/`q` means in this mode.
fn side_rook(board: &[Option<Piece>; 64], color: Color, mode: CastlingMode, east: bool) -> Option<Square> {
    let king = king_at_home(board, color)?;
    let is_own_rook = |square: &Square| is_rook(board, color, *square);
    match mode {
        CastlingMode::Standard if king.file() != 4 => None,
        CastlingMode::Standard => Some(Square::at(if east { 7 } else { 0 }, king.rank())).filter(is_own_rook),
        CastlingMode::Chess960 if east => {
            (king.file() + 1..8).rev().map(|file| Square::at(file, king.rank())).find(is_own_rook)
        }
        CastlingMode::Chess960 => {
            (0..king.file()).map(|file| Square::at(file, king.rank())).find(is_own_rook)
        }
    }
}

/// A square on the other side's rank is well written but impossible, so it is dropped.
fn parse_ep(text: &str, turn: Color) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    match text.parse::<Square>() {
        Ok(square) if matches!(square.rank(), 2 | 5) => {
            Ok(Some(square).filter(|square| square.rank() == turn.pick(5, 2)))
        }
        _ => Err(FenError::EnPassant(excerpt(text))),
    }
}

/// Digits only: `u32::from_str` alone would take a plus sign.
fn parse_number(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

pub(super) fn parse_halfmove(text: &str) -> Result<u32, FenError> {
    parse_number(text).ok_or_else(|| FenError::HalfmoveClock(excerpt(text)))
}

/// Many files have 0 for the first move; it reads as 1.
pub(super) fn parse_fullmove(text: &str) -> Result<u32, FenError> {
    parse_number(text).map(|n| n.max(1)).ok_or_else(|| FenError::FullmoveNumber(excerpt(text)))
}

/// Writes X-FEN: castling letters `KQkq` where they mean the outermost rook, otherwise its file; the en-passant
/// square only if a capture there is legal.
pub fn format(position: &Position) -> String {
    with_counters(format_epd_fields(position), position)
}

/// Writes Shredder-FEN: castling rights always as rook files.
pub fn format_shredder(position: &Position) -> String {
    with_counters(fields(position, true), position)
}

/// Writes the first four fields, as EPD has them (X-FEN castling letters).
pub fn format_epd_fields(position: &Position) -> String {
    fields(position, false)
}

/// True if a castling right cannot be written in ordinary FEN: the king is not on the e-file or the rook not in the
/// corner. Such a position is Chess960 whatever its label.
pub fn needs_chess960(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rooks = position.castling_rooks() & Bitboard::back_rank(color);
        rooks.any()
            && (position.king(color).file() != 4 || (rooks - (Bitboard::FILE_A | Bitboard::FILE_H)).any())
    })
}

fn with_counters(mut text: String, position: &Position) -> String {
    let _ = write!(text, " {} {}", position.halfmove_clock(), position.fullmove_number());
    text
}

fn fields(position: &Position, shredder: bool) -> String {
    let mut text = String::with_capacity(90);
    for rank in (0..8).rev() {
        let mut empty = 0u8;
        for file in 0..8 {
            match position.piece_at(Square::at(file, rank)) {
                Some(piece) => {
                    if empty > 0 {
                        text.push((b'0' + empty) as char);
                    }
                    empty = 0;
                    text.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push((b'0' + empty) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text.push_str(position.turn().pick(" w ", " b "));
    push_castling(&mut text, position, shredder);
    match position.ep_square() {
        Some(square) => {
            let _ = write!(text, " {square}");
        }
        None => text.push_str(" -"),
    }
    text
}

fn push_castling(text: &mut String, position: &Position, shredder: bool) {
    if position.castling_rooks().is_empty() {
        text.push('-');
        return;
    }
    for color in Color::ALL {
        let home = Bitboard::back_rank(color);
        let king = position.king(color);
        let own_rooks = position.pieces(color, Role::Rook) & home;
        for east in [true, false] {
            let on_side = |square: &Square| (square.file() > king.file()) == east;
            let Some(rook) = (position.castling_rooks() & home).into_iter().find(on_side) else { continue };
            // Squares come west to east, so the outermost is the last to the east and the first to the west.
            let mut side = own_rooks.into_iter().filter(on_side);
            let outermost = if east { side.last() } else { side.next() };
            let letter = match (shredder, outermost == Some(rook)) {
                (false, true) => {
                    if east {
                        'k'
                    } else {
                        'q'
                    }
                }
                _ => (b'a' + rook.file()) as char,
            };
            text.push(color.pick(letter.to_ascii_uppercase(), letter));
        }
    }
}
