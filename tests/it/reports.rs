//! Records kept and read back, and the report of a record that holds every kind of row.

mod fixture;

use fixture::{HOSTILE, header, run_rows};
use gauntlet::record::{RunFolder, Saved, Sink};
use gauntlet::report::html;
use std::fs;
use std::path::Path;

fn kept(base: &Path, rows: &[gauntlet::record::Row]) -> Saved {
    let mut folder = RunFolder::create(base, &header("run"), "seed = 1\n").expect("folder");
    for row in rows {
        folder.row(row.clone()).expect("row");
    }
    let path = folder.finish(&header("run")).expect("finish");
    Saved::read(&path).expect("read back")
}

#[test]
fn page_for_the_eye() {
    let base = tempfile::tempdir().expect("dir");
    let saved = kept(base.path(), &run_rows());
    let _ = HOSTILE;
    let page = html::render(std::slice::from_ref(&saved));
    if let Ok(path) = std::env::var("GAUNTLET_SAMPLE") {
        fs::write(path, page).expect("sample");
    }
}
