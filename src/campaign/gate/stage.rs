//! The stages of a gate, in their order.

macro_rules! stages {
    ($($(#[doc = $doc:literal])* $id:literal $name:ident,)*) => {
        /// A stage of the gate; the ids are kebab-case. They run in this order, cheap and certain ones first.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Stage { $($(#[doc = $doc])* $name,)* }

        impl Stage {
            pub const ALL: &[Stage] = &[$(Stage::$name,)*];

            pub const fn id(self) -> &'static str {
                match self { $(Stage::$name => $id,)* }
            }
        }
    };
}

stages! {
    /// Protocol checks.
    "compliance" Compliance,
    /// Suites with known counts.
    "perft" Perft,
    /// Positions and their colour-flipped twins.
    "symmetry" Symmetry,
    /// Nodes of fixed searches: does the change alter what is searched?
    "signature" Signature,
    /// Processor time for the same searches.
    "speed" Speed,
    /// Branching factors and nodes to depth, to be known.
    "branching" Branching,
    /// Test positions at fixed nodes.
    "suites" Suites,
    /// Games, until a sequential test decides or its cap is reached.
    "sprt" Sprt,
}

impl Stage {
    pub fn from_id(id: &str) -> Option<Stage> {
        Stage::ALL.iter().copied().find(|stage| stage.id() == id)
    }
}
