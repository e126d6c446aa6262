//! Magic bitboards: a multiplication gathers the relevant blockers' bits into an index of a table of attacks.
//! One file per way to lay out the table; `factors` holds the constants, [`search`] finds them.
//! Source of the family: page "Magic Bitboards" of the seed documents.

mod byte;
mod entry;
mod factors;
mod fancy;
mod in_factor;
mod overlapped;
mod placed;
mod plain;
pub mod search;
mod shared;
mod thirty_two;

pub use byte::MagicByte;
pub use fancy::MagicFancy;
pub use in_factor::{MagicOffsetInFactor, MagicShiftInFactor};
pub use overlapped::{MagicBlack, MagicFixedFancy};
pub use plain::MagicPlain;
pub use shared::MagicShared;
pub use thirty_two::Magic32Bit;
