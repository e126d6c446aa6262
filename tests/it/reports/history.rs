//! Several runs: side by side, and over time.

use super::fixture::HOSTILE;
use super::{header, no_undefined, well_formed};
use gauntlet::record::*;
use gauntlet::report::digest::Digest;
use gauntlet::report::html::{self, Told};
use std::path::Path;

/// A run of an engine of this name: a bench and a suite.
fn run(engine: &str, nodes: u64, time_us: u64, solved: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for position in 0..4u64 {
        for depth in 1..=5u32 {
            let text = format!(
                r#"{{"kind":"bench","engine":"e","position":{position},"fen":"","time_us":{},"depth":{depth},"nodes":{},"last":{}}}"#,
                time_us * u64::from(depth),
                (nodes + position) * 3u64.pow(depth),
                depth == 5
            );
            let Ok(Row::Bench(mut row)) = serde_json::from_str::<Row>(&text) else { panic!("{text}") };
            row.engine = engine.into();
            rows.push(Row::Bench(row));
        }
    }
    for index in 0..40 {
        let text = r#"{"kind":"tactics","suite":"s.epd","id":"x","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","engine":"e","best":["e1e2"],"avoid":[],"mate_in":null,"played":null,"solved":true,"points":null,"max_points":null,"depth":null,"score":null,"nodes":null,"time_us":1,"solved_nodes":null,"solved_us":null,"note":null}"#;
        let Ok(Row::Tactics(mut row)) = serde_json::from_str::<Row>(text) else { panic!("{text}") };
        row.engine = engine.into();
        row.solved = Some(index < solved);
        rows.push(Row::Tactics(row));
    }
    rows
}

fn told<'a>(path: &'a str, header: &'a Header, rows: &'a [Row], plan: &[(&str, &str)]) -> Told<'a> {
    Told {
        path: Path::new(path),
        header,
        digest: Digest::of(rows),
        games: Vec::new(),
        plan: plan.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        is_beside: false,
    }
}

fn at(started: &str, cpu: &str, version: &str) -> Header {
    let mut made = header("bench");
    made.started = started.into();
    made.machine.cpu = cpu.into();
    made.version = version.into();
    made
}

fn part<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).unwrap_or_else(|| panic!("{from} in the page"));
    &page[start..start + page[start..].find(to).unwrap_or_else(|| panic!("{to} after {from}"))]
}

#[test]
fn runs_stand_side_by_side_with_their_differences() {
    let (old, new) = (at("2026-11-01T00:00:00Z", "cpu", "1"), at("2026-11-02T00:00:00Z", "cpu", "2"));
    // The same nodes in half the time; four positions of forty more.
    let (before, after) = (run("old", 1_000, 2_000, 20), run(HOSTILE, 1_000, 1_000, 24));
    let runs = [
        told("a", &old, &before, &[("seed", "1"), ("bench.depth", "5")]),
        told("b", &new, &after, &[("seed", "1"), ("bench.depth", "6"), ("hash", "\"<b>\"")]),
    ];
    let page = html::page(&runs);
    well_formed::check(&page).expect("well-formed");
    no_undefined(&page);
    let table = part(&page, "Nodes per second</h3>", "</table>");
    assert!(table.contains("+100.0 %") && table.contains("n = 4"), "{table}");
    let table = part(&page, "Positions solved, %</h3>", "</table>");
    // Wilson's interval of 20 of 40 and of 24 of 40 (R, prop.test without correction).
    assert!(table.contains("50.0 (35.2 … 64.8), n = 40") && table.contains("60.0 (44.6 … 73.7)"), "{table}");
    assert!(table.contains("<b>+10.0</b>") && !table.contains("<b>x</b>"), "{table}");
    assert!(part(&page, "Signature</h3>", "</table>").contains("<b>same</b>"));
    let settings = part(&page, "Settings that differ</h3>", "</table>");
    assert!(
        settings.contains(">depth<") && settings.contains("not set") && !settings.contains(">seed<"),
        "{settings}"
    );
    assert!(settings.contains("&lt;b&gt;"));
    // On another machine speeds are not compared.
    let other = at("2026-11-02T00:00:00Z", "another", "2");
    let page = html::page(&[told("a", &old, &before, &[]), told("b", &other, &after, &[])]);
    assert!(!part(&page, "Nodes per second</h3>", "</table>").contains(" %</b>"));
    assert!(page.contains("different machines") && !page.contains("Settings that differ"));
}

#[test]
fn a_history_goes_by_time_and_does_not_join_machines() {
    let headers = [
        at("2026-11-03T00:00:00Z", "second", "3 (ccccccc)"),
        at("2026-11-01T00:00:00Z", "first", "1 (aaaaaaa)"),
        at("2026-11-02T00:00:00Z", "first", "2 (bbbbbbb)"),
        at("2026-11-04T00:00:00Z", "second", "4 (ddddddd)"),
    ];
    let rows = [
        run("e", 1_001, 1_000, 30),
        run("e", 1_000, 2_000, 20),
        run("e", 1_000, 1_900, 25),
        run("e", 1_001, 900, 31),
    ];
    let names = ["c", "a", "b", HOSTILE];
    let mut runs: Vec<Told> = (0..4).map(|i| told(names[i], &headers[i], &rows[i], &[])).collect();
    let page = html::history(&mut runs, "runs", &[format!("{HOSTILE}: no rows")]);
    well_formed::check(&page).expect("well-formed");
    no_undefined(&page);
    assert_eq!(
        runs.iter().map(|run| run.header.version.chars().next()).collect::<Vec<_>>(),
        [Some('1'), Some('2'), Some('3'), Some('4')]
    );
    let strokes = |title: &str| {
        part(&page, &format!("aria-label=\"{title} over time\""), "</svg>")
            .matches("class=\"stroke\"")
            .count()
    };
    // Two machines: two lines of speed, one of everything else; and one place where the machine changed.
    assert_eq!(
        [strokes("Nodes per second"), strokes("Positions solved, %"), strokes("Effective branching factor")],
        [2, 1, 1]
    );
    let speed = part(&page, "aria-label=\"Nodes per second over time\"", "</svg>");
    assert_eq!(speed.matches("class=\"level\"").count(), 1);
    assert!(speed.contains(">aaaaaaa<") && speed.find(">aaaaaaa<") < speed.find(">ddddddd<"));
    let solved = part(&page, "aria-label=\"Positions solved, % over time\"", "</svg>");
    assert_eq!(solved.matches("class=\"whisker\"").count(), 4);
    assert!(page.contains("signatures changed 1 time."));
    let table = part(&page, "<table class=\"sortable\"", "</table>");
    assert_eq!((table.matches(">changed<").count(), table.matches(">same<").count()), (1, 2));
    assert_eq!(table.matches("(another one)").count(), 4);
    assert!(page.contains("1 folder left out"));
    assert!(!page.contains("<b>x</b>"));
}

/// Two depths are two series, and half a run is no point of one.
#[test]
fn only_what_was_measured_in_one_way_is_joined() {
    let version = |day: u32| at(&format!("2026-11-{day:02}T00:00:00Z"), "cpu", "1");
    let mut headers: Vec<Header> = (1..=5).map(version).collect();
    headers[1].label = Some("v1.1 <b>x</b>".into());
    headers[4].complete = false;
    headers[4].label = Some("cut".into());
    let rows = run("e", 1_000, 1_000, 20);
    let plan = |depth: &'static str| {
        vec![
            ("bench.depth", depth),
            ("bench.engine", "\"cmd=./e,name=e,option.Hash=16\""),
            ("common.seed", depth),
            ("bench.junit", depth),
        ]
    };
    let told_at = |index: usize, plan: &[(&str, &str)]| told("run", &headers[index], &rows, plan);
    let mut runs = vec![
        told_at(0, &plan("5")),
        told_at(1, &plan("5")),
        told_at(2, &plan("6")),
        // A larger table of the engine is another search, too.
        told_at(3, &[("bench.depth", "6"), ("bench.engine", "\"cmd=./other,name=e,option.Hash=64\"")]),
        told_at(4, &plan("5")),
    ];
    let page = html::history(&mut runs, "runs", &[]);
    well_formed::check(&page).expect("well-formed");
    let table = part(&page, "<table class=\"sortable\"", "</table>");
    let names: Vec<&str> = table.split("<tr>").filter(|row| row.contains(">Signature<")).collect();
    let of = |text: &str| names.iter().filter(|row| row.contains(text)).count();
    assert_eq!(names.len(), 4, "{names:?}");
    assert_eq!([of("depth 5"), of("depth 6"), of("option.Hash=64")], [2, 2, 1], "{names:?}");
    assert_eq!(of(">same<"), 1, "{names:?}");
    // Only a series of two is drawn.
    let chart = part(&page, "aria-label=\"Nodes per second over time\"", "</svg>");
    assert_eq!(chart.matches("class=\"stroke\"").count(), 1, "{chart}");
    assert!(chart.contains("v1.1 &lt;b&gt;x"), "{chart}");
    assert!(
        page.contains("1 run not finished") && !table.contains("(cut)") && table.contains("(v1.1 &lt;b&gt;")
    );
}

/// Signatures of these plans: how many series they make.
fn series(verb: &str, plans: &[Vec<(&str, &str)>]) -> usize {
    let mut made = at("2026-11-01T00:00:00Z", "cpu", "1");
    made.verb = verb.into();
    let headers = vec![made; plans.len()];
    let rows = run("e", 1_000, 1_000, 20);
    let mut runs: Vec<Told> =
        plans.iter().zip(&headers).map(|(plan, header)| told("run", header, &rows, plan)).collect();
    let page = html::history(&mut runs, "runs", &[]);
    let table = part(&page, "<table class=\"sortable\"", "</table>");
    let rows: Vec<&str> = table.split("<tr>").filter(|row| row.contains(">Signature<")).collect();
    // Each series but for its first point has a change.
    let changes = rows.iter().filter(|row| row.contains(">same<")).count();
    let mut names: Vec<&str> = rows.iter().map(|row| part(row, "<td class=\"wrap\"", "</td>")).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rows.len() - changes, "each has a name of its own: {names:?}");
    rows.len() - changes
}

/// What is searched makes a series, what is only asked of it, or of other stages, does not.
#[test]
fn settings_that_touch_a_figure_part_its_series_and_others_do_not() {
    let bench = |key: &'static str, value: &'static str| vec![(key, value)];
    for (one, other, number) in [
        (bench("bench.engine", "\"cmd=./e,hash=1\""), bench("bench.engine", "\"cmd=./e,hash=64\""), 2),
        (bench("bench.engine", "\"cmd=./e,threads=1\""), bench("bench.engine", "\"cmd=./e,threads=2\""), 2),
        (
            bench("bench.engine", "\"embedded:name=e\""),
            bench("bench.engine", "\"embedded:lmr=off,name=e\""),
            2,
        ),
        (bench("bench.engine", "\"cmd=./e,name=e\""), bench("bench.engine", "\"cmd=./v2/e,name=f\""), 1),
        (bench("common.threads", "1"), bench("common.threads", "2"), 2),
        (bench("common.concurrency", "1"), bench("common.concurrency", "2"), 1),
        (bench("bench.min-solved", "1"), bench("bench.min-solved", "2"), 1),
    ] {
        assert_eq!(series("bench", &[one.clone(), other.clone()]), number, "{one:?} {other:?}");
    }
    let gate = |symmetry: &'static str, signature: &'static str, stages: &'static str| {
        vec![
            ("gate.stages", stages),
            ("gate.symmetry.depth", symmetry),
            ("gate.signature.depth", signature),
            ("gate.signature.expect", "\"any\""),
            ("gate.budget", stages),
        ]
    };
    assert_eq!(series("gate", &[gate("3", "9", "1"), gate("4", "9", "2")]), 1);
    assert_eq!(series("gate", &[gate("3", "9", "1"), gate("3", "8", "1")]), 2);
}

#[test]
fn no_page_holds_what_html_does_not_allow() {
    let mut header = at("2026-11-01T00:00:00Z", "cpu", "1");
    header.label = Some("a\u{1b}[31m\u{ffff}b".into());
    let rows = run("e\u{7}\u{fffe}", 1_000, 1_000, 20);
    let runs = || vec![told("a", &header, &rows, &[]), told("b", &header, &rows, &[])];
    for page in [html::page(&runs()[..1]), html::page(&runs()), html::history(&mut runs(), "runs", &[])] {
        let odd = page.chars().find(|c| c.is_control() && *c != '\n' || matches!(c, '\u{fffe}' | '\u{ffff}'));
        assert_eq!(odd, None);
        assert!(page.contains("a\u{fffd}[31m\u{fffd}b"));
    }
}
