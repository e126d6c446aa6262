//! Attacks of sliding pieces, by several techniques behind one trait, and the attack tables of an empty board.
//!
//! A technique is one file with a type that implements [`Sliders`]; [`Backend`] lists them. Code that is hot takes
//! `S: Sliders` by value; [`with_backend!`](crate::with_backend) makes the one `match` outside it.
//! This room must not know positions or rules.

mod backend;
mod batch;
mod classical;
mod dictionary;
pub mod empty;
mod exploding;
mod fills;
mod folding_hash;
mod gfni;
mod hyperbola;
mod kindergarten;
mod leorik;
mod line_tables;
mod lines;
pub mod magic;
mod modulo;
mod needs;
mod obstruction_difference;
mod obstruction_genetic;
mod own;
mod pext;
mod pictures;
mod qbb;
mod reads;
mod reference;
mod relevant;
mod rotate;
mod rotated;
mod sbamg;
mod sherwin;
mod stateful;
pub mod verify;

pub use backend::{Backend, Card, DefaultSliders, Sliders};
pub(crate) use batch::with_batch;
pub use batch::{Avx2Batch, Avx512Batch, Batch};
pub use classical::Classical;
pub use dictionary::{HashDictionaryOpen, HashDictionaryStd};
pub use exploding::Exploding;
pub use fills::{Dumb7Fill, KoggeStone};
pub use folding_hash::FoldingHash;
pub use gfni::Gfni;
pub use hyperbola::{
    Hyperbola, HyperbolaBitrev, HyperbolaRankmap, HyperbolaSetwise, HyperbolaSimd, progressive_mobility,
};
pub use kindergarten::{Kindergarten, KindergartenDense, KindergartenFold32, KindergartenMagicfile};
pub use leorik::Leorik;
pub use magic::{
    Magic32Bit, MagicBlack, MagicByte, MagicFancy, MagicFixedFancy, MagicOffsetInFactor, MagicPlain,
    MagicShared, MagicShiftInFactor,
};
pub use modulo::{CastingOut255, CongruentModulo};
pub use needs::{Needs, compiled_for};
pub use obstruction_difference::ObstructionDifference;
pub use obstruction_genetic::ObstructionGenetic;
pub use own::{OwnLanes, OwnRotor};
pub use pext::{Pext, PextPacked, PextSoft, PextSplit};
pub use pictures::{Picture, example};
pub use qbb::Qbb;
pub use reads::{LINE_BYTES, Places, Reads, Unwatched};
pub use reference::Oracle;
pub use rotated::{Rotated, RotatedBoards, RotatedIndices, RotatedLines};
pub use sbamg::Sbamg;
pub use sherwin::Sherwin;
pub use stateful::Stateful;
pub(crate) use stateful::with_state;
