//! Why a move is not legal: the rule it breaks, for those who must name the fault of another generator (or have it on
//! purpose). Slow and plain; nothing that plays or counts comes here. Must not know strings.

use super::castling::castling_targets;
use super::position::Position;
use crate::types::{Bitboard, Color, Role, Square};

/// The rule that a move breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Illegality {
    /// No own piece there, or it does not move like that, or something stands in the way.
    Impossible,
    /// En passant where no pawn has just passed.
    EnPassant,
    /// En passant that opens a line to the own king: both pawns leave it at once.
    EnPassantPinned,
    /// Castling without the right, or with something in between.
    Castling,
    /// Castling out of, through or into check.
    CastlingThroughCheck,
    /// A pawn on the last rank that becomes nothing, a king or a pawn; a promotion elsewhere.
    Promotion,
    /// Two steps of a pawn that has moved, or over or onto a piece.
    DoublePush,
    /// The king steps onto an attacked square.
    KingIntoCheck,
    /// The king is in check and still is afterwards.
    CheckEvasion,
    /// The piece shields its king.
    PinnedPiece,
}

/// The rule broken by a move in coordinates; `None` if it is legal. Castling is king takes rook, or the king's step of two
/// squares or more. `ep`: the square a pawn has just passed, also where no capture there is legal.
pub fn illegality(
    position: &Position,
    ep: Option<Square>,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Option<Illegality> {
    let (us, occupied) = (position.turn(), position.occupied());
    let own = position.by_color(us);
    let role = position.role_at(from).filter(|_| own.has(from) && from != to);
    let Some(role) = role else { return Some(Illegality::Impossible) };
    if role == Role::King && is_castling(position, from, to) {
        return castling(position, from, to);
    }
    if own.has(to) {
        return Some(Illegality::Impossible);
    }
    let mut victim = Bitboard::square(to) & occupied;
    if role == Role::Pawn {
        match pawn(position, ep, from, to) {
            Err(broken) => return Some(broken),
            Ok(taken) => victim = taken,
        }
        let last = to.rank() == us.pick(7, 0);
        if last != promotion.is_some_and(|role| Role::PROMOTIONS.contains(&role))
            || (!last && promotion.is_some())
        {
            return Some(Illegality::Promotion);
        }
    } else if promotion.is_some() {
        return Some(Illegality::Promotion);
    } else if !position.attackers(to, occupied, us).has(from) {
        return Some(Illegality::Impossible);
    }
    let king = if role == Role::King { to } else { position.king(us) };
    let after = (occupied - Bitboard::square(from) - victim).with(to);
    if (position.attackers(king, after, !us) - victim).is_empty() {
        return None;
    }
    Some(match role {
        Role::King => Illegality::KingIntoCheck,
        _ if position.is_check() => Illegality::CheckEvasion,
        Role::Pawn if !victim.has(to) && victim.any() => Illegality::EnPassantPinned,
        _ => Illegality::PinnedPiece,
    })
}

/// The king goes to an own rook, or further than he can step.
fn is_castling(position: &Position, from: Square, to: Square) -> bool {
    let rook = position.pieces(position.turn(), Role::Rook).has(to);
    from.rank() == to.rank() && (rook || from.distance(to) > 1)
}

fn castling(position: &Position, king: Square, to: Square) -> Option<Illegality> {
    let (us, occupied) = (position.turn(), position.occupied());
    let rooks = position.castling_rooks() & Bitboard::back_rank(us);
    let rook = if rooks.has(to) {
        Some(to)
    } else {
        rooks.into_iter().find(|rook| (rook.file() > king.file()) == (to.file() > king.file()))
    };
    let is_back_rank = king.rank() == us.pick(0, 7);
    let Some(rook) = rook.filter(|_| is_back_rank) else { return Some(Illegality::Castling) };
    let (king_to, rook_to) = castling_targets(king, rook);
    // The king's two-square form names his target, the other one the rook.
    if to != rook && to != king_to {
        return Some(Illegality::Castling);
    }
    let others = occupied - Bitboard::square(king) - Bitboard::square(rook);
    if way(king, king_to).chain(way(rook, rook_to)).any(|square| others.has(square)) {
        return Some(Illegality::Castling);
    }
    let hit = |square, occupied| position.attackers(square, occupied, !us).any();
    let afterwards = others.with(king_to).with(rook_to);
    let through = way(king, king_to).any(|square| hit(square, occupied - Bitboard::square(king)));
    (hit(king, occupied) || through || hit(king_to, afterwards)).then_some(Illegality::CastlingThroughCheck)
}

/// The squares from one to another of the same rank, both ends included.
fn way(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (low, high) = (from.file().min(to.file()), from.file().max(to.file()));
    (low..=high).map(move |file| Square::at(file, from.rank()))
}

/// What a pawn takes with this move, or the rule that keeps it from moving so.
fn pawn(position: &Position, ep: Option<Square>, from: Square, to: Square) -> Result<Bitboard, Illegality> {
    let (us, occupied) = (position.turn(), position.occupied());
    let step = us.pick(1, -1);
    let ahead = (to.rank() as i8 - from.rank() as i8) * step;
    let aside = from.file().abs_diff(to.file());
    match (ahead, aside) {
        (1, 1) if position.by_color(!us).has(to) => Ok(Bitboard::square(to)),
        (1, 1) if !occupied.has(to) => {
            let beside = Square::at(to.file(), from.rank());
            let passed = position.pieces(!us, Role::Pawn).has(beside);
            match (passed, ep == Some(to)) {
                (true, true) => Ok(Bitboard::square(beside)),
                (true, false) => Err(Illegality::EnPassant),
                _ => Err(Illegality::Impossible),
            }
        }
        (1, 0) if !occupied.has(to) => Ok(Bitboard::EMPTY),
        (2, 0) => {
            let between = Square::at(from.file(), (from.rank() + to.rank()) / 2);
            let is_home = from.rank() == us.pick(1, 6);
            let free = !occupied.has(between) && !occupied.has(to);
            if is_home && free { Ok(Bitboard::EMPTY) } else { Err(Illegality::DoublePush) }
        }
        _ => Err(Illegality::Impossible),
    }
}

/// All moves in coordinates that break exactly this rule, castling as king takes rook. For planted faults.
pub fn moves_that_break(
    position: &Position,
    ep: Option<Square>,
    rule: Illegality,
) -> Vec<(Square, Square, Option<Role>)> {
    let us: Color = position.turn();
    let mut found = Vec::new();
    for from in position.by_color(us) {
        for to in Square::all() {
            if position.role_at(from) == Some(Role::King)
                && is_castling(position, from, to)
                && !position.by_color(us).has(to)
            {
                continue;
            }
            let promotes = position.role_at(from) == Some(Role::Pawn) && matches!(to.rank(), 0 | 7);
            let promotion = promotes.then_some(Role::Queen);
            if illegality(position, ep, from, to, promotion) == Some(rule) {
                found.push((from, to, promotion));
            }
        }
    }
    found
}
