//! The arena without engines: scripted players, a clock that goes only when told, rows of `tests/data/cases.csv`.

mod adjudicate;
mod clock;
mod engines;
mod game;
mod ledger;
mod matches;
mod players;
mod tournament;
mod validity;
