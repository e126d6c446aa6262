//! Our figures beside those of the comparison of techniques that is quoted most, run again by others one lookup at a time on
//! sliders of games: where a technique stands elsewhere, and why.

use super::{Metric, value};
use crate::record::SlidersRow;
use crate::report::figures::{NONE, fixed};
use maud::{Markup, html};

/// Source: Daniel Inführ, Chess_Movegen (2022), measured again on one core of another machine.
struct Published {
    backend: &'static str,
    /// Million queen lookups a second.
    rate: f64,
    /// What our code does otherwise; empty where it does the same.
    other: &'static str,
}

const fn published(backend: &'static str, rate: f64, other: &'static str) -> Published {
    Published { backend, rate, other }
}

const SIDE_BY_SIDE: &str =
    "with AVX-512 the compiler works the lines of a queen out side by side in one vector register";

const PUBLISHED: [Published; 17] = [
    published("pext", 622.0, ""),
    published("magic-black", 496.0, "a larger table"),
    published("magic-plain", 481.0, ""),
    published("pext-split", 480.0, ""),
    published("magic-fancy", 434.0, "squares do not overlap, so the table is larger"),
    published("kindergarten", 349.0, "tables of 10 kB instead of 130"),
    published("obstruction-genetic", 342.0, SIDE_BY_SIDE),
    published("hyperbola", 321.0, ""),
    published("sherwin", 302.0, "thirteen row lookups for a queen, and a smaller table"),
    published("folding-hash", 249.0, "the ends of lines are masked out, which makes the table smaller"),
    published("classical", 228.0, ""),
    published("qbb", 208.0, SIDE_BY_SIDE),
    published("sbamg", 203.0, SIDE_BY_SIDE),
    published("leorik", 190.0, SIDE_BY_SIDE),
    published("obstruction-difference", 129.0, SIDE_BY_SIDE),
    published("kogge-stone", 127.0, ""),
    published("dumb7fill", 60.0, ""),
];

/// Of the metric that looks up one queen at a time.
pub fn table(metrics: &[Metric]) -> Markup {
    let Some(metric) = metrics.iter().find(|m| m.name == "throughput" && m.main().piece == "queen") else {
        return html! {};
    };
    // The loop is in the published times.
    let of_loop = metric.main().empty_ns.unwrap_or(0.0);
    let ours = |backend| metric.of(backend).map(|found| 1e3 / (found.ns.median + of_loop));
    let Some(pext) = ours(SlidersRow::REFERENCE) else { return html! {} };
    let known: Vec<(&Published, f64)> =
        PUBLISHED.iter().filter_map(|p| Some((p, ours(p.backend)?))).collect();
    if known.len() < 3 {
        return html! {};
    }
    // Against a slower machine ours must be as fast; against a faster one, in proportion.
    let (theirs, fair) = (PUBLISHED[0].rate, (pext / PUBLISHED[0].rate).min(1.0));
    let fast = known.iter().filter(|(p, rate)| *rate >= fair * p.rate).count();
    html! {
        details open {
            summary { "Beside the published comparison" }
            p {
                "PEXT does " (fixed(pext, 0)) " million lookups a second here and " (fixed(theirs, 0)) " there. "
                "It waits for nothing but its loads, so it gains most where those are cheap, and the ratio to it of a technique that "
                "counts or multiplies falls although its own rate has not. Rates here with the loop's own time, as there. "
                b { (fast) " of " (known.len()) } " are as fast as published, in proportion where this machine is slower."
            }
            div class="scroll" { table { caption { "Beside the published comparison" }
                thead { tr {
                    th scope="col" { "Backend" } th scope="col" class="num" { "M/s there" } th scope="col" class="num" { "M/s here" }
                    th scope="col" class="num" { "ratio to pext there" } th scope="col" class="num" { "here" } th scope="col" { "as fast?" } th scope="col" { "what differs here" }
                } }
                tbody { @for &(entry, rate) in &known {
                    tr {
                        th scope="row" { (entry.backend) }
                        td class="num" { (fixed(entry.rate, 0)) } td class="num" { (value("throughput", 1e3 / rate)) }
                        td class="num" { (fixed(entry.rate / theirs, 2)) } td class="num" { (fixed(rate / pext, 2)) }
                        td { (if rate >= fair * entry.rate { "yes" } else { "no" }) }
                        td { (if entry.other.is_empty() { NONE } else { entry.other }) }
                    }
                } }
            } }
        }
    }
}
