//! The UCI protocol, both ways: a client that drives engines as child processes, and a server that lets the embedded
//! engine be driven; and a client of the xboard protocol beside it (`xboard`). Knows nothing of games, clocks that fall or
//! matches. Only `server` may import `engine`.
//! Source: the UCI protocol description (Huber and Meyer-Kahlen, 2000 and 2006); page "UCI" of the seed documents.

mod channel;
pub mod client;
pub mod codec;
pub mod compliance;
pub mod fault;
pub mod log;
pub mod message;
pub mod options;
pub mod perft;
#[cfg(any(test, not(unix)))]
pub mod pipes;
mod planted;
mod ponder;
pub mod process;
pub mod search;
pub mod server;
pub mod transport;
#[cfg(unix)]
mod unix;
mod worker;
pub mod xboard;

pub use client::{Client, ClientError, Session, Timeouts};
pub use log::TrafficLog;
pub use process::{CommandSpec, Protocol};
pub use search::{Declined, Reply, Summary};
pub use xboard::XboardClient;
