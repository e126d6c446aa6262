//! The trait of all slider techniques, and their list.

use crate::types::{Bitboard, Square};

/// A way to compute the attacks of sliding pieces. Values are small (a unit or a reference to tables) and handed down
/// by value through the hot loops.
pub trait Sliders: Copy + Send + Sync + 'static {
    /// Which technique this is.
    const BACKEND: Backend;

    /// The value to hand down; makes the tables at the first call.
    fn new() -> Self;

    /// Squares a rook on `square` attacks: up to and including the first occupied square in each direction.
    /// Whether `square` itself is in `occupied` does not matter.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Squares a bishop on `square` attacks.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Squares a queen on `square` attacks.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

macro_rules! backends {
    ($($name:ident $id:literal $about:literal),* $(,)?) => {
        /// The slider techniques. Ids are permanent: they stand in saved records.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Backend { $( #[doc = $about] $name ),* }

        impl Backend {
            pub const ALL: &'static [Backend] = &[ $( Backend::$name ),* ];

            /// The permanent kebab-case id.
            pub const fn id(self) -> &'static str {
                match self { $( Backend::$name => $id ),* }
            }

            /// One line: the idea and where it comes from.
            pub const fn about(self) -> &'static str {
                match self { $( Backend::$name => $about ),* }
            }
        }
    };
}

backends! {
    Oracle "oracle" "walks every ray square by square: slow and obviously right, the judge of the others",
    Classical "classical" "ray lookup and a bit scan for the first blocker of each ray (page On an empty Board)",
    Hyperbola "hyperbola" "o^(o-2r) on files and diagonals with a byte swap, first-rank table (page Hyperbola Quintessence)",
    MagicFancy "magic-fancy" "perfect hashing by multiplication, a table of its own size per square (page Magic Bitboards)",
    Pext "pext" "the blockers' bits extracted by one instruction index the table (page BMI2 of the field)",
    ObstructionDifference "obstruction-difference" "2·LS1B of the upper blockers minus MS1B of the lower ones, per line (page Obstruction Difference)",
}

/// Runs the body with the name bound to the value of the chosen backend: one `match`, then monomorphised code.
///
/// ```
/// use gauntlet::{sliders::{Backend, Sliders}, types::{Bitboard, Square}, with_backend};
/// let attacks = with_backend!(Backend::Classical, |s| s.rook(Square::A1, Bitboard::EMPTY));
/// assert_eq!(attacks.count(), 14);
/// ```
#[macro_export]
macro_rules! with_backend {
    ($backend:expr, |$sliders:ident| $body:expr) => {
        $crate::with_backend!(@match $backend, $sliders, $body,
            Oracle Classical Hyperbola MagicFancy Pext ObstructionDifference)
    };
    (@match $backend:expr, $sliders:ident, $body:expr, $($name:ident)*) => {
        match $backend {
            $( $crate::sliders::Backend::$name => {
                let $sliders = <$crate::sliders::$name as $crate::sliders::Sliders>::new();
                $body
            } )*
        }
    };
}

impl Backend {
    /// The inverse of [`Backend::id`].
    pub fn from_id(id: &str) -> Option<Backend> {
        Backend::ALL.iter().copied().find(|backend| backend.id() == id)
    }

    /// False where this build has no instruction for it; such a backend still answers rightly, by a slow stand-in, but
    /// must not be timed.
    pub const fn is_supported(self) -> bool {
        match self {
            Backend::Pext => cfg!(target_feature = "bmi2"),
            _ => true,
        }
    }

    /// Bytes of the tables that a lookup may read.
    pub const fn table_bytes(self) -> usize {
        match self {
            Backend::Oracle => 0,
            Backend::Classical => super::classical::TABLE_BYTES,
            Backend::Hyperbola => super::hyperbola::TABLE_BYTES,
            Backend::MagicFancy => super::magic_fancy::TABLE_BYTES,
            Backend::Pext => super::pext::TABLE_BYTES,
            Backend::ObstructionDifference => super::obstruction_difference::TABLE_BYTES,
        }
    }

    /// What everything uses unless told otherwise: PEXT where the build has it, else fancy magics.
    pub const fn default_backend() -> Backend {
        if Backend::Pext.is_supported() { Backend::Pext } else { Backend::MagicFancy }
    }
}

/// The type of [`Backend::default_backend`], for code that is not to be compiled once per technique.
#[cfg(target_feature = "bmi2")]
pub type DefaultSliders = super::Pext;
/// The type of [`Backend::default_backend`], for code that is not to be compiled once per technique.
#[cfg(not(target_feature = "bmi2"))]
pub type DefaultSliders = super::MagicFancy;

const _: () = assert!(DefaultSliders::BACKEND as u8 == Backend::default_backend() as u8);
