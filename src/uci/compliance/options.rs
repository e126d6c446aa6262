//! Checks of options: what an engine declares, and what it makes of `setoption`.

use super::candidate::{Candidate, Place};
use super::talk::{Passed, Told, skip, wrong};
use super::{Check, must, note, should};
use crate::uci::codec::Words;
use crate::uci::options::{self, EngineOption, OptionKind};

/// No machine is to be brought to its knees: of a larger maximum this is set.
const MOST_HASH: i64 = 256;
const MOST_THREADS: i64 = 16;

pub(super) const CHECKS: &[Check] = &[
    must("option-lines", "every `option` line has a name and one of the five types", lines),
    must("option-unique", "no option is declared twice (case does not count)", unique),
    must("option-spin", "every spin has min, max, and a default within them", spins),
    should("option-defaults", "every check and combo has a default that is one of its values", defaults),
    note("option-hash", "it has an option Hash, so that a runner can set its memory", |engine| {
        declared(engine, "Hash")
    }),
    must("setoption-defaults", "it takes its own defaults back and is ready", own_defaults),
    must(
        "setoption-hash",
        "Hash can be set to its least and its most (up to 256 MiB), and it plays",
        |engine| extremes(engine, "Hash", MOST_HASH),
    ),
    must(
        "setoption-threads",
        "Threads can be set to its least and its most (up to 16), and it plays",
        |engine| extremes(engine, "Threads", MOST_THREADS),
    ),
    should("setoption-blanks", "an option with blanks in its name can be set", blanks),
    should("setoption-case", "case does not count in the name of an option", case),
    must("setoption-unknown", "an option it does not have is ignored", |engine| {
        engine.send("setoption name No Such Option value 1")?;
        engine.ready()?;
        engine.plays(&Place::start()).map(|_| Passed::Well)
    }),
    should("setoption-beyond", "a value below the least leaves it able to play", beyond),
    should("multipv", "MultiPV 2 brings two lines that begin with different moves", multipv),
];

fn lines(engine: &mut Candidate) -> Told {
    let mut count = 0;
    for line in &engine.greeting().lines {
        if Words::new(line).next() == Some("option") {
            count += 1;
            if options::parse_option(line).is_none() {
                return wrong(format!("`{}`", line.trim()));
            }
        }
    }
    Ok(Passed::With(format!("{count} options")))
}

fn unique(engine: &mut Candidate) -> Told {
    engine.greeting();
    let mut seen: Vec<String> = Vec::new();
    for option in &engine.options {
        let name = option.name.to_ascii_lowercase();
        if seen.contains(&name) {
            return wrong(format!("{} is declared twice", option.name));
        }
        seen.push(name);
    }
    Ok(Passed::Well)
}

fn spins(engine: &mut Candidate) -> Told {
    engine.greeting();
    for EngineOption { name, kind } in &engine.options {
        match kind {
            OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) }
                if (min..=max).contains(&default) => {}
            OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) } => {
                return wrong(format!("{name}: {default} is not from {min} to {max}"));
            }
            OptionKind::Spin { .. } => return wrong(format!("{name} lacks default, min or max")),
            _ => {}
        }
    }
    Ok(Passed::Well)
}

fn defaults(engine: &mut Candidate) -> Told {
    engine.greeting();
    for EngineOption { name, kind } in &engine.options {
        match kind {
            OptionKind::Check { default: None } => {
                return wrong(format!("{name} has no default true or false"));
            }
            OptionKind::Combo { default: None, .. } => return wrong(format!("{name} has no default")),
            OptionKind::Combo { default: Some(default), values }
                if !values.iter().any(|value| value.eq_ignore_ascii_case(default)) =>
            {
                return wrong(format!("{name}: its default {default} is none of its values"));
            }
            _ => {}
        }
    }
    Ok(Passed::Well)
}

fn declared(engine: &mut Candidate, name: &str) -> Told {
    engine.greeting();
    match engine.option(name) {
        Some(_) => Ok(Passed::Well),
        None => wrong(format!("no {name}")),
    }
}

/// What is written after `value` for the default; none for buttons and for texts, which may name files.
fn default_text(kind: &OptionKind) -> Option<String> {
    match kind {
        OptionKind::Check { default } => default.map(|on| on.to_string()),
        OptionKind::Spin { default, .. } => default.map(|number| number.to_string()),
        OptionKind::Combo { default, .. } => default.clone(),
        OptionKind::Button | OptionKind::Text { .. } => None,
    }
}

fn own_defaults(engine: &mut Candidate) -> Told {
    engine.spend();
    let mut count = 0;
    for EngineOption { name, kind } in engine.options.clone() {
        if let Some(value) = default_text(&kind) {
            engine.send(&format!("setoption name {name} value {value}"))?;
            count += 1;
        }
    }
    engine.ready()?;
    Ok(Passed::With(format!("{count} options")))
}

fn extremes(engine: &mut Candidate, name: &str, most: i64) -> Told {
    let Some(EngineOption { kind: OptionKind::Spin { min: Some(min), max: Some(max), .. }, name }) =
        engine.option(name).cloned()
    else {
        return Candidate::no_option(name);
    };
    engine.spend();
    let most = max.min(most.max(min));
    for value in [min, most] {
        engine.send(&format!("setoption name {name} value {value}"))?;
        engine.ready()?;
        engine.plays(&Place::start())?;
    }
    Ok(Passed::With(format!("{min} and {most}")))
}

fn blanks(engine: &mut Candidate) -> Told {
    let with_blank = |option: &&EngineOption| {
        option.name.contains(' ')
            && (option.kind == OptionKind::Button || default_text(&option.kind).is_some())
    };
    let Some(option) = engine.options.iter().find(with_blank).cloned() else {
        return skip("no name of an option has a blank");
    };
    engine.spend();
    let value = default_text(&option.kind).map(|value| format!(" value {value}")).unwrap_or_default();
    engine.send(&format!("setoption name {}{value}", option.name))?;
    let said = engine.ready()?;
    refused(&said, &option.name)
}

fn case(engine: &mut Candidate) -> Told {
    let Some(option) = engine.option("Hash").cloned() else { return Candidate::no_option("Hash") };
    let Some(value) = default_text(&option.kind) else { return skip("Hash has no default") };
    engine.spend();
    let name = if option.name == "hash" { "HASH" } else { "hash" };
    engine.send(&format!("setoption name {name} value {value}"))?;
    let said = engine.ready()?;
    refused(&said, name)
}

/// An engine that takes an option says nothing or something else; one that does not know it may say so.
fn refused(said: &[String], name: &str) -> Told {
    let complaint = said.iter().find(|line| {
        let line = line.to_ascii_lowercase();
        ["no such", "no option", "unknown", "unrecog", "invalid", "error"]
            .iter()
            .any(|word| line.contains(word))
    });
    match complaint {
        Some(line) => wrong(format!("{name}: `{}`", line.trim())),
        None => Ok(Passed::Well),
    }
}

fn beyond(engine: &mut Candidate) -> Told {
    let Some(EngineOption { kind: OptionKind::Spin { min: Some(min), .. }, name }) =
        engine.option("Hash").cloned()
    else {
        return Candidate::no_option("Hash");
    };
    engine.spend();
    let Some(below) = min.checked_sub(1) else { return skip("there is no value below the least") };
    engine.send(&format!("setoption name {name} value {below}"))?;
    engine.ready()?;
    engine.plays(&Place::start()).map(|_| Passed::Well)
}

fn multipv(engine: &mut Candidate) -> Told {
    let Some(EngineOption { kind: OptionKind::Spin { max: Some(2..), .. }, name }) =
        engine.option("MultiPV").cloned()
    else {
        return Candidate::no_option("MultiPV");
    };
    engine.spend();
    engine.send(&format!("setoption name {name} value 2"))?;
    let searched = engine.plays_under(&Place::start(), "go depth 4", std::time::Duration::ZERO)?;
    let first_move = |wanted: u32| {
        let infos = searched.infos().rev().filter_map(crate::uci::codec::parse_info);
        let mut of_line = infos.filter(|info| info.multipv == Some(wanted) && !info.pv.is_empty());
        of_line.next().and_then(|info| Words::new(info.pv).next())
    };
    match (first_move(1), first_move(2)) {
        (Some(one), Some(two)) if one != two => Ok(Passed::Well),
        (Some(one), Some(_)) => wrong(format!("both lines begin with {one}")),
        (None, _) => wrong("no line with `multipv 1`"),
        (_, None) => wrong("no line with `multipv 2`"),
    }
}
