//! `gauntlet magics`.

use super::{fields, gauntlet, refused, text};

#[test]
fn fancy_factors_are_found_for_all_squares() {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &["magics", "--scheme", "fancy", "--seconds", "1", "--quiet"]);
    let stdout = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{stdout}");
    let found = fields(&stdout);
    assert_eq!(found["scheme"], "fancy");
    // The sum of 2 to the number of relevant squares, or fewer.
    assert!(found["entries"].parse::<u64>().unwrap() <= 107_648, "{stdout}");
    assert!(found["bytes"].parse::<u64>().unwrap() > 8 * 100_000, "{stdout}");
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
