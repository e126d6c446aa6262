//! What a setting is unless it is given: `default.toml`, a part of the program.

use toml::Table;

/// The lowest layer of the settings.
pub const DEFAULTS: &str = include_str!("default.toml");

/// All defaults.
pub fn all() -> Table {
    DEFAULTS.parse().unwrap_or_default()
}

/// Those of a verb (`stats.llr`), or of all (`common`), in a layer of settings.
pub fn find<'a>(layer: &'a Table, section: &str) -> Option<&'a Table> {
    section.split('.').try_fold(layer, |table, name| table.get(name)?.as_table())
}
