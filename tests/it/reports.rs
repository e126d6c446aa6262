//! Records kept and read back, and the report of a record that holds every kind of row.

mod browser;
mod fixture;
mod history;
mod live;
mod sliders;
mod viewer;
pub mod well_formed;

use fixture::{HOSTILE, Lcg, header, run_rows};
use gauntlet::notation::pgn::Reader;
use gauntlet::record::*;
use gauntlet::report::{self, html};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A finished run folder with these rows.
fn kept(base: &Path, rows: &[Row]) -> PathBuf {
    let mut folder = RunFolder::create(base, &header("run"), "seed = 1\n").expect("folder");
    for row in rows {
        folder.row(row.clone()).expect("row");
    }
    folder.finish(&header("run")).expect("finish")
}

/// To go on behind its last whole row.
fn reopened(path: &Path) -> Result<RunFolder, StoreError> {
    RunFolder::reopen(path, &mut |_| Ok(true), &mut |_| ())
}

fn saved(rows: Vec<Row>) -> Saved {
    Saved { path: "reports/runs/20261130T004751Z-run-0ab12c".into(), header: header("run"), rows }
}

fn required(tool: &str) -> bool {
    let required = std::env::var("GAUNTLET_REQUIRE_TOOLS").is_ok_and(|v| v == "1");
    assert!(!required, "{tool} is required and was not found");
    false
}

#[test]
fn a_record_reads_back_as_written() {
    let base = tempfile::tempdir().expect("dir");
    // Undefined numbers become unknown ones; everything else must come back, infinities included.
    let rows: Vec<Row> =
        run_rows().into_iter().filter(|r| !matches!(r, Row::Match(m) if m.sprt.is_some())).collect();
    assert!(rows.iter().any(|r| matches!(r, Row::Match(m) if m.elo_high == Some(f64::INFINITY))));
    let mut folder = RunFolder::create(base.path(), &header("run"), "seed = 1\n").expect("folder");
    let name = folder.path().file_name().expect("name").to_string_lossy().into_owned();
    assert!(name.contains("Z-run-") && name.len() == "20261130T004751Z-run-0ab12c".len(), "{name}");
    let early = Saved::read(folder.path()).expect("a run can be read while it is made");
    assert!(!early.header.complete && early.rows.is_empty());
    for row in &rows {
        folder.row(row.clone()).expect("row");
    }
    let path = folder.finish(&header("run")).expect("finish");
    let back = Saved::read(&path).expect("read");
    assert_eq!(back.rows, rows);
    assert_eq!(back.header, header("run"));
    assert_eq!(fs::read_to_string(path.join("plan.toml")).expect("plan"), "seed = 1\n");
    assert!(!path.join("run.lock").exists());
}

#[test]
fn numbers_keep_their_last_digit_and_the_undefined_is_unknown() {
    let base = tempfile::tempdir().expect("dir");
    let llr = 0.1 + 0.2;
    let sprt = SprtOutcome {
        llr,
        lower: f64::NEG_INFINITY,
        unbiased: Some(f64::NAN),
        alpha: f64::NAN,
        ..SprtOutcome::default()
    };
    let path = kept(
        base.path(),
        &[Row::Match(MatchRow { sprt: Some(sprt), los: Some(llr), ..MatchRow::default() })],
    );
    let back = Saved::read(&path).expect("read");
    let Row::Match(MatchRow { sprt: Some(sprt), los, .. }) = &back.rows[0] else { panic!("{:?}", back.rows) };
    assert_eq!(
        (sprt.llr.to_bits(), sprt.lower, sprt.unbiased, *los),
        (llr.to_bits(), f64::NEG_INFINITY, None, Some(llr))
    );
    assert!(sprt.alpha.is_nan());
}

#[test]
fn a_torn_last_line_is_dropped_with_a_warning() {
    let base = tempfile::tempdir().expect("dir");
    let rows = run_rows();
    let path = kept(base.path(), &rows[..3]);
    let file = path.join("rows.jsonl");
    let whole = fs::read(&file).expect("rows");
    for cut in [1, 2, 40] {
        fs::write(&file, &whole[..whole.len() - cut]).expect("cut");
        let back = Saved::read(&path).expect("torn");
        // Without its line end the last row may still be whole.
        assert_eq!(back.rows, rows[..if cut == 1 { 3 } else { 2 }]);
        assert_eq!(
            back.header.warnings.iter().any(|w| w.contains("rows.jsonl:3")),
            cut > 1,
            "{:?}",
            back.header.warnings
        );
    }
    // Going on appends after the last whole line.
    let mut folder = reopened(&path).expect("reopen");
    folder.row(rows[5].clone()).expect("row");
    drop(folder);
    assert_eq!(Saved::read(&path).expect("read").rows, [rows[0].clone(), rows[1].clone(), rows[5].clone()]);
}

#[test]
fn a_broken_line_elsewhere_names_file_and_line() {
    let base = tempfile::tempdir().expect("dir");
    let path = kept(base.path(), &run_rows()[..3]);
    let file = path.join("rows.jsonl");
    let text = fs::read_to_string(&file).expect("rows");
    fs::write(&file, text.replacen("\n{", "\n{{", 1)).expect("broken");
    // Gone on with it is not; what can be read is shown, with a word on it before all others.
    let error = reopened(&path).expect_err("broken").to_string();
    assert!(error.contains("rows.jsonl: line 2: ") && !error.contains('\n'), "{error}");
    let back = Saved::read(&path).expect("readable");
    assert_eq!(back.rows, [run_rows()[0].clone(), run_rows()[2].clone()]);
    let warning = &back.header.warnings[0];
    assert!(warning.contains("rows.jsonl:2: not a row") && !warning.contains("more like it"), "{warning}");
    fs::write(&file, text.replace("\n{", "\n{{")).expect("broken");
    assert_eq!(Saved::read(&path).expect("readable").rows, run_rows()[..1]);
    // The last one alone is what a crash leaves behind, whole or not.
    let (kept, last) = text.trim_end().rsplit_once('\n').expect("lines");
    fs::write(&file, format!("{kept}\n{}{last}\n", '\0')).expect("broken");
    assert_eq!(Saved::read(&path).expect("readable").rows, run_rows()[..2]);
    reopened(&path).expect("gone on with");
    fs::remove_file(path.join("header.json")).expect("remove");
    assert!(Saved::read(&path).expect_err("no header").to_string().contains("header.json"));
}

#[test]
fn one_run_folder_has_one_writer() {
    let base = tempfile::tempdir().expect("dir");
    let first = RunFolder::create(base.path(), &header("run"), "").expect("first");
    let second = RunFolder::create(base.path(), &header("run"), "").expect("second, in the same second");
    assert_ne!(first.path(), second.path());
    let error = reopened(first.path()).expect_err("locked").to_string();
    assert!(error.contains("another process is writing"), "{error}");
    let path = first.path().to_owned();
    drop(first);
    reopened(&path).expect("free again");
}

#[test]
fn a_hostile_verb_stays_in_its_folder() {
    let base = tempfile::tempdir().expect("dir");
    let folder = RunFolder::create(base.path(), &header("../../x"), "").expect("folder");
    assert_eq!(folder.path().parent(), Some(base.path()));
}

#[test]
fn csv_gives_back_every_row_and_name() {
    let base = tempfile::tempdir().expect("dir");
    let rows = run_rows();
    let path = kept(base.path(), &rows);
    let table = |name: &str| -> Vec<BTreeMap<String, String>> {
        csv::Reader::from_path(path.join(name)).expect("csv").deserialize().map(|r| r.expect("row")).collect()
    };
    let number = |kind: fn(&Row) -> bool| rows.iter().filter(|r| kind(r)).count();
    for (name, wanted) in [
        ("perft.csv", number(|r| matches!(r, Row::Perft(_)))),
        ("tactics.csv", number(|r| matches!(r, Row::Tactics(_)))),
        ("symmetry.csv", number(|r| matches!(r, Row::Symmetry(_)))),
        ("bench.csv", number(|r| matches!(r, Row::Bench(_)))),
        ("speed.csv", number(|r| matches!(r, Row::Speed(_)))),
        ("comparisons.csv", number(|r| matches!(r, Row::Comparison(_)))),
        ("compliance.csv", number(|r| matches!(r, Row::Compliance(_)))),
        ("study.csv", number(|r| matches!(r, Row::Study(_)))),
        ("sliders.csv", number(|r| matches!(r, Row::Sliders(_)))),
        ("techniques.csv", number(|r| matches!(r, Row::Technique(_)))),
        ("pictures.csv", 3 * number(|r| matches!(r, Row::Technique(_)))),
        ("games.csv", number(|r| matches!(r, Row::Game(_)))),
        ("pairs.csv", number(|r| matches!(r, Row::Pair(_)))),
        ("matches.csv", number(|r| matches!(r, Row::Match(_)))),
        ("verdicts.csv", number(|r| matches!(r, Row::Verdict(_)))),
        ("divide.csv", 4),
    ] {
        assert!(wanted > 0);
        assert_eq!(table(name).len(), wanted, "{name}");
    }
    let games = table("games.csv");
    let plies = table("plies.csv");
    assert_eq!(plies.len(), games.iter().map(|g| g["plies"].parse::<usize>().expect("plies")).sum::<usize>());
    assert_eq!(games.last().expect("game")["white"], HOSTILE);
    let (last_match, last_pair) = (&table("matches.csv")[5], table("pairs.csv").pop().expect("pair"));
    assert_eq!(
        (&last_match["second"][..], &last_match["match"], &last_match["unbiased_high"][..]),
        (HOSTILE, &last_pair["match"], "")
    );
    assert_eq!(table("matches.csv")[0]["elo_high"], "inf");
    assert_eq!(games[0]["match"], "0");
    // Every column is described in the data dictionary.
    let dictionary = fs::read_to_string("reports/README.md").expect("reports/README.md");
    for entry in fs::read_dir(&path).expect("folder").map(|e| e.expect("entry").path()) {
        let name = entry.file_name().expect("name").to_string_lossy().into_owned();
        assert!(dictionary.contains(&format!("`{name}`")), "{name} is not in reports/README.md");
        if name.ends_with(".csv") {
            for column in csv::Reader::from_path(&entry).expect("csv").headers().expect("headers") {
                assert!(
                    dictionary.contains(&format!("`{column}`")),
                    "column {column} of {name} is not in reports/README.md"
                );
            }
        }
    }
}

#[test]
fn the_page_has_every_section_and_needs_nothing_else() {
    let mut run = saved(run_rows());
    run.header.warnings.push(format!("the load was high {HOSTILE}"));
    let page = html::render(std::slice::from_ref(&run));
    if let Ok(path) = std::env::var("GAUNTLET_SAMPLE") {
        fs::write(path, &page).expect("sample");
    }
    for id in [
        "verdict",
        "perft",
        "positions",
        "symmetry",
        "bench",
        "speed",
        "sliders",
        "study",
        "ladder",
        "match",
        "games",
        "run",
        "reading",
    ] {
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "section {id}");
    }
    // Verdict, then warnings, then figures.
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(
        place("id=\"verdict\"") < place("class=\"warnings\"")
            && place("class=\"warnings\"") < place("<table>")
    );
    well_formed::check(&page).expect("well-formed");
    // Games are data, no program.
    let programs = page.replace("<script type=\"application/json\">", "");
    for address in ["http:", "https:", "src=", "@import", "url(", "<script ", "\"//"] {
        assert!(!programs.contains(address), "{address}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(!page.contains("<b>x</b>") && page.contains("&lt;b&gt;x&lt;/b&gt;"));
    no_undefined(&page);
    let plots = page.matches("class=\"plot\"").count();
    let boards = page.matches("class=\"board\"").count();
    assert!(plots >= 9 && (24..=60).contains(&boards), "{plots} plots, {boards} boards");
}

/// `NaN` and infinities of the float formatter must not reach a reader.
fn no_undefined(text: &str) {
    for word in text.split(|c: char| !c.is_ascii_alphabetic()) {
        assert!(!["NaN", "inf", "nan", "Infinity"].contains(&word), "{word} in the page");
    }
}

#[test]
fn odd_records_make_pages_too() {
    let zero = Row::Match(MatchRow::default());
    let undefined = Row::Match(MatchRow {
        elo: Some(f64::NAN),
        elo_low: Some(f64::NEG_INFINITY),
        elo_high: Some(f64::INFINITY),
        name: "one-sided".into(),
        ..MatchRow::default()
    });
    let sprt = Row::Match(MatchRow {
        sprt: Some(SprtOutcome {
            llr: f64::NAN,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            ..SprtOutcome::default()
        }),
        ..MatchRow::default()
    });
    let pair = |llr| Row::Pair(PairRow { llr, ..PairRow::default() });
    let bench = |depth, nodes| {
        let text = r#"{"kind":"bench","engine":"e","position":0,"fen":"","time_us":0,"last":false,"interior_nodes":0"#;
        serde_json::from_str(&format!("{text},\"depth\":{depth},\"nodes\":{nodes}}}")).expect("bench row")
    };
    let mut every = run_rows();
    every.truncate(40);
    for rows in [
        vec![],
        vec![zero],
        vec![undefined],
        vec![pair(Some(f64::NAN)), pair(None), pair(Some(f64::INFINITY)), sprt],
        vec![pair(Some(0.5))],
        vec![Row::Game(GameRow::default())],
        vec![bench(1, 0), bench(2, 0), bench(3, 0), bench(4, 9)],
        vec![bench(7, 100)],
        every,
    ] {
        let run = saved(rows);
        let page = html::render(std::slice::from_ref(&run));
        well_formed::check(&page).expect("well-formed");
        no_undefined(&page);
        no_undefined(&report::text::summary(&run.header, &run.rows, Some(80)));
        assert!(report::pgn::write(&run.rows, "x", &mut Vec::new()).is_ok() || run.rows.len() == 1);
    }
}

#[test]
fn several_runs_on_one_page() {
    let (mut first, second) = (saved(run_rows()), saved(run_rows()[..30].to_vec()));
    first.path = "runs/first".into();
    let page = html::render(&[first, second]);
    well_formed::check(&page).expect("well-formed");
    assert!(
        page.contains("id=\"r1-perft\"")
            && page.contains("id=\"r2-perft\"")
            && page.contains("href=\"#r2-verdict\"")
    );
}

#[test]
fn the_headline_follows_the_verdicts() {
    let word = |rows: &[Row], complete: bool| {
        let header = Header { complete, ..header("run") };
        report::headline(&header, &report::digest::Digest::of(rows)).word
    };
    let verdict = |status| {
        Row::Verdict(Verdict {
            stage: "s".into(),
            status,
            summary: String::new(),
            checks: 1,
            failed: 0,
            figures: vec![],
            meaning: String::new(),
            time_ms: 0,
        })
    };
    let [pass, fail, open, info] =
        [Status::Pass, Status::Fail, Status::Inconclusive, Status::Info].map(verdict);
    assert_eq!(word(&[pass.clone(), info.clone()], true), "PASS");
    assert_eq!(word(std::slice::from_ref(&pass), false), "INCONCLUSIVE");
    assert_eq!(word(&[pass.clone(), open.clone()], true), "INCONCLUSIVE");
    assert_eq!(word(&[pass, open, fail], true), "FAIL");
    assert_eq!(word(&[info], true), "Measured");
    assert_eq!(
        word(
            &run_rows()[..21].iter().filter(|r| matches!(r, Row::Perft(_))).cloned().collect::<Vec<_>>(),
            true
        ),
        "FAIL"
    );
}

#[test]
fn text_says_the_same_and_cannot_steer_the_terminal() {
    let mut rows = run_rows();
    if let Some(Row::Match(row)) = rows.iter_mut().rfind(|r| matches!(r, Row::Match(_))) {
        row.first = "\u{1b}[2Jevil\u{7}".into();
    }
    let text = report::text::summary(&header("run"), &rows, Some(120));
    for part in [
        "Perft",
        "Test positions",
        "Colour-flip symmetry",
        "Bench",
        "Slider backends",
        "Study hash-collisions",
        "12,346",
        "Matches",
        "Verdicts",
        "232 of 300",
        "WRONG en-passant.epd",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    // Tables keep to the width; single lines with a FEN may be longer.
    let single = |line: &&str| ["WRONG", "DIFFERENT", "SPRT"].iter().any(|word| line.contains(word));
    let widest = text.lines().filter(|l| !single(l)).map(|l| l.chars().count()).max();
    assert!(widest <= Some(120), "{widest:?}");
    if let Ok(path) = std::env::var("GAUNTLET_SAMPLE_TEXT") {
        fs::write(path, &text).expect("sample");
    }
}

#[test]
fn pgn_holds_every_counted_game() {
    let mut rows = run_rows();
    let games = rows.iter().filter(|r| matches!(r, Row::Game(_))).count();
    if let Some(Row::Game(row)) = rows.iter_mut().find(|r| matches!(r, Row::Game(_))) {
        row.set_aside = true;
    }
    let mut bytes = Vec::new();
    assert_eq!(report::pgn::write(&rows, "gauntlet run", &mut bytes).expect("pgn"), games as u64 - 1);
    let read: Vec<_> = Reader::new(bytes.as_slice()).map(|g| g.expect("game")).collect();
    assert_eq!(read.len(), games - 1);
    let last = read.last().expect("game");
    assert!(last.warnings.is_empty(), "{:?}", last.warnings);
    assert_eq!(last.moves.len(), 16);
    assert_eq!(last.moves[0].comment, "book");
    assert_eq!(last.tag("White").map(|w| w.replace(' ', "")), Some(HOSTILE.replace([' ', '\n'], "")));
    let comment = &last.moves[15].comment;
    assert!(
        comment.contains("[%clk 0:00:00.700]") && comment.contains("s [") && comment.contains('/'),
        "{comment}"
    );
    // Debian keeps it among the games.
    let runs = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let Some(reader) = ["pgn-extract", "/usr/games/pgn-extract"].iter().find(runs) else {
        required("pgn-extract");
        return;
    };
    let mut file = tempfile::NamedTempFile::new().expect("file");
    file.write_all(&bytes).expect("write");
    let output = Command::new(reader).arg("-r").arg(file.path()).output().expect("pgn-extract");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(&format!("{} games matched out of {}.", games - 1, games - 1)), "{said}");
}

#[test]
fn the_report_is_written_beside_its_record() {
    let base = tempfile::tempdir().expect("dir");
    let path = kept(base.path(), &run_rows());
    let page = report::files::write(&path).expect("report");
    assert_eq!(page, path.join("report.html"));
    let games = Reader::new(fs::read(path.join("games.pgn")).expect("games.pgn").as_slice()).count();
    assert!(
        fs::read_to_string(page).expect("page").contains(&format!("{games} games").replace("1840", "1,840"))
    );
    let missing = report::files::write(&base.path().join("nowhere")).expect_err("nowhere").to_string();
    assert!(missing.contains("nowhere") && !missing.contains('\n'), "{missing}");
}

#[test]
fn a_broken_off_depth_is_no_depth() {
    let row = |depth, nodes, broken_off| {
        let text = r#"{"kind":"bench","engine":"e","position":0,"fen":"","time_us":9"#;
        let row = format!(
            "{text},\"depth\":{depth},\"nodes\":{nodes},\"last\":{broken_off},\"broken_off\":{broken_off}}}"
        );
        serde_json::from_str::<Row>(&row).expect("bench row")
    };
    let rows = [row(1, 10, false), row(2, 20, false), row(3, 60, false), row(4, 61, true)];
    let group = &report::digest::Digest::of(&rows).bench_groups()[0];
    assert_eq!((group.by_depth.last(), group.signature), (Some(&(3, 60)), 61));
    assert!((group.ebf.expect("three depths") - 3.0).abs() < 1e-12);
}

#[test]
fn castling_and_an_illegal_move_in_chess960() {
    let mut game = fixture::game(0, 0, "a", "b", &mut Lcg(3));
    game.chess960 = true;
    game.start_fen = "4k3/8/8/8/8/8/8/RK6 w A - 0 1".into();
    game.plies = ["b1a1", "e8e7", "a1h8"].map(|uci| PlyRow { uci: uci.into(), ..PlyRow::default() }).to_vec();
    let pgn = report::pgn::game(&game, "x").expect("game");
    assert_eq!(pgn.moves.len(), 2);
    assert!(pgn.moves[1].comment.contains("a1h8, which is not legal"), "{}", pgn.moves[1].comment);
    let mut bytes = Vec::new();
    report::pgn::write(&[Row::Game(game)], "x", &mut bytes).expect("pgn");
    let text = String::from_utf8(bytes).expect("utf-8");
    assert!(text.contains("1. O-O-O") && text.contains("[Variant \"Chess960\"]"), "{text}");
}

/// A row that was cut away, and will not come again, leaves no table behind.
#[test]
fn tables_of_rows_that_are_gone_are_gone() {
    let base = tempfile::tempdir().expect("dir");
    let path = kept(base.path(), &run_rows());
    let games = fs::read_to_string(path.join("games.csv")).expect("games.csv");
    fs::write(path.join("standings.csv"), "of an earlier end\n").expect("write");
    fs::write(path.join("mine.csv"), "not ours\n").expect("write");
    let folder = reopened(&path).expect("folder");
    assert!(!path.join("standings.csv").exists());
    assert_eq!(fs::read_to_string(path.join("mine.csv")).expect("kept"), "not ours\n");
    folder.finish(&Header::begin("run", Vec::new(), 0)).expect("finish");
    assert_eq!(fs::read_to_string(path.join("games.csv")).expect("games.csv"), games);
}
