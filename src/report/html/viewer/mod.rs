//! The games of a run, stepped through move by move: a list, a board, the moves with what their movers told, a graph of the
//! scores. What is shown was computed before ([`Replay`]); the script draws it and knows no rules. Without the script there
//! is the list.

use super::Told;
use crate::record::GameRow;
use crate::report::board;
use crate::report::chosen;
use crate::report::figures::{count, duration_us};
use crate::report::replay::Replay;
use maud::{Markup, PreEscaped, html};

pub(super) const SCRIPT: &str = include_str!("viewer.js");
pub(super) const STYLE: &str = include_str!("viewer.css");

/// What a line of the list takes beside its names, in bytes.
const LINE: usize = 420;

/// As many of the chosen games of a run as have room in `room` bytes. `all`: the games of the run. `prefix`: of all ids of this run.
pub(super) fn viewer(run: &Told, all: u64, room: usize, prefix: &str) -> Markup {
    let mut left = room;
    let mut lines = Vec::new();
    let mut data: Vec<String> = Vec::new();
    for game in &run.games {
        let replay = Replay::of(game);
        let json = replay.json();
        // A name may be longer in HTML than in JSON.
        let names = 6 * [&game.white, &game.black, &game.reason, &game.opening]
            .map(|text| text.len())
            .iter()
            .sum::<usize>();
        let Some(rest) = left.checked_sub(json.len() + names + LINE) else { continue };
        left = rest;
        lines.push(line(data.len(), game, &replay));
        data.push(json);
    }
    if data.is_empty() {
        return html! {};
    }
    let first = run.games.first().map_or("", |game| game.start_fen.as_str());
    html! {
        div class="viewer" {
            p {
                b { (count(data.len() as u64)) " of " (count(all)) " games" } " move by move"
                @if (data.len() as u64) < all {
                    ": those that ended abnormally first, then the shortest losses of the first engine, then a sample"
                }
                ". All of them are in " (run.pgn()) "."
            }
            div class="scroll game-list" { table class="sortable" {
                caption { "Games" }
                thead { tr {
                    th scope="col" { "Game" } th scope="col" { "White" } th scope="col" { "Black" } th scope="col" class="num" { "Result" }
                    th scope="col" { "Ended by" } th scope="col" { "Opening" } th scope="col" class="num" { "Plies" } th scope="col" class="num" { "Time" }
                } }
                tbody { @for line in lines { (line) } }
            } }
            div class="player" role="group" tabindex="-1" aria-label="Game" {
                h3 class="players" {}
                p class="opening muted" {}
                div class="left" {
                    div class="stage" { (board::board(first, &[], "Position")) }
                    div class="controls" role="group" aria-label="Steps" {
                        button type="button" data-go="first" aria-label="First position" { "«" }
                        button type="button" data-go="back" aria-label="One move back" { "‹" }
                        button type="button" data-go="next" aria-label="Next move" { "›" }
                        button type="button" data-go="last" aria-label="Last position" { "»" }
                        button type="button" data-go="play" { "Play" }
                        button type="button" data-go="flip" { "Flip" }
                    }
                    div class="fen-line" {
                        label for=(format!("{prefix}fen")) { "FEN" }
                        input class="fen" id=(format!("{prefix}fen")) type="text" readonly value="";
                        button type="button" data-go="copy" { "Copy" }
                    }
                }
                div class="moves scroll" { table {
                    caption { "Moves" }
                    thead { tr { th scope="col" { "No." } th scope="col" { "White" } th scope="col" { "Black" } } }
                    tbody {}
                } }
                p class="now" aria-live="polite" {}
                div class="graph-part" {
                    ul class="legend" {
                        li { span class="key s0" {} span class="white-name" {} }
                        li { span class="key s1" {} span class="black-name" {} }
                        li class="muted" { "score for White, pawns; a click leads to the move; keys ← → Home End, f flips" }
                    }
                    svg class="plot graph" viewBox="0 0 720 150" role="img" {}
                }
            }
            script type="application/json" { (PreEscaped(format!("[{}]", data.join(",")))) }
        }
    }
}

fn line(index: usize, game: &GameRow, replay: &Replay) -> Markup {
    let abnormal = chosen::is_abnormal(&game.termination);
    html! {
        tr data-game=(index) {
            td class="nowrap" data-sort=(game.pair * 2 + u64::from(game.game)) { (replay.id) }
            td class="wrap" data-sort=(game.white) { (game.white) } td class="wrap" data-sort=(game.black) { (game.black) }
            td class="num nowrap" data-sort=(game.result) { (game.result) }
            td class=(if abnormal { "wrap bad" } else { "wrap" }) data-sort=(game.reason) { (game.reason) }
            td class="wrap" data-sort=(game.opening) { (game.opening) }
            td class="num" data-sort=(game.plies.len()) { (game.plies.len()) }
            td class="num nowrap" data-sort=(game.duration_us) { (duration_us(game.duration_us)) }
        }
    }
}
