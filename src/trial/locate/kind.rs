//! What to call a fault of a move generator: each missing and each surplus move has a kind, and where all of a position's
//! have the same one, so has the position. Must not know engines.

use crate::rules::{Illegality, Position, illegality};
use crate::types::{Bitboard, Move, MoveKind, Role, Square};
use serde::{Serialize, Serializer};

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $id:literal $name:ident,)*) => {
        /// The kinds of fault; their ids are kebab-case and permanent.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Kind { $($(#[doc = $doc])* $name,)* }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$name,)*];

            pub const fn id(self) -> &'static str {
                match self { $(Kind::$name => $id,)* }
            }

            /// One line for people.
            pub fn about(self) -> &'static str {
                match self { $(Kind::$name => concat!($($doc,)*).trim_ascii_start(),)* }
            }
        }
    };
}

kinds! {
    /// an en-passant capture that opens a line to the own king
    "en-passant-pinned" EnPassantPinned,
    /// an en-passant capture forgotten, or made where no pawn has just passed
    "en-passant" EnPassant,
    /// castling out of, through or into check
    "castling-through-check" CastlingThroughCheck,
    /// castling forgotten, or without the right, or with something in between
    "castling" Castling,
    /// a promotion to knight, bishop or rook forgotten
    "under-promotion" UnderPromotion,
    /// a promotion forgotten, to no piece, or where there is none
    "promotion" Promotion,
    /// a pawn's two steps forgotten, from elsewhere than home, or over a piece
    "double-push" DoublePush,
    /// a move of a piece that shields its king: made, or forgotten along the line
    "pinned-piece" PinnedPiece,
    /// the king steps onto an attacked square
    "king-into-check" KingIntoCheck,
    /// in check: a way out forgotten, or a move that leaves the king in check
    "check-evasion" CheckEvasion,
    /// a king's move forgotten
    "king-move" KingMove,
    /// a capture forgotten
    "capture" Capture,
    /// another move forgotten
    "quiet-move" QuietMove,
    /// a move that the piece cannot make: wrong geometry, something in the way, no own piece there
    "impossible-move" ImpossibleMove,
    /// a move listed twice
    "duplicate" Duplicate,
    /// the lists are right, the counts are not: making, taking back or a hash table
    "count" Count,
    /// wrong, but the engine does not say which move (it prints only totals, or a name that cannot be read)
    "unknown" Unknown,
    /// several of these at once
    "mixed" Mixed,
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// The kind of a legal move that is not listed; `missing` are all of these.
pub(super) fn of_missing(position: &Position, mv: Move, missing: &[Move]) -> Kind {
    let (from, us) = (mv.from(), position.turn());
    if let Some(role) = mv.promotion_role() {
        let queen = Move::promotion(from, mv.to(), Role::Queen);
        return match missing.contains(&queen) {
            true if position.is_check() => Kind::CheckEvasion,
            true => Kind::Promotion,
            false => {
                debug_assert_ne!(role, Role::Queen);
                Kind::UnderPromotion
            }
        };
    }
    let (occupied, king) = (position.occupied(), position.king(us));
    let is_pinned = || position.attackers(king, occupied - Bitboard::square(from), !us).any();
    match mv.kind() {
        MoveKind::Castle => Kind::Castling,
        MoveKind::EnPassant => Kind::EnPassant,
        _ if position.is_check() => Kind::CheckEvasion,
        _ if from == king => Kind::KingMove,
        _ if is_pinned() => Kind::PinnedPiece,
        _ if position.role_at(from) == Some(Role::Pawn) && from.rank().abs_diff(mv.to().rank()) == 2 => {
            Kind::DoublePush
        }
        _ if position.is_capture(mv) => Kind::Capture,
        _ => Kind::QuietMove,
    }
}

/// The kind of a listed move that is not legal.
pub(super) fn of_extra(
    position: &Position,
    passed: Option<Square>,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Kind {
    match illegality(position, passed, from, to, promotion) {
        Some(Illegality::EnPassant) => Kind::EnPassant,
        Some(Illegality::EnPassantPinned) => Kind::EnPassantPinned,
        Some(Illegality::Castling) => Kind::Castling,
        Some(Illegality::CastlingThroughCheck) => Kind::CastlingThroughCheck,
        Some(Illegality::Promotion) => Kind::Promotion,
        Some(Illegality::DoublePush) => Kind::DoublePush,
        Some(Illegality::KingIntoCheck) => Kind::KingIntoCheck,
        Some(Illegality::CheckEvasion) => Kind::CheckEvasion,
        Some(Illegality::PinnedPiece) => Kind::PinnedPiece,
        Some(Illegality::Impossible) | None => Kind::ImpossibleMove,
    }
}

/// One name for a position's faults.
pub(super) fn together(kinds: impl IntoIterator<Item = Kind>) -> Kind {
    let mut all: Vec<Kind> = Vec::new();
    for kind in kinds {
        if !all.contains(&kind) {
            all.push(kind);
        }
    }
    // The wider of two names covers the narrower one.
    for (wide, narrow) in [(Kind::Promotion, Kind::UnderPromotion), (Kind::CheckEvasion, Kind::EnPassant)] {
        if all.contains(&wide) {
            all.retain(|&kind| kind != narrow);
        }
    }
    match all[..] {
        [] => Kind::Unknown,
        [only] => only,
        _ => Kind::Mixed,
    }
}
