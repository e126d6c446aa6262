//! A line of the UCI protocol, in either direction: what is understood can be said again and is understood the same.

use gauntlet::types::Limit;
use gauntlet::uci::codec::{format_go, format_position, is_move_text, parse_bestmove, parse_info};
use gauntlet::uci::message::{Command, parse_command};
use gauntlet::uci::options::{EngineOption, OptionKind, parse_option, setoption};
use gauntlet::uci::perft::{PerftLine, parse_perft_line};
use std::time::Duration;

pub fn check(data: &[u8]) {
    let Some(line) = super::text(data) else { return };
    from_engine(&line);
    to_engine(&line);
}

fn from_engine(line: &str) {
    if let Some(info) = parse_info(line) {
        assert!(
            info.pv
                .split(|c: char| c.is_whitespace() || c.is_control())
                .all(|w| w.is_empty() || is_move_text(w))
        );
        assert!(parse_bestmove(line).is_none());
    }
    if let Some(best) = parse_bestmove(line) {
        assert!(best.best.is_none_or(is_move_text) && best.ponder.is_none_or(is_move_text));
    }
    if let Some(option) = parse_option(line) {
        default_can_be_set(&option);
    }
    if let PerftLine::Move(name, _) = parse_perft_line(line) {
        assert!(!name.is_empty());
    }
}

/// Its own default is a value that an option takes, if it lies within what the option declares.
fn default_can_be_set(option: &EngineOption) {
    let declared = std::slice::from_ref(option);
    let value = match &option.kind {
        OptionKind::Button => String::new(),
        OptionKind::Check { default } => default.unwrap_or_default().to_string(),
        OptionKind::Spin { default, min, max } => {
            let (low, high) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
            let Some(value) = default.filter(|value| (low..=high).contains(value)) else { return };
            value.to_string()
        }
        OptionKind::Combo { default, values } => {
            let Some(value) = default.clone().filter(|value| values.contains(value)) else { return };
            value
        }
        OptionKind::Text { default } => {
            let Some(value) = default.clone().filter(|value| !value.contains(['\n', '\r'])) else { return };
            value
        }
    };
    let said = setoption(declared, &option.name, &value).unwrap_or_else(|error| panic!("{error}"));
    // A name that holds the word `value` cannot be told from its value: the protocol's own flaw.
    if option.name.split(' ').any(|word| word == "value") {
        return;
    }
    match parse_command(&said) {
        Command::SetOption { name, .. } => assert_eq!(name, option.name),
        other => panic!("{said}: {other:?}"),
    }
}

fn to_engine(line: &str) {
    let command = parse_command(line);
    match &command {
        Command::Position { fen, moves } => {
            let said = format_position(fen, moves.iter().map(String::as_str));
            assert_eq!(parse_command(&said), command, "{said}");
        }
        Command::Go(go) => {
            let said = format_go(&go.limit);
            let Command::Go(heard) = parse_command(&said) else { panic!("{said}") };
            assert_eq!(heard.limit, as_said(go.limit), "{said}");
        }
        Command::SetOption { name, value } => {
            let said = format!("setoption name {name} value {value}");
            assert_eq!(parse_command(&said), command, "{said}");
        }
        Command::Unknown(text) => assert!(text.chars().count() <= 80),
        _ => {}
    }
}

/// No time goes out as 0, which some engines take for no limit.
fn as_said(mut limit: Limit) -> Limit {
    let at_least = |time: Duration| time.max(Duration::from_millis(1));
    limit.time = limit.time.map(at_least);
    if let Some(clock) = &mut limit.clock {
        clock.remaining = clock.remaining.map(at_least);
    }
    limit
}
