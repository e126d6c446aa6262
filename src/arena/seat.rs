//! One player's place at a worker's table: keeps the engine ready for the next game and replaces one that is gone.

use super::player::{Fault, Player};

/// Starts the engine of this number. An error is either the interrupt or one line that names the engine.
pub type Start<'a> = dyn Fn(usize) -> Result<Box<dyn Player>, Fault> + Sync + 'a;

/// A place that one engine keeps as long as it plays.
pub struct Seat<'a> {
    start: &'a Start<'a>,
    engine: usize,
    /// None after a crash or a hang, until the next game.
    player: Option<Box<dyn Player>>,
}

impl std::fmt::Debug for Seat<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("engine", &self.engine).field("alive", &self.player.is_some()).finish()
    }
}

impl<'a> Seat<'a> {
    /// Starts the engine.
    pub fn take(start: &'a Start<'a>, engine: usize) -> Result<Seat<'a>, Fault> {
        Ok(Seat { start, engine, player: Some(start(engine)?) })
    }

    /// Its number.
    pub fn engine(&self) -> usize {
        self.engine
    }

    /// The player, cleared for a new game; started anew if it is gone. An error ends the match, and only
    /// [`Fault::Interrupted`] does so without blame. `recover`: go on with a new process also where the old one died
    /// since the last game.
    pub fn ready(&mut self, seed: u64, recover: bool) -> Result<&mut dyn Player, Fault> {
        let alive = match &mut self.player {
            Some(player) => player.new_game(seed),
            None => Err(Fault::Hung(String::new())),
        };
        match alive {
            Ok(()) | Err(Fault::Interrupted) => {}
            Err(fault @ Fault::Unable(_)) => return Err(fault),
            Err(fault @ Fault::Died(_)) if !recover => return Err(fault),
            Err(Fault::Died(_) | Fault::Hung(_)) => {
                // The old process has to be gone before the new one is there.
                self.player = None;
                let mut fresh = (self.start)(self.engine)?;
                fresh.new_game(seed)?;
                self.player = Some(fresh);
            }
        }
        match &mut self.player {
            Some(player) => Ok(player.as_mut()),
            None => Err(Fault::Unable("no player".to_owned())),
        }
    }

    /// Takes note of what became of the player in a game. An error ends the match.
    pub fn after_game(&mut self, fault: Option<Fault>, recover: bool) -> Result<(), Fault> {
        match fault {
            None | Some(Fault::Interrupted) => Ok(()),
            Some(fault @ Fault::Unable(_)) => Err(fault),
            Some(Fault::Hung(_)) => {
                self.player = None;
                Ok(())
            }
            Some(fault @ Fault::Died(_)) => {
                self.player = None;
                if recover { Ok(()) } else { Err(fault) }
            }
        }
    }
}
