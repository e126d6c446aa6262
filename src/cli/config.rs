//! Settings in layers: `default.toml` (embedded) < `./gauntlet.toml` < `--config FILE` < flags; or, with `--plan`, the plan
//! of a recorded run < flags. A file is a table per verb, `[common]` for the shared flags, and its keys are the flags' names;
//! any other key is refused with the nearest known one, the file and the line.

use super::args::Cli;
use super::defaults::{DEFAULTS, find};
use super::exit::Failure;
use crate::file;
use clap::CommandFactory;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// The settings of a folder.
pub const HERE: &str = "gauntlet.toml";

/// The layers below the flags, lowest first.
#[derive(Clone, Debug)]
pub struct Layers {
    tables: Vec<Layer>,
}

/// What one file says.
#[derive(Clone, Debug)]
struct Layer {
    name: String,
    text: String,
    table: Table,
}

impl Layer {
    /// The file and the line of a key, if it stands there.
    fn place(&self, section: &str, key: &str) -> Option<String> {
        let names = section.split('.').chain([key]);
        Some(format!("{}:{}", self.name, line_of(&self.text, names, None)?))
    }
}

impl Layers {
    /// Reads what there is for this verb. A plan stands alone: it holds every setting of its run.
    pub fn load(verb: &str, config: Option<&Path>, plan: Option<&Path>) -> Result<Layers, Failure> {
        if let Some(path) = plan {
            let (name, text) = (path.display().to_string(), read(path)?);
            return Ok(Layers { tables: vec![Layer { table: plan_table(verb, &name, &text)?, name, text }] });
        }
        let layer = |name: String, text: String| -> Result<Layer, Failure> {
            Ok(Layer { table: table(&name, &text)?, name, text })
        };
        let mut tables = vec![layer("default.toml".to_owned(), DEFAULTS.to_owned())?];
        if Path::new(HERE).is_file() {
            tables.push(layer(HERE.to_owned(), read(Path::new(HERE))?)?);
        }
        if let Some(path) = config {
            tables.push(layer(path.display().to_string(), read(path)?)?);
        }
        Ok(Layers { tables })
    }

    /// No settings but the flags.
    pub fn none() -> Layers {
        Layers { tables: Vec::new() }
    }

    /// Those of one file alone.
    #[cfg(test)]
    pub fn of(name: &str, text: &str) -> Result<Layers, Failure> {
        Ok(Layers {
            tables: vec![Layer { name: name.to_owned(), text: text.to_owned(), table: table(name, text)? }],
        })
    }

    /// The settings of one section: its tables in order, the flags on top. A setting also overrules those of the layers below
    /// that it excludes on the command line; in one file the two are refused.
    pub fn resolve<T: Serialize + DeserializeOwned>(&self, section: &str, flags: &T) -> Result<T, Failure> {
        let mut command = Cli::command();
        // So that a verb knows the flags that all have, which may be among those it excludes.
        command.build();
        let verb = section.split('.').try_fold(&command, |command, name| command.find_subcommand(name));
        let mut merged = Table::new();
        for layer in &self.tables {
            let Some(table) = find(&layer.table, section) else { continue };
            let excluded = excluded(verb, table);
            if let Some((one, other)) = excluded.iter().find(|(_, other)| is_set(table, other)) {
                let place = |key| layer.place(section, key).unwrap_or_else(|| layer.name.clone());
                let (at, and) = (place(one), place(other));
                let what = format!("{at}: `{one}` cannot be used with `{other}` ({and}) in [{section}]");
                return Err(Failure::usage(what));
            }
            overlay(&mut merged, table, &excluded);
        }
        let flags =
            Table::try_from(flags).map_err(|error| Failure::usage(format!("[{section}]: {error}")))?;
        overlay(&mut merged, &flags, &excluded(verb, &flags));
        merged
            .try_into()
            .map_err(|error: toml::de::Error| Failure::usage(format!("[{section}]: {}", error.message())))
    }
}

/// A switch that is off and a list without entries are not set.
fn is_set(table: &Table, key: &str) -> bool {
    match table.get(key) {
        None | Some(Value::Boolean(false)) => false,
        Some(Value::Array(list)) => !list.is_empty(),
        Some(_) => true,
    }
}

/// Pairs of a key that is set in this table and one that it excludes, which may be set or not.
fn excluded(verb: Option<&clap::Command>, table: &Table) -> Vec<(String, String)> {
    let Some(verb) = verb else { return Vec::new() };
    let mut pairs = Vec::new();
    for arg in verb.get_arguments() {
        for other in verb.get_arg_conflicts_with(arg) {
            // Either side may name the other.
            for (one, other) in [(key_of(arg), key_of(other)), (key_of(other), key_of(arg))] {
                if is_set(table, &one) {
                    pairs.push((one, other));
                }
            }
        }
    }
    pairs
}

/// An argument's key: its long name, or the name of one that has none.
fn key_of(arg: &clap::Arg) -> String {
    arg.get_long().map_or_else(|| arg.get_id().as_str().replace('_', "-"), str::to_owned)
}

/// The plan of a run: every setting of the verb and of `[common]`, as `--plan` reads it.
pub fn plan_toml<C: Serialize, T: Serialize>(
    verb: &str,
    common: &C,
    settings: &T,
) -> Result<String, Failure> {
    let text = |error: toml::ser::Error| Failure::usage(format!("plan of {verb}: {error}"));
    let mut plan = Table::new();
    plan.insert("verb".to_owned(), Value::from(verb));
    plan.insert("common".to_owned(), Value::try_from(common).map_err(text)?);
    let mut value = Value::try_from(settings).map_err(text)?;
    for name in verb.split('.').skip(1).collect::<Vec<_>>().into_iter().rev() {
        value = Value::Table(Table::from_iter([(name.to_owned(), value)]));
    }
    plan.insert(verb.split('.').next().unwrap_or(verb).to_owned(), value);
    toml::to_string(&plan).map_err(text)
}

/// What differs between two plans of one verb, settings left out that do not change a result: the first such key and both
/// values.
pub fn first_difference(
    verb: &str,
    one: &str,
    other: &str,
    ignored: &[&str],
) -> Option<(String, String, String)> {
    let parse = |text: &str| text.parse::<Table>().unwrap_or_default();
    let (one, other) = (parse(one), parse(other));
    let text = |table: Option<&Table>, key: &str| {
        table.and_then(|table| table.get(key)).map_or_else(|| "not set".to_owned(), Value::to_string)
    };
    for section in ["common", verb] {
        let (one, other) = (find(&one, section), find(&other, section));
        let mut keys: Vec<&String> = [one, other].into_iter().flatten().flat_map(Table::keys).collect();
        keys.sort_unstable();
        for key in keys.into_iter().filter(|key| !ignored.contains(&key.as_str())) {
            let (one, other) = (text(one, key), text(other, key));
            if one != other {
                return Some((key.clone(), one, other));
            }
        }
    }
    None
}

fn read(path: &Path) -> Result<String, Failure> {
    file::settings(path).map_err(|error| Failure::unreadable(path.display(), &error))
}

fn plan_table(verb: &str, name: &str, text: &str) -> Result<Table, Failure> {
    let mut plan: Table = text.parse().map_err(|error| syntax(name, text, &error))?;
    match plan.remove("verb") {
        Some(Value::String(recorded)) if recorded == verb => {}
        Some(Value::String(recorded)) => {
            return Err(Failure::usage(format!("{name}: a plan of `{recorded}`, not of `{verb}`")));
        }
        _ => return Err(Failure::usage(format!("{name}: no plan of a run: `verb` is missing"))),
    }
    check_keys(name, text, &["verb"])?;
    check_types(name, text)?;
    Ok(plan)
}

fn table(name: &str, text: &str) -> Result<Table, Failure> {
    let table = text.parse().map_err(|error| syntax(name, text, &error))?;
    check_keys(name, text, &[])?;
    check_types(name, text)?;
    Ok(table)
}

/// Values of the wrong kind are found file by file, where the line is still known.
fn check_types(name: &str, text: &str) -> Result<(), Failure> {
    toml::from_str::<super::verbs::Settings>(text).map(drop).map_err(|error| syntax(name, text, &error))
}

pub fn syntax(name: &str, text: &str, error: &toml::de::Error) -> Failure {
    match error.span() {
        Some(span) => Failure::usage(format!("{name}:{}: {}", line(text, &span), error.message())),
        None => Failure::usage(format!("{name}: {}", error.message())),
    }
}

pub fn line(text: &str, span: &Range<usize>) -> usize {
    text.bytes().take(span.start).filter(|&byte| byte == b'\n').count() + 1
}

/// The line of a key, named from the outermost table inwards, or of an element of the list that is its value.
pub fn line_of<'a>(
    text: &str,
    names: impl IntoIterator<Item = &'a str>,
    element: Option<usize>,
) -> Option<usize> {
    let parsed = DeTable::parse(text).ok()?;
    let mut table = Some(parsed.get_ref());
    let mut found = None;
    for name in names {
        let (key, value) = table?.get_key_value(name)?;
        table = match value.get_ref() {
            DeValue::Table(inner) => Some(inner),
            _ => None,
        };
        found = Some((key, value));
    }
    let (key, value) = found?;
    let span = match (value.get_ref(), element) {
        (DeValue::Array(list), Some(element)) => list.get(element)?.span(),
        _ => key.span(),
    };
    Some(line(text, &span))
}

/// Every key must be a verb's table, or one of that verb's flags.
fn check_keys(name: &str, text: &str, also: &[&str]) -> Result<(), Failure> {
    let parsed = DeTable::parse(text).map_err(|error| syntax(name, text, &error))?;
    let command = Cli::command();
    let has_settings = |verb: &&clap::Command| !["init", "completions", "man"].contains(&verb.get_name());
    let mut sections: Vec<String> =
        command.get_subcommands().filter(has_settings).map(|verb| verb.get_name().to_owned()).collect();
    sections.push("common".to_owned());
    sections.extend(also.iter().map(|&key| key.to_owned()));
    for (key, value) in parsed.get_ref() {
        known(name, text, key.get_ref(), &key.span(), &sections, "")?;
        let section = key.get_ref().as_ref();
        let DeValue::Table(table) = value.get_ref() else { continue };
        if section == "common" {
            check_section(name, text, table, &command, section)?;
        } else if let Some(verb) = command.find_subcommand(section) {
            check_section(name, text, table, verb, section)?;
        }
    }
    Ok(())
}

fn check_section(
    name: &str,
    text: &str,
    table: &DeTable,
    verb: &clap::Command,
    section: &str,
) -> Result<(), Failure> {
    let mut flags = keys(verb, section == "common");
    if section == "study" {
        // The study as it was read, in the plan of its run: a table, not a flag.
        flags.push("design".to_owned());
    }
    // The gate has a table for each of its stages.
    let tables = if section == "gate" { super::verbs::gate::tables() } else { Vec::new() };
    flags.extend(tables.iter().map(|(table, _)| (*table).to_owned()));
    let inner: Vec<String> = verb.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let nested = section != "common" && !inner.is_empty();
    for (key, value) in table {
        known(name, text, key.get_ref(), &key.span(), if nested { &inner } else { &flags }, section)?;
        if let (Some((table, keys)), DeValue::Table(of_stage)) =
            (tables.iter().find(|(table, _)| *table == key.get_ref().as_ref()), value.get_ref())
        {
            let section = format!("{section}.{table}");
            for (key, _) in of_stage {
                known(name, text, key.get_ref(), &key.span(), keys, &section)?;
            }
        }
        if let (true, Some(verb), DeValue::Table(table)) =
            (nested, verb.find_subcommand(key.get_ref().as_ref()), value.get_ref())
        {
            check_section(name, text, table, verb, &format!("{section}.{}", key.get_ref()))?;
        }
    }
    Ok(())
}

/// The keys of a section: the long names of the flags, and the names of the arguments without one.
fn keys(command: &clap::Command, global: bool) -> Vec<String> {
    command
        .get_arguments()
        .filter(|arg| arg.is_global_set() == global)
        .map(key_of)
        .filter(|key| !["help", "version", "config", "plan", "label"].contains(&key.as_str()))
        .collect()
}

fn known(
    name: &str,
    text: &str,
    key: &str,
    span: &Range<usize>,
    keys: &[String],
    section: &str,
) -> Result<(), Failure> {
    if keys.iter().any(|known| known == key) {
        return Ok(());
    }
    let place = if section.is_empty() { String::new() } else { format!(" in [{section}]") };
    let hint = nearest(key, keys).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(Failure::usage(format!("{name}:{}: unknown key `{key}`{place}{hint}", line(text, span))))
}

/// The known name nearest to a mistyped one, if there is one at all.
pub fn nearest<'a>(key: &str, known: &'a [String]) -> Option<&'a str> {
    known.iter().min_by_key(|name| strsim::damerau_levenshtein(key, name)).map(String::as_str)
}

/// Keys of `upper` replace those of `lower`, and take away those that they exclude; lists are replaced whole, tables key by key.
fn overlay(lower: &mut Table, upper: &Table, excluded: &[(String, String)]) {
    for (_, other) in excluded {
        lower.remove(other);
    }
    for (key, value) in upper {
        match (lower.get_mut(key), value) {
            (Some(Value::Table(lower)), Value::Table(upper)) => overlay(lower, upper, &[]),
            _ => {
                lower.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Common;

    fn refused(text: &str) -> String {
        table("x.toml", text).map(drop).unwrap_err().line()
    }

    #[test]
    fn the_embedded_defaults_are_valid() {
        table("default.toml", DEFAULTS).unwrap();
    }

    #[test]
    fn unknown_keys_are_refused_with_the_nearest_and_the_line() {
        assert_eq!(
            refused("\n[common]\nsede = 1\n"),
            "x.toml:3: unknown key `sede` in [common]; did you mean `seed`?"
        );
        assert_eq!(refused("[perfd]\n"), "x.toml:1: unknown key `perfd`; did you mean `perft`?");
        assert_eq!(
            refused("[stats.llr]\nelo0 = 1\nalpa = 0.1\n"),
            "x.toml:3: unknown key `alpa` in [stats.llr]; did you mean `alpha`?"
        );
        assert_eq!(
            refused("[gate.sprt]\nelo0 = 1\nmax-pair = 3\n"),
            "x.toml:3: unknown key `max-pair` in [gate.sprt]; did you mean `max-pairs`?"
        );
    }

    #[test]
    fn wrong_kinds_and_broken_syntax_name_the_line() {
        assert!(refused("[common]\nseed = \"one\"\n").starts_with("x.toml:2: invalid type"));
        assert!(refused("[common\n").starts_with("x.toml:1: "));
        assert!(refused("[common]\nformat = \"jsn\"\n").starts_with("x.toml:2: unknown variant"));
    }

    #[test]
    fn upper_layers_win_and_flags_win_over_all() {
        let layer = |text: &str| Layer {
            name: "x.toml".to_owned(),
            text: text.to_owned(),
            table: text.parse::<Table>().unwrap(),
        };
        let layers =
            Layers { tables: vec![layer("[common]\nseed = 1\nthreads = 2"), layer("[common]\nseed = 5")] };
        let common = layers.resolve("common", &Common { threads: Some(7), ..Common::default() }).unwrap();
        assert_eq!((common.seed, common.threads), (Some(5), Some(7)));
    }

    #[test]
    fn tables_within_a_section_are_layered_key_by_key() {
        let layer = |text: &str| Layer {
            name: "x.toml".to_owned(),
            text: text.to_owned(),
            table: text.parse::<Table>().unwrap(),
        };
        let tables = vec![
            layer("[gate.sprt]\nelo0 = -5.0\nmax-pairs = 7"),
            layer("[gate.sprt]\nmax-pairs = 9\n[gate.suites]\nnodes = 3"),
        ];
        let flags = crate::cli::verbs::gate::Gate::default();
        let gate = Layers { tables }.resolve("gate", &flags).unwrap();
        assert_eq!((gate.sprt.elo0, gate.sprt.max_pairs, gate.suites.nodes), (Some(-5.0), Some(9), Some(3)));
    }

    #[test]
    fn a_plan_is_read_back() {
        let common = Common { seed: Some(3), ..Common::default() };
        let text =
            plan_toml("stats.elo", &common, &Table::from_iter([("wdl".to_owned(), Value::from("1,2,3"))]))
                .unwrap();
        let table = plan_table("stats.elo", "plan.toml", &text).unwrap();
        assert_eq!(find(&table, "stats.elo").unwrap()["wdl"].as_str(), Some("1,2,3"));
        assert_eq!(find(&table, "common").unwrap()["seed"].as_integer(), Some(3));
        assert!(plan_table("perft", "plan.toml", &text).unwrap_err().line().contains("not of `perft`"));
    }
}
