//! `tests/data/parser/cases.json`: inputs that must be read, must be refused, or may be either as long as nothing
//! panics. Where a case says what a right reading gives, that is compared too.

use super::*;
use gauntlet::notation::{epd, pgn};
use serde_json::Value;

/// What a reading gave, in the words of the cases; `Err` is the message.
type Reading = Result<(), String>;

fn mode_of(case: &Value) -> CastlingMode {
    let chess960 = case["chess960"].as_bool().or(case["input"]["chess960"].as_bool());
    if chess960 == Some(true) { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

fn input(case: &Value) -> &str {
    case["input"].as_str().unwrap()
}

fn read_fen(case: &Value) -> Reading {
    let position = fen::parse(input(case), mode_of(case)).map_err(|error| error.to_string())?;
    if let Some(expected) = case["result"].as_str() {
        assert_eq!(fen::format(&position), expected, "{case}");
    }
    Ok(())
}

fn read_epd(case: &Value) -> Reading {
    let record = epd::parse_line(input(case), mode_of(case)).map_err(|error| error.to_string())?;
    for (opcode, expected) in case["result"].as_object().into_iter().flatten() {
        match expected {
            Value::Array(moves) => {
                let found: Vec<String> =
                    record.moves(opcode).iter().map(|&mv| uci_move::format(mv, false)).collect();
                assert_eq!(&found, moves, "{case}");
            }
            Value::Object(scores) => {
                let found = record.move_scores(opcode).unwrap();
                assert_eq!(found.len(), scores.len(), "{case}");
                for (text, points) in scores {
                    let mv = san::parse(text, &record.position).unwrap();
                    assert!(found.contains(&(mv, points.as_u64().unwrap() as u32)), "{case}");
                }
            }
            Value::Number(number) => assert_eq!(record.number(opcode), number.as_i64(), "{case}"),
            other => assert_eq!(record.text(opcode).as_deref(), other.as_str(), "{case}"),
        }
    }
    Ok(())
}

fn read_pgn(case: &Value) -> Reading {
    let path = file(&format!("tests/data/parser/pgn/{}.pgn", case["name"].as_str().unwrap()));
    let bytes = std::fs::read(path).unwrap();
    let games: Result<Vec<pgn::Game>, _> = pgn::Reader::new(&bytes[..]).collect();
    let games = games.map_err(|error| error.to_string())?;
    if let Some(count) = case["games"].as_u64() {
        assert_eq!(games.len() as u64, count, "{case}");
    }
    let first = games.first();
    if let Some(plies) = case["plies"].as_u64() {
        assert_eq!(first.map_or(0, |game| game.moves.len()) as u64, plies, "{case}");
    }
    for (name, value) in case["tags"].as_object().into_iter().flatten() {
        assert_eq!(first.and_then(|game| game.tag(name)), value.as_str(), "{case}");
    }
    Ok(())
}

fn read_uci(case: &Value) -> Reading {
    let position = fen::parse(case["input"]["fen"].as_str().unwrap(), mode_of(case)).unwrap();
    let mv = uci_move::parse(case["input"]["move"].as_str().unwrap(), &position);
    mv.map(drop).map_err(|error| error.to_string())
}

#[test]
fn accept_reject_or_either() {
    // One PGN input holds a lone surrogate for a raw byte, which is no JSON; the PGN inputs are read from files.
    let text = read(file("tests/data/parser/cases.json")).replace("\\udcfc", "\\u00fc");
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut checked = 0;
    for case in &cases {
        let reading = match case["kind"].as_str().unwrap() {
            "fen" => read_fen(case),
            "epd" => read_epd(case),
            "pgn" => read_pgn(case),
            "uci" => read_uci(case),
            other => panic!("unknown kind {other}"),
        };
        match case["expect"].as_str().unwrap() {
            "accept" => assert_eq!(reading, Ok(()), "{case}"),
            "reject" => assert!(reading.is_err(), "{case}"),
            "either" => {}
            other => panic!("unknown expectation {other}"),
        }
        if let Err(message) = reading {
            assert!(!message.contains('\n') && message.len() < 300, "one clear line: {message}");
        }
        checked += 1;
    }
    assert_eq!(checked, 115);
}
