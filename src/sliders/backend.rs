//! The trait of all slider techniques, and their list.

use super::Needs;
use super::pictures::{self, Picture};
use super::reads::{Reads, Unwatched};
use crate::types::{Bitboard, Square};

/// A way to compute the attacks of sliding pieces. Values are small (a unit or a reference to tables) and handed down
/// by value through the hot loops.
pub trait Sliders: Copy + Send + Sync + 'static {
    /// Which technique this is.
    const BACKEND: Backend;

    const CARD: Card;

    /// The value to hand down; makes the tables at the first call. There is no other way to one, so that a value shows that the
    /// processor has what the lookups need.
    ///
    /// # Panics
    /// Where the technique is not supported: ask [`Backend::is_supported`] first.
    fn new() -> Self;

    /// Bytes of the tables that a lookup may read, masks and offsets included.
    fn table_bytes(self) -> usize;

    /// Squares a rook on `square` attacks: up to and including the first occupied square in each direction.
    /// Whether `square` itself is in `occupied` does not matter.
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook_through(square, occupied, &mut Unwatched)
    }

    /// Squares a bishop on `square` attacks.
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishop_through(square, occupied, &mut Unwatched)
    }

    /// [`Sliders::rook`], every place of a table read through `reads`. Techniques with tables write this one, those without
    /// the other.
    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, _reads: &mut R) -> Bitboard {
        self.rook(square, occupied)
    }

    /// [`Sliders::bishop`] in the same way. A queen's lookup reads what both read.
    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, _reads: &mut R) -> Bitboard {
        self.bishop(square, occupied)
    }

    /// Squares a queen on `square` attacks.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }

    /// The steps from the occupancy to the attacks, for people; the attack sets themselves come last. Not for hot code.
    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::attacks(self, square, occupied)
    }
}

/// What a technique is, before it is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card {
    /// Who found it, as far as the source says.
    pub author: &'static str,
    /// One line: how it works.
    pub idea: &'static str,
    /// The page of the seed documents that describes it, or what else does.
    pub page: &'static str,
    pub needs: Needs,
}

/// Hands the list of techniques, type and id, to a macro: the one place where a technique is entered.
#[doc(hidden)]
#[macro_export]
macro_rules! backend_list {
    ([$($then:tt)*] $($args:tt)*) => {
        $($then)*! { $($args)*
            Oracle "oracle",
            Classical "classical",
            Hyperbola "hyperbola",
            MagicFancy "magic-fancy",
            MagicPlain "magic-plain",
            MagicByte "magic-byte",
            Magic32Bit "magic-32bit",
            MagicShared "magic-shared",
            MagicShiftInFactor "magic-shift-in-factor",
            MagicOffsetInFactor "magic-offset-in-factor",
            MagicFixedFancy "magic-fixed-fancy",
            MagicBlack "magic-black",
            Pext "pext",
            ObstructionDifference "obstruction-difference",
            PextPacked "pext-packed",
            PextSplit "pext-split",
            PextSoft "pext-soft",
            Qbb "qbb",
            ObstructionGenetic "obstruction-genetic",
            Leorik "leorik",
            Sherwin "sherwin",
            Exploding "exploding",
            CongruentModulo "congruent-modulo",
            CastingOut255 "casting-out-255",
            HashDictionaryStd "hash-dictionary-std",
            HashDictionaryOpen "hash-dictionary-open",
            FoldingHash "folding-hash",
            Gfni "gfni",
            Avx2Batch "avx2-batch",
            Avx512Batch "avx512-batch",
            OwnLanes "own-lanes",
            OwnRotor "own-rotor",
            Dumb7Fill "dumb7fill",
            KoggeStone "kogge-stone",
            HyperbolaBitrev "hyperbola-bitrev",
            HyperbolaRankmap "hyperbola-rankmap",
            HyperbolaSetwise "hyperbola-setwise",
            HyperbolaSimd "hyperbola-simd",
            Kindergarten "kindergarten",
            KindergartenDense "kindergarten-dense",
            KindergartenFold32 "kindergarten-fold32",
            KindergartenMagicfile "kindergarten-magicfile",
            Sbamg "sbamg",
            RotatedIndices "rotated-indices",
            Rotated "rotated",
        }
    };
}

macro_rules! backend_enum {
    ($($name:ident $id:literal,)*) => {
        /// The slider techniques. Ids are permanent: they stand in saved records.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Backend { $( #[doc = $id] $name ),* }

        impl Backend {
            pub const ALL: &'static [Backend] = &[ $( Backend::$name ),* ];

            /// The permanent kebab-case id.
            pub const fn id(self) -> &'static str {
                match self { $( Backend::$name => $id ),* }
            }

            /// Author, idea, source, needs.
            pub const fn card(self) -> Card {
                match self { $( Backend::$name => <super::$name as Sliders>::CARD ),* }
            }
        }
    };
}

crate::backend_list! { [backend_enum] }

/// Runs the body with the name bound to the value of the chosen backend: one `match`, then monomorphised code.
///
/// ```
/// use gauntlet::{sliders::{Backend, Sliders}, types::{Bitboard, Square}, with_backend};
/// let attacks = with_backend!(Backend::Classical, |s| s.rook(Square::A1, Bitboard::EMPTY));
/// assert_eq!(attacks.count(), 14);
/// ```
#[macro_export]
macro_rules! with_backend {
    (@match ($backend:expr, $sliders:ident, $body:expr) $($name:ident $id:literal,)*) => {
        match $backend {
            $( $crate::sliders::Backend::$name => {
                let $sliders = <$crate::sliders::$name as $crate::sliders::Sliders>::new();
                $body
            } )*
        }
    };
    ($backend:expr, |$sliders:ident| $body:expr) => {
        $crate::backend_list! { [$crate::with_backend] @match ($backend, $sliders, $body) }
    };
}

impl Backend {
    /// The inverse of [`Backend::id`].
    pub fn from_id(id: &str) -> Option<Backend> {
        Backend::ALL.iter().copied().find(|backend| backend.id() == id)
    }

    /// False where the processor has not the instructions it needs. There is no value of such a technique: nobody may look
    /// anything up with it, and [`with_backend!`](crate::with_backend) panics.
    pub fn is_supported(self) -> bool {
        self.card().needs.are_met()
    }

    /// What is wrong with choosing it here, for people.
    pub fn unsupported(self) -> Option<String> {
        let (id, needs) = (self.id(), self.card().needs.name());
        (!self.is_supported())
            .then(|| format!("slider backend `{id}` is unsupported: this processor does not have {needs}"))
    }

    /// Bytes of the tables that a lookup may read; makes the tables. `None` where it is not supported.
    pub fn table_bytes(self) -> Option<usize> {
        self.is_supported().then(|| with_backend!(self, |sliders| sliders.table_bytes()))
    }

    /// What everything uses unless told otherwise: PEXT where the processor has it, else fancy magics.
    pub fn default_backend() -> Backend {
        if Backend::Pext.is_supported() { Backend::Pext } else { Backend::MagicFancy }
    }

    /// Whether it is the [`Backend::default_backend`] of some processor that this build is made for: code that is not to
    /// be compiled once per technique is compiled for these.
    pub(crate) const fn may_be_default(self) -> bool {
        matches!(self, Backend::Pext) || self as u8 == DefaultSliders::BACKEND as u8
    }
}

/// For code that is compiled for one technique only: PEXT where every processor that the build is made for has it, else fancy
/// magics.
#[cfg(target_feature = "bmi2")]
pub type DefaultSliders = super::Pext;
/// For code that is compiled for one technique only: PEXT where every processor that the build is made for has it, else fancy
/// magics.
#[cfg(not(target_feature = "bmi2"))]
pub type DefaultSliders = super::MagicFancy;
