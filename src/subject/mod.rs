//! Who is tested: engine SPECs, and [`Subject`], one face for the embedded engine, UCI engines and xboard engines. Knows nothing of
//! what is measured with it. A subject is one player: give every worker its own.

mod foreign;
mod limit;
mod player;
mod spec;

pub use crate::uci::{Declined, Session, Timeouts, TrafficLog};
pub use limit::{Period, PlayerLimit, TimeControl};
pub use player::{Found, HANG_TIMEOUT, Info, Pv, Subject, SubjectError};
pub use spec::{EngineKind, EngineSpec, SpecError};
