//! Ways in which our own server can misbehave, so that the client and the match runner can be tested against a real
//! process that does. Hidden from users. Each kind is a sin that a real engine has committed.

/// A fault, and from which search on it shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    /// 1 is the first `go`.
    pub from_search: u32,
}

macro_rules! faults {
    ($($(#[doc = $doc:literal])* $id:literal $name:ident,)*) => {
        /// The kinds; their ids are kebab-case.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum FaultKind { $($(#[doc = $doc])* $name,)* }

        impl FaultKind {
            pub const ALL: &[FaultKind] = &[$(FaultKind::$name,)*];

            pub const fn id(self) -> &'static str {
                match self { $(FaultKind::$name => $id,)* }
            }
        }
    };
}

faults! {
    /// Ends without a word at `go`.
    "crash" Crash,
    /// Ends before it reads anything.
    "crash-at-start" CrashAtStart,
    /// Ends behind an answer, while the other side thinks.
    "crash-after-answer" CrashAfterAnswer,
    /// Ends at the next `ucinewgame`.
    "crash-between-games" CrashBetweenGames,
    /// At `go` it falls silent and heeds nothing any more, `quit` included, until its input ends.
    "hang" Hang,
    /// Answers with a move that is never legal.
    "illegal" Illegal,
    /// Answers `0000`.
    "null-move" NullMove,
    /// Bytes that are no text, half lines and words of no meaning around a good answer.
    "garbage" Garbage,
    /// Ends its lines as DOS does.
    "crlf" Crlf,
    /// Names the piece of a promotion by a capital letter.
    "capitals" Capitals,
    /// Says behind its own scores that it is mated at least, and that it mates at most.
    "mate-bounds" MateBounds,
    /// Answers 300 ms after its time, whatever it is told meanwhile.
    "late" Late,
    /// Writes 2 MB to stdout and to stderr before each answer.
    "flood" Flood,
    /// Never writes an `info` line.
    "no-score" NoScore,
    /// Heeds neither `quit` nor the end of its input, for a minute.
    "ignore-quit" IgnoreQuit,
    /// Talks before it is spoken to.
    "banner" Banner,
    /// Takes 1.5 s to `uciok` and again to the first `readyok`.
    "slow-start" SlowStart,
    /// Answers `bestmove` and nothing more.
    "empty-bestmove" EmptyBestmove,
    /// Uses four times its nodes, twice its time per move, or more than is left on its clock.
    "overstep" Overstep,
    /// Says neither who it is nor who made it.
    "no-id" NoId,
    /// Declares an option twice, one beyond its own range, one without a default, one of a type that is none.
    "bad-options" BadOptions,
    /// Declares nothing the second time.
    "forgetful" Forgetful,
    /// Answers every `isready` but the first twice.
    "ready-twice" ReadyTwice,
    /// Ends at whatever it does not understand.
    "touchy" Touchy,
    /// Understands no line that ends as DOS has it, and no word behind two blanks.
    "strict-blanks" StrictBlanks,
    /// Takes the moves of `position` for nothing.
    "moves-ignored" MovesIgnored,
    /// Writes castling as the other variant does.
    "castling-swapped" CastlingSwapped,
    /// Tells scores as White sees them.
    "white-view" WhiteView,
    /// Its evaluation has a term for White alone.
    "asymmetric" Asymmetric,
    /// Tells mates as large numbers of centipawns.
    "mate-as-cp" MateAsCp,
    /// Says nothing where there is no legal move.
    "mute-when-mated" MuteWhenMated,
    /// Answers a search without limit before it is told to stop.
    "impatient" Impatient,
    /// Hears no `isready` while it searches.
    "deaf" Deaf,
    /// Hears no `ponderhit`.
    "ponder-deaf" PonderDeaf,
    /// Answers `stop` whether it searches or not.
    "stop-echo" StopEcho,
    /// Answers twice.
    "double" Double,
    /// Goes on talking behind its answer.
    "chatter" Chatter,
    /// Searches all moves whatever `searchmoves` says.
    "no-searchmoves" NoSearchmoves,
    /// Names a move to ponder on that is never legal.
    "bad-ponder" BadPonder,
    /// Writes lines of play that begin with another move than it plays.
    "pv-other" PvOther,
    /// Writes lines of play that cannot be played.
    "pv-illegal" PvIllegal,
    /// Reads its own clock as the other side's.
    "clocks-swapped" ClocksSwapped,
    /// Keeps what it has learnt at `ucinewgame`.
    "keeps-hash" KeepsHash,
    /// Burns a tenth more processor time than each search did; plays the same.
    "slow" Slow,
    /// Leaves a process behind.
    "orphan" Orphan,
    /// Ends at an empty line, and at `debug`.
    "prim" Prim,
    /// Ends at `go` with clocks, or with a mate to be found.
    "clock-crash" ClockCrash,
    /// Ends at `setoption`.
    "set-crash" SetCrash,
    /// Ends at a position that is not the initial one.
    "fen-crash" FenCrash,
    /// Ends at `ucinewgame`.
    "new-game-crash" NewGameCrash,
    /// Ends at `quit` as if something had gone wrong.
    "bad-exit" BadExit,
    /// Declares no option Hash.
    "no-hash" NoHash,
    /// Hears `stop` 400 ms later.
    "slow-stop" SlowStop,
    /// Tells fewer and fewer nodes.
    "counts-down" CountsDown,
    /// `go perft` lists en passant although it opens a line to the king.
    "perft-ep" PerftEp,
    /// `go perft` knows no en passant.
    "perft-ep-missing" PerftEpMissing,
    /// `go perft` castles out of, through and into check.
    "perft-castling" PerftCastling,
    /// `go perft` does not castle.
    "perft-castling-missing" PerftCastlingMissing,
    /// `go perft` forgets promotions to a knight.
    "perft-promotion" PerftPromotion,
    /// `go perft` moves pieces that shield their king.
    "perft-pin" PerftPin,
    /// `go perft` lets the king step onto attacked squares.
    "perft-king" PerftKing,
    /// `go perft` leaves a check only with the king.
    "perft-evasion" PerftEvasion,
    /// `go perft` lets pawns jump over a piece.
    "perft-double-push" PerftDoublePush,
    /// `go perft` lists a capture twice.
    "perft-duplicate" PerftDuplicate,
    /// `go perft` lists the right moves, but counts one too many behind each capture below the root: something is not
    /// taken back.
    "perft-count" PerftCount,
    /// `go perft` knows no en passant, and prints nothing but a total.
    "perft-total" PerftTotal,
}

impl FaultKind {
    /// Whether it is one of the move generator's.
    pub fn is_of_perft(self) -> bool {
        self.id().starts_with("perft-")
    }
}

impl Fault {
    /// `crash`, or `crash@3`: from the third search on.
    pub fn from_id(text: &str) -> Option<Fault> {
        let (id, from_search) = match text.split_once('@') {
            Some((id, number)) => (id, number.parse().ok()?),
            None => (text, 1),
        };
        let kind = FaultKind::ALL.iter().copied().find(|kind| kind.id() == id)?;
        Some(Fault { kind, from_search })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back() {
        for &kind in FaultKind::ALL {
            assert_eq!(Fault::from_id(kind.id()), Some(Fault { kind, from_search: 1 }));
        }
        assert_eq!(Fault::from_id("crash@3"), Some(Fault { kind: FaultKind::Crash, from_search: 3 }));
        assert_eq!(Fault::from_id("crash@x"), None);
        assert_eq!(Fault::from_id("sulk"), None);
    }
}
