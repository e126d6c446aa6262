//! `gauntlet init`: a commented `gauntlet.toml` for one's engine, which is asked for its name and options.

use crate::cli::config::HERE;
use crate::cli::exit::{Exit, Failure, one_line};
use crate::cli::output::Summary;
use crate::cli::{Job, spec};
use crate::engine::Params;
use crate::subject::{EngineKind, EngineSpec};
use crate::uci::options::{EngineOption, OptionKind};
use crate::uci::{Client, Protocol, XboardClient};
use clap::Args;
use std::fmt::{Display, Write as _};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use toml::Value;

#[derive(Args, Clone, Debug)]
pub struct Init {
    /// The engine: its path, or a SPEC (default: the embedded one)
    #[arg(long, value_name = "PATH|SPEC")]
    pub engine: Option<String>,
    /// Overwrite a file that is there
    #[arg(long)]
    pub force: bool,
}

/// An engine, and what it says of itself.
#[derive(Debug, Default)]
struct About {
    spec: String,
    is_embedded: bool,
    name: String,
    author: Option<String>,
    protocol: &'static str,
    /// Name and description of each.
    options: Vec<(String, String)>,
}

pub fn run(settings: &Init, job: &Job) -> Result<Exit, Failure> {
    // Before an engine is started for nothing.
    if !settings.force && Path::new(HERE).exists() {
        return Err(exists());
    }
    let about = ask(settings.engine.as_deref().unwrap_or("embedded"), job)?;
    let text = document(&about);
    let mut how = OpenOptions::new();
    // Somebody may have made it in the meantime.
    let how = if settings.force { how.create(true).truncate(true) } else { how.create_new(true) };
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => exists(),
        _ => Failure::unreadable(HERE, &error),
    };
    how.write(true).open(HERE).and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)?;
    let summary = Summary::new("init")
        .with("file", HERE)
        .with_text("engine", &about.name)
        .with("options", about.options.len());
    job.output.text("next: gauntlet compliance; gauntlet run --quick; gauntlet match --pairs 10; gauntlet gate --baseline gate-baseline.json --update-baseline")?;
    job.output.json(|| summary.json())?;
    job.output.csv(|| summary.csv())?;
    job.output.summary(&summary)?;
    Ok(Exit::Ok)
}

fn exists() -> Failure {
    Failure::usage(format!("init: {HERE} is there already; --force overwrites it"))
}

fn ask(given: &str, job: &Job) -> Result<About, Failure> {
    let is_path = given != "embedded" && !given.starts_with(['@']) && !given.contains(['=', ':']);
    let spec = match is_path || Path::new(given).is_file() {
        true => format!("cmd={}", given.replace(',', "\\,")),
        false => given.to_owned(),
    };
    let engine = EngineSpec::parse(&spec::expand(&spec)?).map_err(Failure::usage)?;
    if !engine.limit.is_none() {
        let why = "the engine alone is wanted, without a limit: that is `each` in the file";
        return Err(Failure::usage(format!("init: `{given}`: {why}")));
    }
    let session = job.session()?;
    let about = match &engine.kind {
        EngineKind::Embedded { .. } => About {
            is_embedded: true,
            name: format!("gauntlet {}", env!("CARGO_PKG_VERSION")),
            options: Params::table()
                .iter()
                .map(|info| {
                    (info.id.to_owned(), format!("{}; default {}, {}", info.doc, info.default, info.range()))
                })
                .collect(),
            ..About::default()
        },
        EngineKind::Command(command) if command.protocol == Protocol::Xboard => {
            let mut client = XboardClient::spawn(command, &session).map_err(Failure::engine)?;
            let name = client.my_name().unwrap_or(&engine.name).to_owned();
            client.quit();
            About { name, protocol: "xboard", ..About::default() }
        }
        EngineKind::Command(command) => {
            let mut client = Client::spawn(command, &session).map_err(Failure::engine)?;
            let about = About {
                name: client.id_name().unwrap_or(&engine.name).to_owned(),
                author: client.id_author().map(str::to_owned),
                protocol: "UCI",
                options: client
                    .options()
                    .iter()
                    .map(|option| (option.name.clone(), described(option)))
                    .collect(),
                ..About::default()
            };
            client.quit();
            about
        }
    };
    Ok(About { spec, ..about })
}

fn described(option: &EngineOption) -> String {
    let default = |value: Option<&dyn Display>| {
        value.map_or_else(|| "no default".to_owned(), |value| format!("default {value}"))
    };
    match &option.kind {
        OptionKind::Check { default: value } => {
            format!("true or false, {}", default(value.as_ref().map(|value| value as &dyn Display)))
        }
        OptionKind::Spin { default: value, min, max } => {
            let end = |value: &Option<i64>| value.map_or_else(|| "...".to_owned(), |value| value.to_string());
            let value = default(value.as_ref().map(|value| value as &dyn Display));
            format!("{} to {}, {value}", end(min), end(max))
        }
        OptionKind::Combo { default: value, values } => {
            let value = default(value.as_ref().map(|value| value as &dyn Display));
            format!("one of {}; {value}", values.join(", "))
        }
        OptionKind::Button => "a button".to_owned(),
        OptionKind::Text { default: value } => {
            let value = value.as_deref().unwrap_or_default();
            format!("text, default {}", if value.is_empty() { "empty" } else { value })
        }
    }
}

/// What an engine says, in a comment: one line, and nothing that TOML refuses there.
fn tame(text: &str) -> String {
    one_line(text).chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The file. A line `#key = value` is a setting that is not set; any other comment has a blank behind its `#`.
fn document(about: &About) -> String {
    let mut file = File::default();
    let spec = about.spec.as_str();
    file.say("Settings of `gauntlet` for what is run in this folder.");
    file.say("Each key is a flag of the verb in brackets, which overrules it on the command line; `gauntlet VERB --help` says");
    file.say("what they mean. Lines that begin with `#` and a key set nothing: take the `#` away.");
    file.say("");
    match (&about.author, about.is_embedded) {
        (_, true) => file.say(&format!("The engine: the embedded one, {}.", about.name)),
        (Some(author), _) => {
            file.say(&format!("The engine: {}, by {author} ({}).", about.name, about.protocol))
        }
        (None, _) => file.say(&format!("The engine: {} ({}).", about.name, about.protocol)),
    }
    file.section("common", "For every verb.");
    file.unset("out", "reports/runs");
    file.unset("seed", 1);
    file.unset("concurrency", 0);
    file.note("Games, positions and counts at once; 0: as many as there are cores.");
    file.unset("threads", 1);
    file.unset("log", "traffic.log");

    file.section("run", "Everything at once: `gauntlet run`.");
    file.set("engine", spec);
    file.unset("quick", true);
    file.unset("junit", "run.xml");

    file.section("compliance", "Does it keep to the protocol? `gauntlet compliance`");
    file.set("engine", spec);
    file.unset("strict", true);
    file.unset("junit", "compliance.xml");

    file.section(
        "perft",
        "Its generator against known counts: `gauntlet perft --suite standard.epd --max-nodes 1000000`",
    );
    file.note("With an engine here its own `go perft` counts; it is no part of UCI, and not all have it.");
    file.unset("engine", spec);
    file.unset("depth", 5);

    file.section("tactics", "Test positions: `gauntlet tactics bratko-kopec.epd`");
    file.set("engine", vec![spec]);
    file.unset("movetime", 1000);
    file.unset("nodes", 100_000);
    file.unset("min-solved", 12);

    file.section("symmetry", "Positions and their colour-flipped twins: `gauntlet symmetry`");
    file.set("engine", spec);
    file.unset("depth", 6);

    file.section("bench", "Signature and speed: `gauntlet bench`");
    file.set("engine", spec);
    file.unset("depth", 10);

    let other = if about.is_embedded { "embedded:name=other,lmr=off" } else { "embedded" };
    for (verb, what) in [
        ("match", "Games against another engine, or an older version: `gauntlet match --pairs 100`"),
        ("sprt", "Is the first one stronger? Games until that is clear: `gauntlet sprt`"),
    ] {
        file.section(verb, what);
        file.set("engine", vec![spec, other]);
        file.set("each", "tc=10+0.1");
        file.set("openings", "file=noob_3moves_sample.epd,order=random");
        file.unset("draw", "movenumber=40,movecount=8,score=10");
        file.unset("resign", "movecount=4,score=600,twosided=true");
        file.unset("maxmoves", 200);
        file.unset("recover", true);
        file.unset("pgn", "games.pgn");
        file.note("The report in a browser while the games are played.");
        file.unset("live", "8080");
        match verb {
            "match" => {
                file.unset("pairs", 100);
                file.unset("error-bar", 10.0);
                file.unset("tournament", "gauntlet");
            }
            _ => {
                file.unset("elo0", 0.0);
                file.unset("elo1", 5.0);
                file.unset("alpha", 0.05);
                file.unset("beta", 0.05);
                file.unset("model", "normalized");
                file.unset("max-pairs", 20_000);
            }
        }
    }
    file.section("gate", "May a change go in? `gauntlet gate --base cmd=./engine-of-main`, or a baseline instead of a base engine:");
    file.set("new", spec);
    file.unset("baseline", "gate-baseline.json");
    file.unset("budget", "10m");
    file.unset(
        "stages",
        vec!["compliance", "perft", "symmetry", "signature", "speed", "branching", "suites", "sprt"],
    );
    file.unset("junit", "gate.xml");
    file.unset("summary", "gate.md");
    file.note(
        "Tables of single stages, as [gate.sprt] with elo0, elo1, nodes or tc: README, \"Gate your CI\".",
    );
    if !about.options.is_empty() {
        file.text.push('\n');
        file.say(match about.is_embedded {
            true => "The engine's parameters, each set by `NAME=VALUE` in a SPEC (`embedded:lmr=off`):",
            false => {
                "The engine's options, each set by `option.NAME=VALUE` in a SPEC (`cmd=PATH,option.Hash=64`):"
            }
        });
        about.options.iter().for_each(|(name, what)| file.say(&format!("  {name}: {what}")));
    }
    file.text
}

#[derive(Debug, Default)]
struct File {
    text: String,
}

// Writing to a text does not fail.
impl File {
    fn say(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", format!("# {}", tame_keeping_indent(line)).trim_end());
    }

    /// A word on the next setting.
    fn note(&mut self, line: &str) {
        self.say(line);
    }

    fn section(&mut self, name: &str, what: &str) {
        let _ = writeln!(self.text, "\n# {what}\n[{name}]");
    }

    fn set(&mut self, key: &str, value: impl Into<Value>) {
        let _ = writeln!(self.text, "{key} = {}", value.into());
    }

    fn unset(&mut self, key: &str, value: impl Into<Value>) {
        let _ = writeln!(self.text, "#{key} = {}", value.into());
    }
}

fn tame_keeping_indent(line: &str) -> String {
    let indent = line.len() - line.trim_start_matches(' ').len();
    " ".repeat(indent) + &tame(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::Layers;

    fn hostile() -> About {
        About {
            spec: "cmd=./a \"b\",arg=\\\\,name=x".to_owned(),
            name: "Engine\n[perft]\ndepth = \u{1b}[31m\"x".to_owned(),
            author: Some("# \r\n\u{0}\u{7f}".to_owned()),
            protocol: "UCI",
            options: vec![("Ha\nsh".to_owned(), "text, default \n[x]".to_owned())],
            ..About::default()
        }
    }

    fn read(text: &str) -> Result<(), Failure> {
        let layers = Layers::of(HERE, text)?;
        let verbs =
            ["common", "run", "perft", "tactics", "symmetry", "bench", "compliance", "match", "sprt", "gate"];
        verbs.iter().try_for_each(|verb| layers.resolve(verb, &toml::Table::new()).map(drop))
    }

    #[test]
    fn the_file_is_read_back_with_each_line_that_may_be_set() {
        let embedded = About { is_embedded: true, spec: "embedded".to_owned(), ..About::default() };
        for about in [embedded, hostile()] {
            let text = document(&about);
            read(&text).unwrap_or_else(|failure| panic!("{}\n{text}", failure.line()));
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let mut set = 0;
            for at in 0..lines.len() {
                let Some(setting) = lines[at]
                    .strip_prefix('#')
                    .filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
                else {
                    continue;
                };
                let setting = setting.to_owned();
                let comment = std::mem::replace(&mut lines[at], setting);
                read(&lines.join("\n")).unwrap_or_else(|failure| panic!("{}", failure.line()));
                lines[at] = comment;
                set += 1;
            }
            assert!(set > 30, "{set}");
        }
    }

    #[test]
    fn what_an_engine_says_sets_nothing() {
        let plain = About { spec: hostile().spec, ..About::default() };
        let settings = |about: &About| document(about).parse::<toml::Table>().unwrap();
        assert_eq!(settings(&hostile()), settings(&plain));
        assert_eq!(settings(&hostile())["run"]["engine"].as_str(), Some(hostile().spec.as_str()));
    }
}
