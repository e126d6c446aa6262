//! The part of the page about a tournament: standings, Elo with error bars, cross table, encounters.

use super::games::match_table;
use super::{Section, figure};
use crate::record::StandingRow;
use crate::report::digest::Digest;
use crate::report::figures::{count, fixed, interval, maybe_signed, percent, points, signed};
use crate::report::svg::{Bar, error_bars};
use crate::report::tournament::{Columns, CrossTable, GROUPS, encounters};
use maud::{Markup, html};

/// A table of all against all gets no larger than this squared.
const MOST_IN_CROSS_TABLE: usize = 64;

pub(super) fn tournament(digest: &Digest) -> Option<Section> {
    let encounters = encounters(digest);
    if !digest.contests.iter().any(|contest| contest.is_encounter()) {
        return None;
    }
    let table = CrossTable::of(digest, &encounters);
    let body = html! {
        @if digest.standings.is_empty() {
            p { "The tournament was broken off: there are no standings, " code { "--resume" } " goes on with it." }
        } @else {
            (standings(&digest.standings))
            (elo(&digest.standings))
        }
        @if (2..=MOST_IN_CROSS_TABLE).contains(&table.names.len()) { (cross_table(&table)) }
        @if !encounters.is_empty() {
            details {
                summary { "All " (count(encounters.len() as u64)) " encounters" }
                (match_table(&encounters))
            }
        }
    };
    Some(Section { id: "tournament", title: "Tournament", body })
}

fn standings(rows: &[&StandingRow]) -> Markup {
    let shown = Columns::of(rows);
    html! {
        div class="scroll" { table { caption { "Standings" }
            thead { tr {
                th scope="col" class="num" { "#" } th scope="col" { "Engine" } th scope="col" class="num" { "Elo" } th scope="col" class="num" { "95 % interval" } th scope="col" class="num" { "Games" }
                th scope="col" class="num" { "Points" } th scope="col" class="num" { "+ = −" } th scope="col" class="num" { "Draws" } th scope="col" class="num" { "SB" }
                @if shown.byes { th scope="col" class="num" { "Byes" } }
                @if shown.lost { th scope="col" class="num" { "Out in round" } }
                @if shown.group { th scope="col" class="num" { "Group" } }
            } }
            tbody {
                @for row in rows {
                    tr {
                        td class="num" { (row.rank) } th scope="row" class="wrap" { (row.engine) }
                        td class="num" { (maybe_signed(row.elo, 1)) } td class="num nowrap" { (interval(row.elo_low, row.elo_high, 1)) }
                        td class="num" { (count(row.games)) } td class="num" { (points(row.half_points)) }
                        td class="num nowrap" { (row.wins) " " (row.draws) " " (row.losses) } td class="num nowrap" { (percent(row.draws, row.games)) }
                        td class="num" { (fixed(row.sonneborn_berger, 2)) }
                        @if shown.byes { td class="num" { (row.byes) } }
                        @if shown.lost { td class="num" { @if let Some(round) = row.lost_in_round { (round) } } }
                        @if shown.group { td class="num" { (row.group) } }
                    }
                }
            }
        } }
        @if shown.group { p { (GROUPS) } }
    }
}

/// Of the largest group: others cannot be compared with it.
fn elo(rows: &[&StandingRow]) -> Markup {
    let members = |group: u64| rows.iter().filter(|row| row.group == group && row.elo.is_some()).count();
    let Some(group) =
        rows.iter().map(|row| row.group).max_by_key(|group| (members(*group), u64::MAX - group))
    else {
        return html! {};
    };
    let bars: Vec<Bar> = rows
        .iter()
        .filter(|row| row.group == group)
        .filter_map(|row| {
            let value = row.elo?;
            let text = format!("{} (n = {})", signed(value, 0), count(row.games));
            Some(Bar {
                label: row.engine.clone(),
                value,
                low: row.elo_low,
                high: row.elo_high,
                text,
                series: 0,
            })
        })
        .collect();
    if bars.is_empty() {
        return html! {};
    }
    let caption = html! {
        "Elo from all games together" small { "Mean of the group 0; whiskers: 95 % interval; n = games, played in pairs with colours swapped." }
    };
    figure(caption, html! {}, error_bars("Elo by engine", "Elo", &bars))
}

fn cross_table(table: &CrossTable) -> Markup {
    let all = 0..table.names.len();
    html! {
        h3 { "Cross table" }
        div class="scroll" { table { caption { "Cross table" }
            thead { tr { th scope="col" class="num" { "#" } th scope="col" { "Points of games against" } @for other in all.clone() { th scope="col" class="num" { (other + 1) } } } }
            tbody {
                @for one in all.clone() {
                    tr {
                        td class="num" { (one + 1) } th scope="row" class="wrap" { (table.names[one]) }
                        @for other in all.clone() {
                            td class="num nowrap" { @if one == other { "–" } @else { (table.cell(one, other)) } }
                        }
                    }
                }
            }
        } }
    }
}
