//! An engine that answers at once, to measure what the match runner itself costs: it plays one of the fixed games of
//! `instant.txt`, 340 plies each, by the number of moves in `position`. One `info` line a move, no board, no thinking;
//! each line is written on its own, as most engines do.
//!
//!     cargo build --release --example instant
//!     gauntlet match --engine cmd=target/release/examples/instant,name=a --engine cmd=target/release/examples/instant,name=b \
//!         --each tc=60+1 --pairs 500 --concurrency 2
//!
//! The match then says what it cost: the runner's own CPU per ply, games per second, peak memory.

use std::io::{self, BufRead, Write};

/// One game a line, ended by the rules after 340 plies; the games differ in their first move.
const GAMES: &str = include_str!("instant.txt");

fn main() -> io::Result<()> {
    let games: Vec<Vec<&str>> = GAMES.lines().map(|line| line.split(' ').collect()).collect();
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = String::new();
    // The game that is begun with White, the move to play next.
    let (mut begun, mut next) = (0, "0000");
    while input.read_line(&mut line)? > 0 {
        let command = line.trim_end();
        match command.split(' ').next().unwrap_or_default() {
            "uci" => output.write_all(b"id name Instant\nuciok\n")?,
            "isready" => output.write_all(b"readyok\n")?,
            "ucinewgame" => begun = (begun + 1) % games.len(),
            "position" => {
                let moves = command.split_once(" moves ").map_or("", |(_, moves)| moves);
                let game = match moves.split(' ').next() {
                    Some(first) if !first.is_empty() => games.iter().find(|game| game[0] == first),
                    _ => games.get(begun),
                };
                let played =
                    moves.bytes().filter(|&byte| byte == b' ').count() + usize::from(!moves.is_empty());
                next = game.and_then(|game| game.get(played)).unwrap_or(&"0000");
            }
            "go" => {
                writeln!(
                    output,
                    "info depth 9 seldepth 14 score cp 12 nodes 24680 nps 987000 hashfull 3 time 25 pv {next}"
                )?;
                writeln!(output, "bestmove {next}")?;
            }
            "quit" => break,
            _ => {}
        }
        line.clear();
    }
    Ok(())
}
