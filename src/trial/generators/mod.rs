//! The move generators there are to count with, by permanent ids; one choice outside the hot loop.
//! Must not know how any of them works. Their comparison is in `compare`, their differential test in `differential`.

pub mod compare;
pub mod differential;
mod node;
mod positions;

pub(super) use node::Node;
pub use positions::{Kind, RandomPositions};

use super::TrialError;
use crate::rules::{self, PerftTable, Position};
use crate::sliders::{Backend, DefaultSliders, Sliders};
use crate::with_backend;

/// How a generator that lives on [`Position`] counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// (position, plies, whether the last move is counted instead of made) → leaves.
    alone: fn(&Position, u32, bool) -> u64,
    /// The same in bulk with a table of counts already made; the generator that is made for speed alone has it.
    hashed: Option<fn(&Position, u32, &PerftTable) -> u64>,
}

macro_rules! generators {
    ($($name:ident $id:literal $about:literal),* $(,)?) => {
        /// The generators. Ids are permanent: they stand in saved records.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Generator { $( #[doc = $about] $name ),* }

        impl Generator {
            pub const ALL: &'static [Generator] = &[ $( Generator::$name ),* ];

            /// The permanent kebab-case id.
            pub const fn id(self) -> &'static str {
                match self { $( Generator::$name => $id ),* }
            }

            /// One line: the idea and where it comes from.
            pub const fn about(self) -> &'static str {
                match self { $( Generator::$name => $about ),* }
            }
        }
    };
}

generators! {
    Legal "legal" "bitboards, every move legal as it is generated, boards copied; what everything else here uses (page Legal Move)",
    Mailbox "mailbox" "a 0x88 board with piece lists that shares no code with the others; legality by the lines to the king (page CPW-Engine Move(0x88))",
    MakeUnmake "make-unmake" "the legal generator over one board changed in place and back, with an undo record (page Make Move)",
    PseudoLegal "pseudo-legal" "bitboards, the king's safety tested after each move (page Move Generation)",
    Monochrome "monochrome" "it is always White's move: the board is flipped after each (page Color Flipping)",
    Staged "staged" "captures before quiet moves are generated, evasions as a stage of their own (page Check)",
    TwoPly "two-ply" "another algorithm: replies to quiet moves counted as a group two plies above the leaves; always in bulk",
}

impl Generator {
    /// The inverse of [`Generator::id`].
    #[must_use]
    pub fn from_id(id: &str) -> Option<Generator> {
        Generator::ALL.iter().copied().find(|generator| generator.id() == id)
    }

    /// False for one that can only count the last move, never make it.
    #[must_use]
    pub const fn makes_leaves(self) -> bool {
        !matches!(self, Generator::TwoPly)
    }

    pub(super) fn named(id: &str) -> Result<Generator, TrialError> {
        Generator::from_id(id).ok_or_else(|| {
            let known: Vec<_> = Generator::ALL.iter().map(|generator| generator.id()).collect();
            TrialError::Plan(format!("no generator `{id}`; there are {} and all", known.join(", ")))
        })
    }

    /// How it counts; `None` for the mailbox, whose positions are its own. `backend` is the legal generator's; the others
    /// have the default one, so that they are compiled once.
    fn counts(self, backend: Backend) -> Option<Counts> {
        fn legal<S: Sliders>(_: S) -> Counts {
            Counts {
                alone: |position, depth, bulk| match bulk {
                    true => rules::perft(position, depth, S::new()),
                    false if const { S::BACKEND.may_be_default() } => {
                        rules::perft_make(position, depth, S::new())
                    }
                    false => rules::perft_copied(position, depth, S::new(), false),
                },
                hashed: Some(|position, depth, table| rules::perft_hashed(position, depth, S::new(), table)),
            }
        }
        let alone: fn(&Position, u32, bool) -> u64 = match self {
            Generator::Legal => return Some(with_backend!(backend, |sliders| legal(sliders))),
            Generator::Mailbox => return None,
            Generator::MakeUnmake => {
                |p, depth, bulk| rules::perft_in_place(p, depth, DefaultSliders::new(), bulk)
            }
            Generator::PseudoLegal => {
                |p, depth, bulk| rules::perft_pseudo_legal(p, depth, DefaultSliders::new(), bulk)
            }
            Generator::Monochrome => {
                |p, depth, bulk| rules::perft_monochrome(p, depth, DefaultSliders::new(), bulk)
            }
            Generator::TwoPly => |p, depth, _| rules::perft_two_ply(p, depth, DefaultSliders::new()),
            Generator::Staged => |p, depth, bulk| rules::perft_staged(p, depth, DefaultSliders::new(), bulk),
        };
        Some(Counts { alone, hashed: None })
    }

    /// The leaves of a position, by the default slider backend.
    #[must_use]
    pub fn perft(self, position: &Position, depth: u32, bulk: bool) -> u64 {
        Node::new(self, Backend::default_backend(), position).count(depth, bulk, None)
    }
}
