//! A tournament as data: who plays, in which format, and what all encounters have in common.

use super::field::{Encounter, Field};
use crate::arena::plan::{MatchPlan, PlanError, check_engine};
use crate::subject::EngineSpec;

/// How opponents are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first engine against each other one.
    Gauntlet,
    Swiss,
    Knockout,
}

impl Format {
    pub const ALL: [Format; 4] = [Format::RoundRobin, Format::Gauntlet, Format::Swiss, Format::Knockout];

    /// The permanent id, as on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Format::RoundRobin => "roundrobin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss => "swiss",
            Format::Knockout => "knockout",
        }
    }

    /// By id, or as others spell it.
    pub fn from_id(id: &str) -> Option<Format> {
        let id = if id == "round-robin" { "roundrobin" } else { id };
        Format::ALL.into_iter().find(|format| format.id() == id)
    }

    /// Rounds of a Swiss, or how often everybody is met, where that is not given.
    fn rounds(self, engines: usize, given: Option<u32>) -> u32 {
        let enough =
            if self == Format::Swiss { engines.next_power_of_two().trailing_zeros().max(1) } else { 1 };
        given.unwrap_or(enough)
    }

    /// How many encounters there are, play-offs left out.
    pub fn encounters(self, engines: usize, rounds: Option<u32>) -> u64 {
        let rounds = u64::from(self.rounds(engines, rounds));
        let (engines, others) = (engines as u64, engines.saturating_sub(1) as u64);
        match self {
            Format::RoundRobin => rounds * (engines * others / 2),
            Format::Gauntlet => rounds * others,
            Format::Swiss => rounds * (engines / 2),
            Format::Knockout => others,
        }
    }
}

/// More than anybody waits for; all are drawn before the first game where no results are needed for it.
const MOST_ROUNDS: u32 = 1000;

/// A tournament of at least two engines.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentPlan {
    pub format: Format,
    pub engines: Vec<EngineSpec>,
    /// Rounds of a Swiss; how often everybody is met in a round robin or a gauntlet. None: ⌈log₂ engines⌉, once.
    pub rounds: Option<u32>,
    /// How an encounter is played: everything of it but the two engines, which are those of each.
    pub each: MatchPlan,
}

/// What is wrong with a tournament.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TournamentError {
    #[error("a tournament needs two engines or more, not {0}")]
    TooFew(usize),
    #[error("rounds must be at least 1")]
    NoRounds,
    #[error("rounds: {0} are more than {MOST_ROUNDS}")]
    EndlessRounds(u32),
    #[error("a knockout has as many rounds as its bracket")]
    RoundsOfKnockout,
    #[error("a Swiss of {engines} engines has at most {most} rounds: everybody has met everybody by then")]
    TooManyRounds { engines: usize, most: usize },
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl TournamentPlan {
    /// Checks numbers and engines.
    pub fn check(&self) -> Result<(), TournamentError> {
        let engines = self.engines.len();
        if engines < 2 {
            return Err(TournamentError::TooFew(engines));
        }
        let most = engines - 1 + engines % 2;
        match (self.rounds, self.format) {
            (Some(0), _) => return Err(TournamentError::NoRounds),
            (Some(rounds), _) if rounds > MOST_ROUNDS => return Err(TournamentError::EndlessRounds(rounds)),
            (Some(_), Format::Knockout) => return Err(TournamentError::RoundsOfKnockout),
            (Some(rounds), Format::Swiss) if rounds as usize > most => {
                return Err(TournamentError::TooManyRounds { engines, most });
            }
            _ => {}
        }
        for (number, engine) in self.engines.iter().enumerate() {
            if self.engines[..number].iter().any(|other| other.name == engine.name) {
                return Err(PlanError::SameName(engine.name.clone()).into());
            }
            check_engine(engine)?;
        }
        self.each.stopping()?;
        self.each.processors(&self.engines)?;
        Ok(())
    }

    /// As the draw sees it.
    pub fn field(&self) -> Field {
        let engines = self.engines.len();
        let rounds = self.format.rounds(engines, self.rounds);
        Field { engines, pairs: self.each.pairs, rounds, seed: self.each.seed }
    }

    pub fn is_timed(&self) -> bool {
        self.engines.iter().any(|engine| engine.limit.is_timed())
    }

    /// An encounter is a match of two.
    pub(super) fn encounter(&self, encounter: &Encounter) -> MatchPlan {
        let Encounter { round, playoff, engines, pairs } = *encounter;
        let name = match playoff {
            0 => format!("round {round}"),
            playoff => format!("round {round}, play-off {playoff}"),
        };
        MatchPlan {
            name,
            engines: engines.map(|engine| self.engines[engine].clone()),
            pairs,
            ..self.each.clone()
        }
    }
}
