//! Perft beside the best crates of the field, as one alternating run: every round times each of them once, so that what the
//! machine does meanwhile falls on all alike (criterion times one after the other, which is why this bench has its own loop).
//! Each count is asserted. One thread, no hash table. The table on standard output is Markdown.
//!
//! `bulk` takes the number of legal moves for the last ply; `made` makes every move of it and hands the board on. For `made`,
//! cozy-chess and chess keep a Zobrist key with the board; ours and shakmaty's boards have none, keys being made on demand.

#[path = "../tests/it/cozy.rs"]
mod cozy;

use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::rules;
use gauntlet::sliders::{DefaultSliders, Sliders};
use gauntlet::stats::summary::{median, sorted};
use shakmaty::Position as _;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

const ROUNDS: usize = 7;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// Name, FEN, depth, published count.
type Case = (&'static str, &'static str, u32, u64);
const BULK: [Case; 3] = [
    ("start", START, 6, 119_060_324),
    ("Kiwipete", KIWIPETE, 5, 193_690_690),
    ("position 3", POSITION_3, 7, 178_633_661),
];
const MADE: [Case; 3] = [
    ("start", START, 5, 4_865_609),
    ("Kiwipete", KIWIPETE, 4, 4_085_603),
    ("position 3", POSITION_3, 6, 11_030_083),
];

/// The horizon has a closure of its own: faster than [`cozy::perft`].
fn cozy_horizon(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += cozy_horizon(&child, depth - 1);
        }
        false
    });
    nodes
}

fn cozy_made(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += if depth == 1 {
                black_box(&child);
                1
            } else {
                cozy_made(&child, depth - 1)
            };
        }
        false
    });
    nodes
}

fn jordan(board: &chess::Board, depth: u32, bulk: bool) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    match depth {
        0 => 1,
        1 if bulk => moves.len() as u64,
        _ => moves
            .map(|mv| {
                let child = board.make_move_new(mv);
                black_box(&child);
                jordan(&child, depth - 1, bulk)
            })
            .sum(),
    }
}

fn shakmaty_made(board: &shakmaty::Chess, depth: u32) -> u64 {
    board
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut child = board.clone();
            child.play_unchecked(mv);
            if depth == 1 {
                black_box(&child);
                1
            } else {
                shakmaty_made(&child, depth - 1)
            }
        })
        .sum()
}

type Count<'a> = Box<dyn Fn(u32) -> u64 + 'a>;

/// One position, read by everybody.
struct Boards {
    ours: rules::Position,
    cozy: cozy_chess::Board,
    shakmaty: shakmaty::Chess,
    jordan: chess::Board,
}

impl Boards {
    fn new(text: &str) -> Boards {
        let setup: shakmaty::fen::Fen = text.parse().expect("a published position");
        Boards {
            ours: fen::parse(text, CastlingMode::Standard).expect("a published position"),
            cozy: text.parse().expect("a published position"),
            shakmaty: setup.into_position(shakmaty::CastlingMode::Standard).expect("a legal position"),
            jordan: text.parse().expect("a published position"),
        }
    }

    /// The first is ours, the second what it is compared with.
    fn bulk(&self) -> Vec<(&'static str, Count<'_>)> {
        let sliders = DefaultSliders::new();
        vec![
            ("gauntlet", Box::new(move |depth| rules::perft(&self.ours, depth, sliders))),
            ("cozy-chess", Box::new(|depth| cozy_horizon(&self.cozy, depth))),
            ("cozy-chess, depth asked in the closure", Box::new(|depth| cozy::perft(&self.cozy, depth))),
            ("chess", Box::new(|depth| jordan(&self.jordan, depth, true))),
            ("shakmaty", Box::new(|depth| shakmaty::perft(&self.shakmaty, depth))),
            ("gauntlet two-ply", Box::new(move |depth| rules::perft_two_ply(&self.ours, depth, sliders))),
        ]
    }

    fn made(&self) -> Vec<(&'static str, Count<'_>)> {
        let sliders = DefaultSliders::new();
        vec![
            ("gauntlet", Box::new(move |depth| rules::perft_make(&self.ours, depth, sliders))),
            ("cozy-chess", Box::new(|depth| cozy_made(&self.cozy, depth))),
            ("chess", Box::new(|depth| jordan(&self.jordan, depth, false))),
            ("shakmaty", Box::new(|depth| shakmaty_made(&self.shakmaty, depth))),
        ]
    }
}

/// Prints a row for each of `counts`: million nodes per second, and the time of each over that of the first.
fn alternate(
    how: &str,
    (name, _, depth, nodes): Case,
    counts: &[(&str, Count<'_>)],
    rounds: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut seconds = vec![Vec::new(); counts.len()];
    for _ in 0..rounds {
        for ((who, count), seconds) in counts.iter().zip(&mut seconds) {
            let start = Instant::now();
            assert_eq!(count(black_box(depth)), nodes, "{who}");
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let speed = |seconds: f64| nodes as f64 / seconds / 1e6;
    let ours = &seconds[0];
    for ((who, _), own) in counts.iter().zip(&seconds) {
        let times = sorted(own);
        let ratios = sorted(&own.iter().zip(ours).map(|(own, ours)| own / ours).collect::<Vec<f64>>());
        writeln!(
            out,
            "| {how} | {name} | {depth} | {who} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2}..{:.2} |",
            speed(times[0]),
            speed(median(own).expect("a round")),
            times[0] / sorted(ours)[0],
            median(&ratios).expect("a round"),
            ratios[0],
            ratios[ratios.len() - 1],
        )?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let out = &mut io::stdout();
    // `cargo test --benches` runs this without the flag: then one round, for the counts alone.
    let rounds = if std::env::args().any(|arg| arg == "--bench") { ROUNDS } else { 1 };
    writeln!(out, "Million nodes per second, and how many times longer than gauntlet's; {rounds} rounds.\n")?;
    writeln!(
        out,
        "| counting | position | depth | who | best | median | best/best | median ratio | its range |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    // `cargo bench --bench perft -- made` takes one of the two.
    let asked: Vec<String> =
        std::env::args().filter(|arg| ["bulk", "made"].contains(&arg.as_str())).collect();
    let wanted = |how: &str| asked.is_empty() || asked.iter().any(|asked| asked == how);
    for case in BULK.into_iter().filter(|_| wanted("bulk")) {
        alternate("bulk", case, &Boards::new(case.1).bulk(), rounds, out)?;
    }
    for case in MADE.into_iter().filter(|_| wanted("made")) {
        alternate("made", case, &Boards::new(case.1).made(), rounds, out)?;
    }
    Ok(())
}
