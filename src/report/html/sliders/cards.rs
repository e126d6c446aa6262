//! A card per technique: whose idea it is, what it costs, how fast it was, and its steps on small boards.

use super::{Entry, Metric, capital, figure_of, short_unit, times, value, why_not_timed};
use crate::record::{LinesRow, PictureRow, SlidersRow, TechniqueRow};
use crate::report::board;
use crate::report::figures::{NONE, bytes, count, duration_us, fixed};
use crate::types::Square;
use maud::{Markup, html};

pub fn cards(entries: &[Entry], metrics: &[Metric]) -> Markup {
    let all: Vec<(&Entry, &TechniqueRow, &String)> =
        entries.iter().filter_map(|e| Some((e, e.technique?, e.anchor.as_ref()?))).collect();
    html! {
        @if !all.is_empty() {
            h3 { "The techniques" }
            p {
                "Boards show sets of squares: " span class="set-key members" {} " is in the set, "
                span class="set-key man" {} " is occupied, " span class="set-key slider" {} " is the slider. "
                "A board without men is a word whose bits are not the squares of the board; its bit 0 stands at a1, bit 63 at h8."
            }
            @for (entry, technique, anchor) in all { (card(entry, technique, anchor, metrics)) }
        }
    }
}

fn card(entry: &Entry, technique: &TechniqueRow, anchor: &str, metrics: &[Metric]) -> Markup {
    let needs = if technique.needs == "-" { "nothing beyond a 64-bit machine" } else { &technique.needs };
    html! {
        details class="technique" {
            summary { (entry.backend) " " small { (technique.idea) } }
            // Inside, so that a link to it opens the card.
            div class="inside" id=(anchor) {
                dl class="facts" {
                    dt { "Idea" } dd { (technique.idea) }
                    dt { "Author" } dd { (known(&technique.author)) }
                    dt { "Page" } dd { (known(&technique.page)) }
                    dt { "Needs" } dd { (needs) @if !technique.supported { ", which the processor did not have" } }
                    @if technique.supported {
                        dt { "Tables" } dd { (bytes(technique.table_bytes)) }
                        @if !technique.lines.is_empty() { dt { "Cache lines" } dd { (touched(&technique.lines)) } }
                        dt { "Set-up" } dd { (setup(technique.setup_us)) }
                    }
                    @if entry.status != "verified" { dt { "State" } dd { (why_not_timed(entry.status)) } }
                }
                (figures(entry.backend, metrics))
                div class="boards sets" { @for picture in &technique.pictures { (picture_card(technique, picture)) } }
            }
        }
    }
}

fn known(text: &str) -> &str {
    if text.is_empty() || text == "-" { NONE } else { text }
}

fn touched(lines: &[LinesRow]) -> String {
    let of = |lines: &LinesRow| {
        format!("{} {} of {}", lines.piece, fixed(lines.per_lookup, 2), count(lines.distinct))
    };
    let pieces: Vec<String> = lines.iter().map(of).collect();
    format!("{}: those of a lookup, in the mean, of those of all lookups in games", pieces.join(", "))
}

fn setup(us: u64) -> String {
    if us == 0 { "less than 1 µs: nothing was left to make".to_owned() } else { duration_us(us) }
}

/// A line per metric, a column per piece.
fn figures(backend: &str, metrics: &[Metric]) -> Markup {
    let timed: Vec<&Metric> = metrics.iter().filter(|m| m.of(backend).is_some()).collect();
    let pieces: Vec<&str> = SlidersRow::PIECES
        .into_iter()
        .filter(|piece| timed.iter().any(|m| m.groups.iter().any(|g| g.piece == *piece)))
        .collect();
    html! {
        @if !timed.is_empty() {
            div class="scroll" { table class="card-figures" { caption { "Speed of this technique" }
                thead { tr { th scope="col" { "Metric" } @for piece in &pieces { th scope="col" class="num" { @if *piece == "-" { "whole" } @else { (piece) } } } } }
                tbody {
                    @for metric in timed {
                        tr {
                            th scope="row" { (capital(metric.name)) " " small { (short_unit(metric.name)) } }
                            @for piece in &pieces {
                                @let found = metric.groups.iter().find(|g| g.piece == *piece).and_then(|g| figure_of(g, backend));
                                td class="num" {
                                    @if let Some(f) = found {
                                        (value(metric.name, f.ns.median)) small { (times(f.ranked.speed)) " #" (f.ranked.rank) }
                                    }
                                }
                            }
                        }
                    }
                }
            } }
        }
    }
}

fn picture_card(technique: &TechniqueRow, picture: &PictureRow) -> Markup {
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let square = technique.square.parse::<Square>().ok().filter(|_| !picture.word);
    let occupied = hex(&technique.occupied).filter(|_| !picture.word).unwrap_or(0);
    html! {
        div class="card" {
            @if let Some(bits) = hex(&picture.set) {
                (board::set(bits, square, occupied, &picture.caption))
            } @else { p class="none" { (NONE) } }
            p { (picture.caption) }
            p class="muted" { code { (picture.set) } }
        }
    }
}
