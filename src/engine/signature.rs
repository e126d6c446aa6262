//! The signature of an engine: the nodes of fixed searches, one number that changes with any change of play.
//!
//! [`signature`] is the sum of the nodes of a search to a fixed depth from each of [`POSITIONS`], each from a cleared
//! engine with the default hash size. It depends on neither machine, compiler nor slider technique; a change that is meant
//! to be a mere speed-up must not move it. The positions are taken from the suites of this repository, spread over
//! openings, tactics, quiet middlegames and endgames. Must not know: how a FEN is read (the caller does).

use super::{Engine, Params};
use crate::rules::{Line, Position};
use crate::types::Limit;
use std::sync::atomic::AtomicBool;

/// Depth of the signature searches.
pub const SIGNATURE_DEPTH: u32 = 9;

/// FENs of the fixed positions.
pub const POSITIONS: [&str; 36] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1",
    "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    "3r2k1/1p1b1pp1/pq5p/8/3NR3/2PQ3P/PP3PP1/6K1 b - - 0 1",
    "8/k1b5/P4p2/1Pp2p1p/K1P2P1P/8/3B4/8 w - - 0 1",
    "r1bqrk2/pp1n1n1p/3p1p2/P1pP1P1Q/2PpP1NP/6R1/2PB4/4RBK1 w - - 0 1",
    "b2b1r1k/3R1ppp/4qP2/4p1PQ/4P3/5B2/4N1K1/8 w - - 0 1",
    "2brr1k1/ppq2ppp/2pb1n2/8/3NP3/2P2P2/P1Q2BPP/1R1R1BK1 w - - 0 1",
    "r1b2rk1/pp2ppbp/2n2np1/2q5/5B2/1BN1PN2/PP3PPP/2RQK2R w K - 0 1",
    "r1r3k1/1bq2pbp/pp1pp1p1/2n5/P3PP2/R2B4/1PPBQ1PP/3N1R1K w - - 0 1",
    "rn1qr1k1/pb3p2/1p5p/3n2P1/3p4/P4P2/1P1QNBP1/R3KB1R b KQ - 0 1",
    "r5k1/3n1ppp/1p6/3p1p2/3P1B2/r3P2P/PR3PP1/2R3K1 b - - 0 1",
    "6k1/p3q2p/1nr3pB/8/3Q1P2/6P1/PP5P/3R2K1 b - - 0 1",
    "8/2k5/4p3/1nb2p2/2K5/8/6B1/8 w - - 0 1",
    "r1bqk2r/ppp2ppp/2n5/4P3/2Bp2n1/5N1P/PP1N1PP1/R2Q1RK1 b kq - 0 1",
    "rnbqr1k1/1p3pbp/p2p1np1/2pP4/4P3/2N5/PP1NBPPP/R1BQ1RK1 w - - 0 1",
    "1b1r4/3rkp2/p3p2p/4q3/P5P1/2RBP3/P1Q4P/1R3K2 b - - 0 1",
    "4r1k1/p4p1p/1p2q1pB/1Q2Pn2/P3B2P/5P2/bR3P2/6K1 w - - 0 1",
    "1b1qrr2/1p4pk/1np4p/p3Np1B/Pn1P4/R1N3B1/1Pb2PPP/2Q1R1K1 b - - 0 1",
    "1k5r/1p1b4/4pp1r/3p4/q4PQ1/3B1R1P/2P1R1PK/8 w - - 0 1",
    "6k1/5p2/P3p1p1/2Qp4/5q2/2K5/8/8 b - - 0 1",
    "8/5p2/3pp2p/p5p1/4Pk2/2p2P1P/P1Kb2P1/1R6 w - - 0 1",
    "2K5/k3q3/6pR/6p1/6Pp/7P/8/3R4 w - - 0 1",
    "8/8/2K2p2/8/8/8/5k2/8 b - - 0 1",
    "8/8/8/2K1k1P1/8/8/2N5/8 w - - 0 1",
    "8/7p/2k1Pp2/pp1p2p1/3P2P1/4P3/P3K2P/8 w - - 0 1",
    "3K4/8/8/4k3/5R2/8/8/8 w - - 0 1",
    "5k2/8/4b3/1B5P/8/8/5pPP/5K2 b - - 0 1",
    "8/3k4/8/8/3PK3/8/8/8 w - - 0 1",
    "k7/1pRN1p2/p3r2p/Q2N2p1/3PPP2/8/5P1P/R5K1 w - - 0 1",
    "2k2b1r/p4p2/4pP2/2pbP3/1pp1NB1P/6P1/qP3PB1/3RR1K1 w - - 0 1",
    "r1bqkn1r/p3bpp1/1p2pn1p/2pPN1B1/2P5/3B2N1/PP3PPP/R2QR1K1 w kq - 0 1",
];

/// The sum of nodes over these positions at this depth.
pub fn signature(params: &Params, positions: &[Position], depth: u32) -> u64 {
    let mut engine = Engine::new(params.clone());
    let stop = AtomicBool::new(false);
    let nodes = |position: &Position| {
        engine.new_game(0);
        engine.set_position(&Line::new(*position));
        engine.search(&Limit::depth(depth), &stop, &mut |_| {}).nodes
    };
    positions.iter().map(nodes).sum()
}
