//! What a setting is unless it is given: `default.toml`, a part of the program.

use toml::Table;

/// The lowest layer of the settings.
pub const DEFAULTS: &str = include_str!("default.toml");

/// The defaults of a verb (`stats.llr`), or of all (`common`).
pub fn defaults(section: &str) -> Table {
    let all = DEFAULTS.parse::<Table>().unwrap_or_default();
    find(&all, section).cloned().unwrap_or_default()
}

pub fn find<'a>(layer: &'a Table, section: &str) -> Option<&'a Table> {
    section.split('.').try_fold(layer, |table, name| table.get(name)?.as_table())
}
