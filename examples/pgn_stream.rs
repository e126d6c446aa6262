//! Writes a PGN file of as many games as wanted to stdout, to measure readers with: shipped openings carried on with random
//! moves, with comments, marks, variations and a Chess960 game here and there. The same numbers give the same bytes.
//!
//!     cargo run --release --example pgn_stream -- 1000000 > million.pgn
//!     /usr/bin/time -v gauntlet check --pgn million.pgn > /dev/null

use gauntlet::notation::pgn::{Game, GameResult, PgnMove, Reader};
use gauntlet::notation::{CastlingMode, fen, pgn, san};
use gauntlet::rules::{Line, Outcome};
use gauntlet::stats::SplitMix64;
use gauntlet::types::Color;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

/// Games whose moves differ; beyond that many, only their tags do.
const DIFFERENT: usize = 20_000;

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit as u64) as usize
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games: usize = std::env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/openings");
    let file = File::open(folder.join("8moves_v3_sample.pgn"))?;
    let openings: Vec<Game> = Reader::new(BufReader::new(file)).collect::<Result<_, _>>()?;
    let shuffled = fs::read_to_string(folder.join("FRC_openings.epd"))?;
    let starts: Vec<&str> = shuffled.lines().collect();
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut random = Random(SplitMix64::new(0x9e37_79b9));
    let mut bodies: Vec<(String, GameResult, Option<String>)> = Vec::new();
    for number in 0..games {
        if number < DIFFERENT {
            let opening = if number % 50 == 49 {
                let text = starts[random.below(starts.len())];
                Game::new(fen::parse(text, CastlingMode::Chess960)?)
            } else {
                openings[random.below(openings.len())].clone()
            };
            bodies.push(carry_on(opening, &mut random));
        }
        let (moves, result, start) = &bodies[number % DIFFERENT];
        writeln!(
            out,
            "[Event \"Stream\"]\n[Site \"?\"]\n[Date \"2026.11.30\"]\n[Round \"{}\"]\n[White \"Engine {}\"]\n[Black \"Engine {}\"]\n[Result \"{result}\"]",
            number + 1,
            number % 97,
            number % 89
        )?;
        if let Some(start) = start {
            writeln!(out, "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]")?;
        }
        writeln!(out, "\n{moves}\n")?;
    }
    Ok(out.flush()?)
}

/// Movetext, result, and the start position where it is not the usual one.
fn carry_on(mut game: Game, random: &mut Random) -> (String, GameResult, Option<String>) {
    let is_chess960 = game.moves.is_empty();
    let mut line = Line::new(game.start);
    for played in &game.moves {
        line.play_unchecked(played.mv);
    }
    let wanted = 30 + random.below(120);
    let mut variations = Vec::new();
    while game.moves.len() < wanted && line.outcome(true).is_none() {
        let moves = line.position().legal_moves();
        let mut played = PgnMove::new(moves[random.below(moves.len())]);
        if random.below(4) == 0 {
            played.comment = format!(
                "{:+.2}/{} {}.{}s",
                random.below(600) as f64 / 100.0 - 3.0,
                8 + random.below(20),
                random.below(9),
                random.below(10)
            );
        }
        if random.below(50) == 0 {
            played.nags.push(1 + random.below(18) as u8);
        }
        if random.below(40) == 0 {
            let other = moves[random.below(moves.len())];
            let number = line.position().fullmove_number();
            let dots = line.position().turn() == Color::Black;
            let text = san::format(other, line.position());
            variations.push((
                game.moves.len(),
                format!("({number}{} {text} {{a thought}})", if dots { "..." } else { "." }),
            ));
        }
        line.play_unchecked(played.mv);
        game.moves.push(played);
    }
    game.result = match line.outcome(true) {
        Some(Outcome::Checkmate { winner: Color::White }) => GameResult::WhiteWins,
        Some(Outcome::Checkmate { winner: Color::Black }) => GameResult::BlackWins,
        Some(_) => GameResult::Draw,
        None => [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown]
            [random.below(4)],
    };
    // The writer of the library knows no variations: they stand as comments first.
    for (index, text) in &variations {
        game.moves[*index].comment = format!("@{}@", text.replace(['{', '}'], "%").replace(' ', "_"));
    }
    let mut text = pgn::movetext(&game);
    for (_, variation) in &variations {
        let held = format!("{{@{}@}}", variation.replace(['{', '}'], "%").replace(' ', "_"));
        text = text.replace(&held, variation);
    }
    (text, game.result, is_chess960.then(|| fen::format(&game.start)))
}
