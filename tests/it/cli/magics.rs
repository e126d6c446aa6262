//! `gauntlet magics`.

use super::{fields, gauntlet, refused, text};
use gauntlet::sliders::magic::search::Scheme;
use std::time::{Duration, Instant};

#[test]
fn fancy_factors_are_found_for_all_squares() {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &["magics", "--scheme", "fancy", "--seconds", "5", "--quiet"]);
    let stdout = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{stdout}");
    let found = fields(&stdout);
    assert_eq!(found["scheme"], "fancy");
    // The sum of 2 to the number of relevant squares, or fewer.
    assert!(found["entries"].parse::<u64>().unwrap() <= 107_648, "{stdout}");
    assert!(found["bytes"].parse::<u64>().unwrap() > 8 * 100_000, "{stdout}");
}

/// Whatever the scheme does with its time, it ends when that is over.
#[test]
fn every_scheme_ends_in_time() {
    for scheme in Scheme::ALL.map(Scheme::id) {
        let folder = tempfile::tempdir().unwrap();
        let (start, args) = (Instant::now(), ["magics", "--scheme", scheme, "--seconds", "1", "--quiet"]);
        let out = gauntlet(folder.path(), &args);
        let stdout = text(&out.stdout);
        assert!(matches!(out.status.code(), Some(0 | 3)), "{scheme}: {stdout}");
        assert!(stdout.starts_with(&format!("magics: scheme={scheme} entries=")), "{scheme}: {stdout}");
        // A machine that is busy with other tests is given time; a scheme that never ends is not.
        assert!(start.elapsed() < Duration::from_secs(20), "{scheme}");
    }
}

/// A table gone on from is never longer than it was, and bad files are refused by line and field.
#[test]
fn a_search_goes_on_from_an_earlier_result() {
    let folder = tempfile::tempdir().unwrap();
    let magics = |more: &[&str]| gauntlet(folder.path(), &[&["magics", "--scheme", "black"], more].concat());
    // On a busy machine six seconds may be too few for all squares.
    let mut all = ["6", "18", "54"].iter().map(|seconds| magics(&["--seconds", seconds, "--format", "csv"]));
    let first = all.find(|out| out.status.code() != Some(3)).expect("all squares in a minute");
    let csv = text(&first.stdout);
    let entries = |line: &str| fields(line)["entries"].parse::<u64>().unwrap();
    assert_eq!(csv.lines().count(), 129, "{csv}");
    let file = folder.path().join("black.csv");
    std::fs::write(&file, &csv).unwrap();
    let on = magics(&["--seconds", "2", "--seed", "9", "--from", "black.csv", "--quiet"]);
    assert_eq!(on.status.code(), Some(0));
    let stderr = text(&first.stderr);
    let (before, after) = (entries(stderr.lines().last().unwrap_or_default()), entries(&text(&on.stdout)));
    assert!(after <= before, "{before} {after}");

    let refusals = [
        (csv.replacen("rook,b1,0x", "rook,b1,0y", 1), "black.csv:3: factor:"),
        (csv.replacen("rook,b1", "queen,b1", 1), "black.csv:3: piece:"),
        (csv.replacen("rook,b1", "rook,a1", 1), "black.csv:3: square:"),
        (csv.replacen("rook,b1", "rook,j9", 1), "black.csv:3: square:"),
        (csv.replacen("square", "place", 1), "black.csv:2: "),
        (
            csv.replacen("rook,b1,0x", "rook,b1,0x0", 1).replacen("rook,c1,0x", "rook,c1,0x00000001", 1),
            "black.csv:4: ",
        ),
    ];
    for (content, refusal) in refusals {
        std::fs::write(&file, content).unwrap();
        let out = magics(&["--seconds", "1", "--from", "black.csv"]);
        let stderr = text(&out.stderr);
        assert!(out.status.code() == Some(2) && stderr.contains(refusal), "{refusal}: {stderr}");
    }
    refused(
        &["magics", "--scheme", "fancy", "--seconds", "1", "--from", "/dev/null"],
        2,
        &["--from", "fancy"],
    );
    refused(
        &["magics", "--scheme", "black", "--seconds", "1", "--from", "no-such-file"],
        2,
        &["no-such-file"],
    );
}

#[test]
fn an_unknown_scheme_is_refused_with_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &["magics", "--scheme", "white"]);
    assert_eq!(out.status.code(), Some(2));
    let stderr = text(&out.stderr);
    for word in ["white", "fancy", "black", "fixed-fancy", "shared"] {
        assert!(stderr.contains(word), "{stderr}");
    }
    refused(&["magics", "--scheme", "fancy", "--seconds", "0"], 2, &["--seconds"]);
}
