//! A byte per square and side: how many attack it (bits 0 to 2), and whether a pawn, a minor piece, a rook, a queen, the king
//! is among them (bits 3 to 7). Two such bytes and the piece on the square are enough to look up what an exchange there wins.
//!
//! Approximate by construction: the byte does not say how many of each kind there are (those beyond one of each are taken for
//! the least valuable kind that can be there more than once), pins and overloaded pieces are not seen, promotions neither, and
//! of pieces standing behind others only those are counted that [`Batteries::Seen`] names. How often it errs is measured by the study
//! `attack-byte`. Source: page "Attack and Defend Maps" of the seed documents ("Ed's lookup", after Schröder's REBEL).

use super::attacks;
use crate::rules::Position;
use crate::sliders::Sliders;
use crate::types::{Bitboard, Color, Role, Square};

/// Values of the exchange, centipawns, by role. A king is never lost: it takes last, or not at all.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 325, 325, 500, 975, 20_000];

/// Kinds the byte tells apart: pawn, minor piece, rook, queen, king.
const KINDS: usize = 5;
const VALUES: [i32; KINDS] = [100, 325, 500, 975, 20_000];

/// Most pieces of a kind that attack one square with the usual material: no two bishops of a side see the same square.
const MOST: [u8; KINDS] = [2, 3, 2, 1, 1];

const fn kind(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 3,
        Role::King => 4,
    }
}

/// One more attacker of this role. The count stops at 7.
#[inline(always)]
const fn with_attacker(byte: u8, role: Role) -> u8 {
    (byte | 1 << (3 + kind(role))) + (byte & 7 < 7) as u8
}

/// The byte of these attackers, by [`Role::index`].
pub fn attack_byte(counts: [u8; 6]) -> u8 {
    Role::ALL
        .iter()
        .fold(0, |byte, &role| (0..counts[role.index()]).fold(byte, |byte, _| with_attacker(byte, role)))
}

/// Whether pieces that stand behind their own count as attackers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Batteries {
    /// Only what attacks the square now.
    Ignored,
    /// Bishops and queens through own bishops and queens, rooks and queens through own rooks and queens.
    Seen,
}

/// The bytes of all squares, by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackBytes {
    bytes: [[u8; 64]; 2],
}

impl AttackBytes {
    /// Scans the pieces of the board: the flags of several pieces cannot be taken back one by one, so nothing is kept.
    pub fn new<S: Sliders>(position: &Position, batteries: Batteries, sliders: S) -> AttackBytes {
        let mut bytes = [[0; 64]; 2];
        for color in Color::ALL {
            let through = match batteries {
                Batteries::Ignored => [Bitboard::EMPTY; 2],
                Batteries::Seen => [Role::Bishop, Role::Rook]
                    .map(|role| position.pieces(color, role) | position.pieces(color, Role::Queen)),
            };
            for square in position.by_color(color) {
                let Some(piece) = position.piece_at(square) else { continue };
                let occupied = position.occupied();
                let [diagonal, orthogonal] = through.map(|own| occupied - own);
                let reached = match piece.role {
                    Role::Bishop => sliders.bishop(square, diagonal),
                    Role::Rook => sliders.rook(square, orthogonal),
                    Role::Queen => sliders.bishop(square, diagonal) | sliders.rook(square, orthogonal),
                    _ => attacks(piece, square, occupied, sliders),
                };
                for target in reached {
                    let byte = &mut bytes[color.index()][target.index()];
                    *byte = with_attacker(*byte, piece.role);
                }
            }
        }
        AttackBytes { bytes }
    }

    #[inline(always)]
    pub fn of(&self, color: Color, square: Square) -> u8 {
        self.bytes[color.index()][square.index()]
    }

    /// What `by` wins, at least nothing, by starting an exchange on the square of an enemy piece; 0 for any other square.
    #[inline]
    pub fn exchange(&self, table: &SeeTable, position: &Position, square: Square, by: Color) -> i32 {
        match position.piece_at(square) {
            Some(piece) if piece.color != by => {
                table.get(piece.role, self.of(by, square), self.of(!by, square))
            }
            _ => 0,
        }
    }
}

/// What an exchange wins, by victim, attack byte and defence byte: 5 × 256 × 256 entries of 2 bytes, 640 KiB.
#[derive(Clone, Debug)]
pub struct SeeTable {
    values: Box<[i16]>,
}

impl SeeTable {
    /// Works out every entry.
    pub fn new() -> SeeTable {
        let sides: Vec<[u8; KINDS]> = (0..=255).map(attackers).collect();
        let mut values = Vec::with_capacity(5 << 16);
        for victim in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for attack in &sides {
                let value = EXCHANGE_VALUES[victim.index()];
                values.extend(sides.iter().map(|defence| exchange(value, *attack, *defence) as i16));
            }
        }
        SeeTable { values: values.into_boxed_slice() }
    }

    /// Centipawns that the side with this attack byte wins on the square of an enemy piece, at least 0. A king is not taken: 0.
    #[inline(always)]
    pub fn get(&self, victim: Role, attack: u8, defence: u8) -> i32 {
        let index = victim.index() << 16 | usize::from(attack) << 8 | usize::from(defence);
        self.values.get(index).map_or(0, |&value| i32::from(value))
    }
}

impl Default for SeeTable {
    fn default() -> SeeTable {
        SeeTable::new()
    }
}

/// The attackers a byte stands for, by kind: one of each kind flagged, the others the cheapest there can be.
fn attackers(byte: u8) -> [u8; KINDS] {
    let mut counts: [u8; KINDS] = std::array::from_fn(|kind| byte >> (3 + kind) & 1);
    let mut others = (byte & 7).saturating_sub(counts.iter().sum());
    for (count, most) in counts.iter_mut().zip(MOST) {
        if *count > 0 {
            let more = others.min(most - 1);
            *count += more;
            others -= more;
        }
    }
    counts
}

/// The cheapest takes first; who would lose by going on stops.
fn exchange(victim: i32, attackers: [u8; KINDS], defenders: [u8; KINDS]) -> i32 {
    let Some(cheapest) = attackers.iter().position(|&count| count > 0) else { return 0 };
    if cheapest == KINDS - 1 && defenders.iter().any(|&count| count > 0) {
        return 0;
    }
    let mut left = attackers;
    left[cheapest] -= 1;
    (victim - exchange(VALUES[cheapest], defenders, left)).max(0)
}
