//! The rules of the house that a reading of the sources can check: who imports whom, a `//!` on top of every file, nothing
//! printed outside `cli`, nothing left unfinished, no file beyond 800 lines. The table here is the authority on the layers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A room and the rooms it may import from: all of them in lower layers, and no more than it is meant to know.
const ALLOWED: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("file", &[]),
    ("mailbox", &["types"]),
    ("stats", &[]),
    ("time", &["types"]),
    ("record", &["file", "time"]),
    ("sliders", &["types", "stats", "time"]),
    ("bits", &[]),
    ("geometry", &["types"]),
    ("rules", &["types", "sliders"]),
    ("notation", &["types", "sliders", "rules"]),
    ("encoding", &["types", "sliders", "rules", "geometry"]),
    ("attackmap", &["types", "sliders", "rules"]),
    ("engine", &["types", "sliders", "stats", "time", "rules"]),
    ("suite", &["types", "file", "sliders", "stats", "rules", "notation"]),
    ("uci", &["types", "file", "time", "rules", "notation"]),
    ("subject", &["types", "sliders", "time", "rules", "notation", "engine", "uci"]),
    (
        "trial",
        &[
            "types",
            "mailbox",
            "sliders",
            "stats",
            "record",
            "time",
            "rules",
            "notation",
            "attackmap",
            "engine",
            "suite",
            "uci",
            "subject",
        ],
    ),
    (
        "arena",
        &[
            "types", "sliders", "stats", "record", "time", "rules", "notation", "engine", "suite", "uci",
            "subject",
        ],
    ),
    (
        "campaign",
        &[
            "types", "sliders", "stats", "record", "time", "rules", "notation", "engine", "suite", "uci",
            "subject", "trial", "arena",
        ],
    ),
    ("report", &["types", "file", "stats", "record", "rules", "notation"]),
    (
        "cli",
        &[
            "types", "file", "sliders", "geometry", "stats", "record", "time", "rules", "encoding",
            "notation", "engine", "suite", "uci", "subject", "trial", "arena", "campaign", "report",
        ],
    ),
];

/// Imports that only some files of a room may make: room, imported room, file stems.
const ONLY_IN: &[(&str, &str, &[&str])] = &[("uci", "engine", &["server", "worker"])];

/// Files longer than this must be split.
const MOST_LINES: usize = 800;

/// What must not stand in the code, and the room that may have it all the same.
const FORBIDDEN: &[(&str, &str)] = &[
    ("println!", "cli"),
    ("print!", "cli"),
    ("eprintln!", "cli"),
    ("eprint!", "cli"),
    ("dbg!", ""),
    ("todo!", ""),
    ("unimplemented!", ""),
];

#[test]
fn the_sources_keep_the_rules_of_the_house() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches", "examples", "fuzz/src", "fuzz/fuzz_targets"] {
        collect(&root.join(folder), &mut files);
    }
    assert!(files.len() > 30, "the sources were not found");
    let mut faults = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(root).unwrap();
        check(name, &text, &mut faults);
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn the_table_has_no_loops() {
    for (index, (room, allowed)) in ALLOWED.iter().enumerate() {
        for other in *allowed {
            let place = ALLOWED.iter().position(|(name, _)| name == other);
            assert!(
                place.is_some_and(|place| place < index),
                "{room} may not import {other}: it is not below"
            );
        }
    }
}

#[test]
fn each_rule_is_seen_to_fail() {
    let faults = |name: &str, text: &str| {
        let mut faults = Vec::new();
        check(Path::new(name), text, &mut faults);
        faults
    };
    let ok = "//! Doc.\nuse crate::types::Move;\n";
    assert_eq!(faults("src/rules/x.rs", ok), [""; 0]);
    assert_eq!(faults("src/rules/x.rs", "use crate::types::Move;\n").len(), 1);
    assert_eq!(faults("src/rules/x.rs", "//! D\nuse crate::{types::Move, notation::{fen, san}};\n").len(), 1);
    assert_eq!(
        faults("src/rules/x.rs", "//! D\nfn f() { super::super::notation::fen::parse(); }\n").len(),
        1
    );
    assert_eq!(faults("src/rules/x.rs", "//! D\n// use crate::notation::fen;\n/* crate::cli */\n").len(), 0);
    assert_eq!(
        faults("src/rules/x.rs", "//! D\nfn f() -> &'static str { \"crate::cli println!\" }\n").len(),
        0
    );
    assert_eq!(
        faults("src/rules/x.rs", "//! D\n#[cfg(test)]\nmod tests { use crate::notation::fen; }\n").len(),
        0
    );
    assert_eq!(faults("src/rules/x.rs", "//! D\nfn f() { println!(); }\n").len(), 1);
    assert_eq!(faults("src/cli/x.rs", "//! D\nfn f() { println!(); }\n").len(), 0);
    assert_eq!(faults("src/cli/x.rs", "//! D\nfn f() { todo!(); }\n").len(), 1);
    assert_eq!(faults("src/uci/client.rs", "//! D\nuse crate::engine::Engine;\n").len(), 1);
    assert_eq!(faults("src/uci/server.rs", "//! D\nuse crate::engine::Engine;\n").len(), 0);
    assert_eq!(faults("src/nowhere/x.rs", "//! D\nuse crate::types::Move;\n").len(), 1);
    let long = format!("//! D\n{}", "const X: u8 = 0;\n".repeat(MOST_LINES));
    assert_eq!(faults("src/types/x.rs", &long).len(), 1);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Adds one line per broken rule.
fn check(name: &Path, text: &str, faults: &mut Vec<String>) {
    let shown = name.display();
    if !text.starts_with("//!") {
        faults.push(format!("{shown}: does not open with `//!`"));
    }
    let lines = text.lines().count();
    if lines > MOST_LINES {
        faults.push(format!("{shown}: {lines} lines, split it"));
    }
    let parts: Vec<String> = name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    // Tests name forbidden words in order to look for them.
    if parts[0] == "tests" {
        return;
    }
    let code = without_tests(&without_comments_and_strings(text));
    let room = if parts[0] == "src" && parts.len() > 2 { parts[1].as_str() } else { "" };
    for (word, but) in FORBIDDEN {
        let found = code.match_indices(word).any(|(at, _)| !preceded_by_name(&code, at));
        if found && (room.is_empty() || room != *but) {
            faults.push(format!("{shown}: `{word}`"));
        }
    }
    if room.is_empty() {
        return;
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == room) else {
        faults.push(format!("{shown}: the room `{room}` is not in the table"));
        return;
    };
    let stem = name.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // The module path below the crate root: `a/mod.rs` is one deep, `a/b.rs` two.
    let depth = parts.len() - 1 - usize::from(stem == "mod");
    for import in imports(&code, depth) {
        let known = ALLOWED.iter().any(|(name, _)| *name == import);
        let by_file = ONLY_IN.iter().any(|(from, to, stems)| {
            *from == room
                && *to == import
                && (stems.contains(&stem.as_str())
                    || parts[2..].iter().any(|part| stems.contains(&part.as_str())))
        });
        if known && import != room && !allowed.contains(&import.as_str()) && !by_file {
            faults.push(format!("{shown}: `{room}` may not import `{import}`"));
        }
    }
}

fn preceded_by_name(code: &str, at: usize) -> bool {
    code[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_')
}

/// The names after `crate::`, and after as many `super::` as lead out of the room.
fn imports(code: &str, depth: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, word) in code.match_indices("crate::") {
        if !preceded_by_name(code, at) {
            names(&code[at + word.len()..], &mut found);
        }
    }
    for (at, word) in code.match_indices(&"super::".repeat(depth)) {
        names(&code[at + word.len()..], &mut found);
    }
    found
}

/// The first path segments of what follows: one name, or those of a braced list.
fn names(rest: &str, found: &mut BTreeSet<String>) {
    let rest = rest.trim_start();
    let Some(list) = rest.strip_prefix('{') else {
        found.insert(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        return;
    };
    let mut level = 0;
    let mut item = String::new();
    for c in list.chars() {
        match c {
            '{' => level += 1,
            '}' if level == 0 => break,
            '}' => level -= 1,
            ',' if level == 0 => {
                names(&std::mem::take(&mut item), found);
                continue;
            }
            _ => {}
        }
        item.push(c);
    }
    if !item.trim().is_empty() {
        names(&item, found);
    }
}

/// Comments (doctests with them), strings and character literals blanked out.
fn without_comments_and_strings(text: &str) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let at = |index: usize| bytes.get(index).copied().unwrap_or('\0');
    let mut i = 0;
    while i < bytes.len() {
        match (at(i), at(i + 1)) {
            ('/', '/') => {
                while i < bytes.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            ('/', '*') => {
                let mut level = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => {
                            level += 1;
                            i += 2;
                        }
                        ('*', '/') => {
                            level -= 1;
                            i += 2;
                        }
                        _ => i += 1,
                    }
                    if level == 0 || i >= bytes.len() {
                        break;
                    }
                }
            }
            ('r', '"' | '#') if !code.ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                let hashes = bytes[i + 1..].iter().take_while(|c| **c == '#').count();
                if at(i + 1 + hashes) != '"' {
                    code.push('r');
                    i += 1;
                    continue;
                }
                i += 2 + hashes;
                while i < bytes.len() && !(at(i) == '"' && (1..=hashes).all(|k| at(i + k) == '#')) {
                    i += 1;
                }
                i += 1 + hashes;
            }
            ('"', _) => {
                i += 1;
                while i < bytes.len() && at(i) != '"' {
                    i += if at(i) == '\\' { 2 } else { 1 };
                }
                i += 1;
            }
            // A character literal, not a lifetime.
            ('\'', c) if c == '\\' || at(i + 2) == '\'' => {
                i += if c == '\\' { 3 } else { 2 };
                while i < bytes.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
            }
            (c, _) => {
                code.push(c);
                i += 1;
            }
        }
    }
    code
}

/// Code without the modules under `#[cfg(test)]`: tests may use any room to say what they mean.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(open) = rest.find(['{', ';']) else { return kept };
        if rest.as_bytes()[open] == b';' {
            rest = &rest[open + 1..];
            continue;
        }
        let mut level = 0;
        let end = rest[open..].char_indices().find_map(|(at, c)| {
            level += i32::from(c == '{') - i32::from(c == '}');
            (level == 0).then_some(open + at + 1)
        });
        rest = end.map_or("", |end| &rest[end..]);
    }
    kept.push_str(rest);
    kept
}
