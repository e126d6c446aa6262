//! A client for engines that speak the Chess Engine Communication Protocol (of xboard and WinBoard), versions 1 and 2.
//! The process, its pipes, deadlines and the log are those of the UCI client; this room has the conversation only. An
//! engine keeps the game itself, so what it was told is kept beside it (`told`). Knows no clocks that fall and no matches.
//! Source: the "Chess Engine Communication Protocol" (Mann and Muller, 2009).

mod client;
mod features;
mod search;
#[cfg(test)]
mod tests;
mod told;
mod words;

pub use client::XboardClient;
pub use search::Thinking;
