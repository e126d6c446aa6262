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
