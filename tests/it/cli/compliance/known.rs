//! What the engines of Debian 12 are known to do against the protocol, as found by running the checks on them: those that
//! always fail, and those that fail now and then (a `stop` that is lost when it comes at once). Whatever else fails is news.

pub struct Known {
    pub engine: &'static str,
    /// A part of its `id name`: of another version nothing is claimed.
    pub version: &'static str,
    pub always: &'static [&'static str],
    pub sometimes: &'static [&'static str],
}

pub const KNOWN: &[Known] = &[
    Known {
        engine: "stockfish",
        version: "Stockfish 15.1",
        always: &["greeting-words", "illegal-fen", "half-commands"],
        sometimes: &[],
    },
    Known {
        engine: "glaurung",
        version: "Glaurung 2.2",
        always: &["greeting-words", "setoption-case", "infinite-waits", "isready-while-searching"],
        // It looks at its nodes by the clock.
        sometimes: &["nodes-kept"],
    },
    Known {
        engine: "toga2",
        version: "Toga II 3.0",
        always: &["greeting-words", "illegal-fen", "go-nodes", "searchmoves", "nodes-kept", "blanks", "crlf"],
        sometimes: &[],
    },
    Known {
        engine: "ethereal-chess",
        version: "Ethereal 12.00",
        always: &[
            "setoption-beyond",
            "mated",
            "illegal-fen",
            "infinite-waits",
            "searchmoves",
            "nodes-kept",
            "half-commands",
            "blanks",
        ],
        sometimes: &["mate-score", "stop-at-once"],
    },
    Known {
        engine: "gnuchessu",
        version: "GNU Chess",
        always: &[
            "illegal-fen",
            "go-nodes",
            "searchmoves",
            "nodes-kept",
            "long-line",
            "blanks",
            "crlf",
            "end-of-input",
            "end-of-input-while-searching",
        ],
        sometimes: &[],
    },
];
