//! Damaged input: whatever the bytes, a reader answers, and what it accepted it can write and read again.

use super::*;
use gauntlet::notation::{decode, epd, pgn};

/// xorshift64*: reproducible damage.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}

/// A few random edits: a byte changed, a part cut, doubled or moved.
fn damage(input: &[u8], random: &mut Random) -> Vec<u8> {
    const SPICE: &[u8] = b"[](){}\";%$.*-+=#!?0/ \n\r\t\x00\xff\xc3\\KQNBRPkqx18aehO";
    let mut bytes = input.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes.insert(at, SPICE[random.below(SPICE.len())]),
            1 if !bytes.is_empty() => drop(bytes.remove(at)),
            2 if !bytes.is_empty() => bytes[at] = SPICE[random.below(SPICE.len())],
            3 => bytes.truncate(at),
            _ => {
                let part = bytes[at..(at + random.below(20)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
        }
    }
    bytes
}

#[test]
fn damaged_fens_and_records() {
    let mut random = Random(1);
    let mut sources: Vec<String> =
        read(file("suites/positions/wac.epd")).lines().map(str::to_owned).collect();
    sources.extend(read(file("suites/perft/chess960-edge.epd")).lines().map(str::to_owned));
    sources.extend(read(file("suites/positions/sts.epd")).lines().take(100).map(str::to_owned));
    let mut accepted = 0;
    for _ in 0..20 {
        for source in &sources {
            let text = decode(&damage(source.as_bytes(), &mut random));
            for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                if let Ok(record) = epd::parse_line(&text, mode) {
                    let written = epd::format(&record);
                    let back = epd::parse_line(&written, CastlingMode::Chess960);
                    assert_eq!(back.map(|back| epd::format(&back)), Ok(written), "{text:?}");
                    accepted += 1;
                }
                let fields = text.split(';').next().unwrap_or("");
                if let Ok(position) = fen::parse(fields, mode) {
                    let written = fen::format(&position);
                    assert_eq!(fen::parse(&written, CastlingMode::Chess960), Ok(position), "{text:?}");
                }
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

#[test]
fn damaged_moves() {
    let mut random = Random(2);
    let position = standard("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for mv in position.legal_moves().iter() {
        for text in [san::format(*mv, &position), uci_move::format(*mv, &position, false)] {
            for _ in 0..200 {
                let text = decode(&damage(text.as_bytes(), &mut random));
                for read in
                    [san::parse(&text, &position), uci_move::parse(&text, &position)].into_iter().flatten()
                {
                    assert!(position.is_legal(read), "{text:?}");
                }
            }
        }
    }
}

#[test]
fn damaged_games() {
    let mut random = Random(3);
    let mut sources: Vec<Vec<u8>> =
        folder("tests/data/parser/pgn", "pgn").iter().map(|path| std::fs::read(path).unwrap()).collect();
    sources.retain(|source| source.len() < 4000);
    sources.push(read(file("tests/data/seeds/seeds.pgn")).into_bytes());
    let mut accepted = 0;
    for source in &sources {
        for _ in 0..60 {
            let bytes = damage(source, &mut random);
            for game in pgn::Reader::new(&bytes[..]).flatten() {
                let mut text = Vec::new();
                pgn::write_game(&game, &mut text).unwrap();
                let back: Vec<_> = pgn::Reader::new(&text[..]).collect();
                assert_eq!(back.len(), 1, "{}", decode(&text));
                let back = back[0].as_ref().unwrap_or_else(|error| panic!("{error}\n{}", decode(&text)));
                assert_eq!((back.start, back.result), (game.start, game.result), "{}", decode(&text));
                assert!(back.moves.iter().map(|m| m.mv).eq(game.moves.iter().map(|m| m.mv)));
                accepted += 1;
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

/// Deep nesting, endless words and lines: linear time, no recursion, bounded memory.
#[test]
fn monstrous_inputs_end() {
    let many = 1_000_000;
    for (unit, tail) in [
        ("(", ""),
        ("[", ""),
        ("[A \"\"]", ""),
        ("{", ""),
        ("$", ""),
        ("\"", ""),
        ("x", ""),
        ("1.", " e4 *"),
        ("[a \"\\", ""),
    ] {
        let text = unit.repeat(many / unit.len()) + tail;
        let games = pgn::Reader::new(text.as_bytes()).count();
        assert!(games <= 1000, "{unit}: {games}");
        let _ = epd::parse_line(&text, CastlingMode::Standard);
        let _ = fen::parse(&text, CastlingMode::Standard);
        let _ = san::parse(&text, &Position::startpos());
    }
    let rights = format!("4k3/8/8/8/8/8/8/4K3 w {} - 0 1", "K".repeat(many));
    assert!(fen::parse(&rights, CastlingMode::Standard).is_err());
}
