//! The manifest of the data files: what each is, whose it is, how many records it has. Reading TOML is not done here.

use serde::{Deserialize, Serialize};

/// The text of `suites/MANIFEST.toml`, to be read into a [`Manifest`].
pub const MANIFEST: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/MANIFEST.toml"));

/// All data files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub file: Vec<ManifestFile>,
}

/// One data file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestFile {
    /// Path below `suites/`.
    pub path: String,
    pub title: String,
    pub source: String,
    pub licence: String,
    /// The licence of the collection is not clear: left out of the published crate.
    pub licence_unclear: bool,
    /// Lines, games, rows or entries, by the kind of file.
    pub records: u64,
    /// Of the whole file, lower-case hexadecimal.
    pub sha256: String,
    /// What the values of a record mean.
    pub values: String,
    pub chess960: bool,
}
