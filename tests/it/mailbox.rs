//! The 0x88 generator: published counts.

use crate::perft::SUITES;
use gauntlet::mailbox::Mailbox;
use gauntlet::notation::fen;
use gauntlet::suite;

/// Keeps the whole in the order of a second.
const MAX_NODES: u64 = 100_000;

#[test]
fn suites_are_right() {
    let mut counts = 0;
    for name in SUITES {
        for case in suite::load_perft(&format!("suites/perft/{name}.epd"), None).unwrap() {
            let mut board = Mailbox::new(&case.position.to_setup()).unwrap();
            let before = board.clone();
            for &(depth, nodes) in case.counts.iter().filter(|&&(_, nodes)| nodes <= MAX_NODES) {
                assert_eq!(board.perft(depth, true), nodes, "{name}: {} depth {depth}", case.fen);
                if nodes < 3_000 {
                    assert_eq!(board.perft(depth, false), nodes, "{name}: {} depth {depth}", case.fen);
                }
                counts += 1;
            }
            assert_eq!(board, before, "{}", fen::format(&case.position));
        }
    }
    assert!(counts > 5_000, "{counts} counts");
}
