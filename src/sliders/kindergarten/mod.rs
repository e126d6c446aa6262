//! Kindergarten bitboards: a multiplication gathers the inner six squares of a line into an index. A rank or diagonal has
//! one square per file, so the factor b1-b8 piles it up on the eighth rank; the attacks, eight copies of a first-rank
//! attack, are cut to the line by the mask that was used for the occupancy. A file is shifted to the a-file, turned into an
//! index by the anti-diagonal c7-h2, and its attacks are shifted back.
//! Source: page "Kindergarten Bitboards" of the seed documents (Gerd Isenberg, index order by Aleks Peshkov).
//! Tables: 4 KB shared by ranks and diagonals, 4 KB for files, 2 KB masks. Needs nothing.
//! Other than on the page, the rank's index is a shift, not a multiplication, and the file shift is logical.

mod dense;
mod fold32;
mod magicfile;

pub use dense::KindergartenDense;
pub use fold32::KindergartenFold32;
pub use magicfile::KindergartenMagicfile;

use super::lines::{FIRST_RANK_CONST, LINES, Lines};
use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Reads, Sliders, Unwatched};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = 2 * size_of::<[[u64; 64]; 8]>() + size_of::<[Lines; 64]>();
const FILE_A: u64 = Bitboard::FILE_A.0;
const FILE_B: u64 = FILE_A << 1;
/// c7-h2.
const FILE_FACTOR: u64 = 0x0004_0810_2040_8000;

/// By the slider's place on the line and the inner occupancy: a first-rank attack in every rank, and along the a-file.
const fn attack_tables() -> ([[u64; 64]; 8], [[u64; 64]; 8]) {
    let mut fill_up = [[0; 64]; 8];
    let mut a_file = [[0; 64]; 8];
    let mut place = 0;
    while place < 8 {
        let mut inner = 0;
        while inner < 64 {
            let attacks = FIRST_RANK_CONST[inner][place] as u64;
            fill_up[place][inner] = attacks * FILE_A;
            let mut i = 0;
            while i < 8 {
                a_file[place][inner] |= (attacks >> i & 1) << (8 * i);
                i += 1;
            }
            inner += 1;
        }
        place += 1;
    }
    (fill_up, a_file)
}

static FILL_UP: [[u64; 64]; 8] = attack_tables().0;
static A_FILE: [[u64; 64]; 8] = attack_tables().1;

/// Multiplication and a shared table.
#[derive(Clone, Copy, Debug)]
pub struct Kindergarten;

/// Attacks along a rank: its six inner squares are the index.
#[inline(always)]
fn rank<R: Reads>(square: Square, occupied: u64, reads: &mut R) -> u64 {
    let inner = occupied >> (square.index() & 56) >> 1 & 63;
    reads.at(&LINES[square.index()].rank) & reads.at(&FILL_UP[square.file() as usize][inner as usize])
}

/// Attacks along a diagonal, given as its mask.
#[inline(always)]
fn diagonal<R: Reads>(square: Square, line: &u64, occupied: u64, reads: &mut R) -> u64 {
    let line = *reads.at(line);
    let inner = (occupied & line).wrapping_mul(FILE_B) >> 58;
    line & reads.at(&FILL_UP[square.file() as usize][inner as usize])
}

#[inline(always)]
fn file<R: Reads>(square: Square, occupied: u64, reads: &mut R) -> u64 {
    let inner = (occupied >> square.file() & FILE_A).wrapping_mul(FILE_FACTOR) >> 58;
    reads.at(&A_FILE[square.rank() as usize][inner as usize]) << square.file()
}

/// Attacks of a bishop; the variant for files shares it.
#[inline(always)]
fn bishop<R: Reads>(square: Square, occupied: u64, reads: &mut R) -> u64 {
    let lines = &LINES[square.index()];
    diagonal(square, &lines.diagonal, occupied, reads)
        | diagonal(square, &lines.anti_diagonal, occupied, reads)
}

impl Sliders for Kindergarten {
    const BACKEND: Backend = Backend::Kindergarten;
    const CARD: Card = Card {
        author: "Gerd Isenberg",
        idea: "a multiplication gathers the line, a shared 4 KB table answers, the mask cuts",
        page: "Kindergarten Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> Kindergarten {
        Kindergarten
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        Bitboard(rank(square, occupied.0, reads) | file(square, occupied.0, reads))
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        Bitboard(bishop(square, occupied.0, reads))
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let line = LINES[square.index()].diagonal;
        let blockers = occupied.0 & line;
        let product = blockers.wrapping_mul(FILE_B);
        let inner = product >> 58;
        let steps = [
            Picture::of("The diagonal, one square on each file", Bitboard(line)),
            Picture::of("Blockers on it", Bitboard(blockers)),
            Picture::word("Times b1-b8: the bits of all files come together on the eighth rank", product),
            pictures::index("The inner six files, shifted down", inner as usize, 64),
            Picture::of(
                "The table's answer: attacks along a rank, eight times",
                Bitboard(FILL_UP[square.file() as usize][inner as usize]),
            ),
            Picture::of("Cut to the diagonal", Bitboard(diagonal(square, &line, occupied.0, &mut Unwatched))),
            Picture::of(
                "The file: shifted to a1-a8, turned into an index, looked up, shifted back",
                Bitboard(file(square, occupied.0, &mut Unwatched)),
            ),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}
