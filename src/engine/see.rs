//! Static exchange evaluation: what a sequence of captures on one square wins, both sides free to stop.
//!
//! Pins are not looked at. Source: page "Static Exchange Evaluation" (the swap algorithm,
//! cut short as soon as the threshold is decided) of the seed documents.

use crate::rules::Position;
use crate::sliders::{Sliders, compiled_for, empty};
use crate::types::{Bitboard, Color, Move, MoveKind, Role, Square};

/// Piece values of the exchange, centipawns: pawn 100, knight and bishop 325, rook 500, queen 975.
pub const VALUES: [i32; 6] = [100, 325, 325, 500, 975, 20_000];

/// Value of what the move takes and of what a pawn gains by promoting.
pub fn gain(pos: &Position, mv: Move) -> i32 {
    match mv.kind() {
        MoveKind::Castle => 0,
        MoveKind::EnPassant => VALUES[0],
        _ => {
            let victim = pos.role_at(mv.to()).map_or(0, |role| VALUES[role.index()]);
            victim + mv.promotion_role().map_or(0, |role| VALUES[role.index()] - VALUES[0])
        }
    }
}

/// True if the exchange that starts with this legal move wins its mover at least `threshold` centipawns.
pub fn see_ge<S: Sliders>(pos: &Position, mv: Move, threshold: i32, sliders: S) -> bool {
    if mv.is_castle() {
        return threshold <= 0;
    }
    let mut balance = gain(pos, mv) - threshold;
    if balance < 0 {
        return false;
    }
    let mut swap = Swap::new(pos, mv);
    balance -= VALUES[swap.first_mover(pos, mv).index()];
    if balance >= 0 {
        return true;
    }
    // `balance`: of the side to capture, if it captures and the piece is then lost.
    let mut mover_wins = true;
    while let Some(role) = swap.next_capture(pos, sliders) {
        mover_wins = !mover_wins;
        balance = -balance - 1 - VALUES[role.index()];
        if balance >= 0 {
            break;
        }
    }
    mover_wins
}

/// The board during an exchange.
struct Swap {
    square: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    side: Color,
    attackers_known: bool,
}

impl Swap {
    fn new(pos: &Position, mv: Move) -> Swap {
        let to = mv.to();
        let mut occupied = pos.occupied().without(mv.from()).with(to);
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied.without(Square::at(to.file(), mv.from().rank()));
        }
        Swap { square: to, occupied, attackers: Bitboard::EMPTY, side: !pos.turn(), attackers_known: false }
    }

    fn first_mover(&self, pos: &Position, mv: Move) -> Role {
        mv.promotion_role().or(pos.role_at(mv.from())).unwrap_or(Role::Pawn)
    }

    fn all_attackers<S: Sliders>(&self, pos: &Position, sliders: S) -> Bitboard {
        let square = self.square;
        let white = pos.pieces(Color::White, Role::Pawn) & empty::pawn(Color::Black, square);
        let black = pos.pieces(Color::Black, Role::Pawn) & empty::pawn(Color::White, square);
        white
            | black
            | empty::knight(square) & pos.by_role(Role::Knight)
            | empty::king(square) & pos.by_role(Role::King)
            | self.slider_attackers(pos, sliders)
    }

    fn slider_attackers<S: Sliders>(&self, pos: &Position, sliders: S) -> Bitboard {
        let queens = pos.by_role(Role::Queen);
        compiled_for::<S, _>(|| {
            sliders.bishop(self.square, self.occupied) & (pos.by_role(Role::Bishop) | queens)
                | sliders.rook(self.square, self.occupied) & (pos.by_role(Role::Rook) | queens)
        })
    }

    /// Lets the least valuable attacker of the side to capture take; its role, or `None` if there is none.
    fn next_capture<S: Sliders>(&mut self, pos: &Position, sliders: S) -> Option<Role> {
        if !self.attackers_known {
            self.attackers = self.all_attackers(pos, sliders);
            self.attackers_known = true;
        }
        self.attackers &= self.occupied;
        let own = self.attackers & pos.by_color(self.side);
        let (role, square) =
            Role::ALL.iter().find_map(|&role| Some((role, (own & pos.by_role(role)).first()?)))?;
        // A king cannot take what is guarded.
        if role == Role::King && (self.attackers & pos.by_color(!self.side)).any() {
            return None;
        }
        self.occupied = self.occupied.without(square);
        // A piece behind the one that took may now attack as well.
        if role != Role::Knight && role != Role::King {
            self.attackers |= self.slider_attackers(pos, sliders);
        }
        self.side = !self.side;
        Some(role)
    }
}
