//! The part of the page that compares slider backends.

use super::fixture::{self, HOSTILE};
use super::{header, no_undefined, saved, well_formed};
use gauntlet::record::*;
use gauntlet::report::{html, text};

/// The rows of a `sliders` run alone.
fn rows() -> Vec<Row> {
    let of_sliders = |row: &Row| match row {
        Row::Sliders(_) | Row::Technique(_) => true,
        Row::Verdict(verdict) => verdict.stage == "sliders",
        _ => false,
    };
    fixture::run_rows().into_iter().filter(of_sliders).collect()
}

fn render(rows: Vec<Row>) -> String {
    let page = html::render(&[saved(rows)]);
    well_formed::check(&page).expect("well-formed");
    no_undefined(&page);
    page
}

/// From the first `from` to the next `to`.
fn part<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).unwrap_or_else(|| panic!("{from} in the page"));
    &page[start..start + page[start..].find(to).unwrap_or_else(|| panic!("{to} after {from}"))]
}

#[test]
fn the_overview_has_a_row_per_backend_and_a_column_per_metric() {
    let page = render(rows());
    let table = part(&page, "<table class=\"sortable", "</table>");
    assert_eq!(table.matches("<tr>").count(), 1 + 11 + 1);
    let head = part(table, "<thead>", "</thead>");
    for metric in ["Throughput", "Latency", "Perft"] {
        assert_eq!(head.matches(metric).count(), 1, "{metric}");
    }
    // Rows come in the order of shuffled rounds, metrics in their own.
    let mut turned = rows();
    turned.reverse();
    let turned = render(turned);
    let head = part(&turned, "<table class=\"sortable", "</thead>");
    let places = ["Throughput", "Latency", "Perft"].map(|metric| head.find(metric).expect("a column"));
    assert!(places.is_sorted(), "{head}");
    let row = |backend: &str| part(table, &format!("data-sort=\"{backend}\""), "</tr>");
    // 1.61 ns with the loop of 0.4 ns taken off: 621 million a second, give or take 1.3 %.
    let pext = row("pext");
    let rate: f64 =
        part(pext, "data-sort=\"6", "\">").trim_start_matches("data-sort=\"").parse().expect("rate");
    assert!((612.0..630.0).contains(&rate), "{rate}");
    assert!(pext.contains("1.00× #1") && pext.contains("843 kB") && pext.contains("BMI2"), "{pext}");
    assert!(pext.contains("href=\"#technique-pext\""), "{pext}");
    assert!(row("gfni").contains("unsupported") && row("broken").contains("class=\"failed\""));
    // A technique without a run has no times and no lines.
    assert_eq!((row("gfni").matches("n/a").count(), row("hyperbola").matches("n/a").count()), (4, 0));
    assert!(
        head.contains("Lines") && pext.contains("data-sort=\"2.2500\"") && pext.contains("of 1,234"),
        "{pext}"
    );
    // The two fills overlap, and so do the two magics.
    let ranks = |backend: &str| part(row(backend), "× #", "<").to_owned();
    assert_eq!(ranks("fill"), ranks("fill-by-subtraction"));
    assert_eq!((ranks("magic-fancy"), ranks("hyperbola")), ("× #2".to_owned(), "× #4".to_owned()));
    let foot = part(table, "<tfoot>", "</tfoot>");
    assert_eq!(foot.matches("0.40 ns").count(), 2, "{foot}");
}

/// 11 ns for a line once the caches are evicted and 8 ns before: what 17.6 ns of PEXT lie above its 8.6 ns is three such.
#[test]
fn misses_are_what_eviction_costs_in_units_of_one_line() {
    let mut rows = rows();
    let mut add = |backend: &str, metric: &str, ns: u64| {
        rows.extend((0..11).map(|round| {
            Row::Sliders(SlidersRow {
                backend: backend.into(),
                metric: metric.into(),
                piece: "queen".into(),
                round,
                operations: 1_000_000,
                time_ns: ns * 100_000,
                table_bytes: 0,
                status: "verified".into(),
            })
        }));
    };
    add(SlidersRow::ONE_LINE, "latency", 84);
    add(SlidersRow::ONE_LINE, "cold", 110);
    add(SlidersRow::EMPTY_LOOP, "cold", 0);
    add("pext", "cold", 176);
    let page = render(rows);
    let table = part(&page, "<table class=\"sortable", "</table>");
    assert!(!table.contains(SlidersRow::ONE_LINE), "{table}");
    let pext = part(table, "data-sort=\"pext\"", "</tr>");
    let misses: f64 =
        part(pext, "data-sort=\"3.0", "\">").trim_start_matches("data-sort=\"").parse().expect("misses");
    assert!((3.0..3.1).contains(&misses), "{misses}");
}

#[test]
fn known_techniques_stand_beside_their_published_rates() {
    let page = render(rows());
    let table = part(&page, "Beside the published comparison", "</table>");
    // 1.61 ns and 2.3 ns of a queen; published 622 and 434 million a second.
    let fancy = part(table, ">magic-fancy<", "</tr>");
    assert!(fancy.contains(">434<") && fancy.contains(">0.70<") && fancy.contains(">yes<"), "{fancy}");
    let classical = part(table, ">classical<", "</tr>");
    assert!(classical.contains(">0.37<") && classical.contains(">228<"), "{classical}");
    assert!(!table.contains(">kindergarten<"));
}

#[test]
fn the_scatter_has_every_timed_backend_and_a_place_for_those_without_a_table() {
    let page = render(rows());
    let plot = part(&page, "aria-label=\"Speed against the size of the tables\"", "</svg>");
    assert_eq!(plot.matches("<circle").count(), 9);
    assert!(plot.contains(">no table<") && plot.contains(">1 MB<") && plot.contains(">1 kB<"), "{plot}");
}

#[test]
fn the_heat_map_gives_each_metric_a_best_one() {
    let page = render(rows());
    let map = part(&page, "<table class=\"heat\">", "</table>");
    assert_eq!(map.matches("<tr>").count(), 1 + 9);
    assert_eq!(map.matches("--heat:").count(), 9 * 3);
    assert_eq!(map.matches("best\"").count(), 3);
    // In latency hyperbola is the fastest, and pext has 5.9 / 8.6 of its speed.
    let row = |backend: &str| part(map, &format!(">{backend}</th>"), "</tr>");
    assert!(row("hyperbola").contains(">100<") && row("pext").contains(">69<"), "{map}");
}

#[test]
fn a_card_tells_and_shows_each_technique() {
    let page = render(rows());
    assert_eq!(page.matches("<details class=\"technique\">").count(), 11);
    // The text that is no set is not drawn; men stand on the board, not on the word.
    assert_eq!(page.matches("class=\"board set\"").count(), 2 * 11);
    let card = part(&page, "id=\"technique-hyperbola\"", "</details>");
    for text in [
        "the idea of hyperbola",
        "On an empty Board",
        "nothing beyond",
        "2,560 B",
        "3 µs",
        "rook attacks from d4",
    ] {
        assert!(card.contains(text), "{text} in {card}");
    }
    assert_eq!((card.matches("class=\"slider\"").count(), card.matches("class=\"man\"").count()), (1, 29));
    // b4 is attacked: the second file from the left, the fifth rank from above; ten squares in all.
    let members = part(card, "class=\"members\"", "</path>");
    assert!(members.contains("M69 163h34") && members.matches('M').count() == 10, "{members}");
    assert!(part(&page, "id=\"technique-gfni\"", "</dl>").contains("did not have"));
    assert!(part(&page, "id=\"technique-broken\"", "</dl>").contains("failed verification"));
}

#[test]
fn what_a_record_says_is_escaped() {
    let page = render(rows());
    for text in [HOSTILE, "<i>", "<b>x</b>"] {
        assert!(!page.contains(text), "{text}");
    }
    // A name that is no id leads to its card all the same.
    let link = part(&page, "href=\"#technique-no.", "\">").trim_start_matches("href=\"#");
    assert!(page.contains(&format!("id=\"{link}\"")), "{link}");
}

#[test]
fn two_runs_on_a_page_have_cards_of_their_own() {
    let page = html::render(&[saved(rows()), saved(rows())]);
    for id in ["r1-technique-pext", "r2-technique-pext"] {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1);
        assert_eq!(page.matches(&format!("href=\"#{id}\"")).count(), 1);
    }
    assert_eq!(page.matches("<script>").count(), 1);
}

#[test]
fn a_record_without_techniques_and_one_without_times_make_pages() {
    let old: Vec<Row> = rows().into_iter().filter(|r| !matches!(r, Row::Technique(_))).collect();
    let page = render(old);
    assert!(page.contains("class=\"sortable") && page.contains("class=\"heat\""));
    assert!(!page.contains("technique-") && !page.contains("The techniques"));
    let broken_off: Vec<Row> = rows().into_iter().filter(|r| matches!(r, Row::Technique(_))).collect();
    let page = render(broken_off.clone());
    assert!(
        page.contains("not verified") && page.contains("id=\"technique-pext\"") && !page.contains("heat\"")
    );
    no_undefined(&text::summary(&header("sliders"), &broken_off, None));
}

#[test]
fn many_backends_get_numbers_and_a_key() {
    let mut rows = rows();
    for round in 0..11 {
        for number in 0..36 {
            let own = Row::Sliders(SlidersRow {
                backend: format!("magic-variant-{number}"),
                metric: "throughput".into(),
                piece: "queen".into(),
                round,
                operations: 1_000_000,
                time_ns: 2_300_000 + 20_000 * number,
                table_bytes: 700_000 + 9_000 * number,
                status: "verified".into(),
            });
            rows.push(own);
        }
    }
    let page = render(rows);
    let key = part(&page, "<ol class=\"point-key\">", "</ol>");
    assert_eq!(key.matches("<li>").count(), 45);
    let plot = part(&page, "aria-label=\"Speed against the size of the tables\"", "</svg>");
    assert!(plot.contains(">45</text>") && plot.matches("<circle").count() == 45);
}
