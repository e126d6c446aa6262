//! A second generator that shares nothing with the first but the vocabulary: a 0x88 board with piece lists, pseudo-legal
//! moves, make and unmake. It is there to disagree with `rules` if one of the two is wrong, and to be measured beside it.
//! Chess960 and double Chess960 included.
//!
//! This room must not know `rules`, `sliders` or strings: it is built from a [`Setup`](crate::types::Setup), and its Zobrist
//! keys come from the same numbers. Source: page "CPW-Engine Move(0x88)" of the seed documents.
//!
//! ```
//! use gauntlet::mailbox::Mailbox;
//! use gauntlet::rules::Position;
//!
//! let mut board = Mailbox::new(&Position::startpos().to_setup())?;
//! assert_eq!(board.perft(3, true), 8_902);
//! assert_eq!(board.key(), Position::startpos().key());
//! # Ok::<(), gauntlet::mailbox::MailboxError>(())
//! ```

mod attack;
mod board;
mod encoding;
mod generate;
mod geometry;
mod make;
mod perft;

pub use board::{Mailbox, MailboxError};
pub use encoding::MailboxMove;
pub use make::Undo;
