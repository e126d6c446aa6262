//! The page of games that are still being played: the sections of the report, drawn from the rows that are committed so far, cut
//! into parts so that only those that have changed need be sent. Must not know how it gets to those who look on.

use super::contest::Gathered;
use super::digest::Digest;
use super::figures::{count, duration_us, interval, maybe_signed, points, signed};
use super::html::{self, Told};
use super::standing;
use super::{Headline, headline};
use crate::record::{GameRow, Header, MatchRow, Row, SprtOutcome, StandingRow, Status};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::PathBuf;

const STYLE: &str = include_str!("live.css");
const SCRIPT: &str = include_str!("live.js");

/// Games of the list of the latest ones.
const LATEST: usize = 12;

/// A run while it is played.
#[derive(Debug)]
pub struct Playing {
    pub header: Header,
    /// Its folder; empty without one.
    pub path: PathBuf,
    /// Pairs of games there will be, where that is known.
    pub planned: Option<u64>,
    /// The sequential test, as it will be told of at its end.
    pub test: Option<SprtOutcome>,
    gathered: Gathered,
    pairs: u64,
    /// Without their moves, the last one first; and how many plies they had.
    latest: VecDeque<(GameRow, usize)>,
}

/// What there is to see at one moment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Drawn {
    /// Of the window.
    pub title: String,
    /// Name and HTML of each part, in their order.
    pub parts: Vec<(&'static str, String)>,
    /// The same for programs.
    pub state: Value,
}

impl Playing {
    pub fn new(header: Header, path: PathBuf, planned: Option<u64>, test: Option<SprtOutcome>) -> Playing {
        Playing {
            gathered: Gathered::new(header.seed),
            header,
            path,
            planned,
            test,
            pairs: 0,
            latest: VecDeque::new(),
        }
    }

    /// Takes a row of the record, in its order.
    pub fn add(&mut self, row: &Row) {
        self.gathered.add(row);
        match row {
            Row::Pair(_) => self.pairs += 1,
            Row::Game(game) if !game.set_aside => {
                self.latest.truncate(LATEST - 1);
                self.latest.push_front((GameRow { plies: Vec::new(), ..game.clone() }, game.plies.len()));
            }
            _ => {}
        }
    }

    /// The page as the rows so far make it; once the header knows an end, as the report is.
    pub fn draw(&self) -> Drawn {
        let is_over = self.header.finished.is_some();
        let mut gathered = self.gathered.clone();
        let (open, standings) = if is_over { (None, Vec::new()) } else { self.so_far() };
        open.iter().for_each(|open| gathered.add(&Row::Match(open.clone())));
        standings.iter().for_each(|standing| gathered.add(&Row::Standing(standing.clone())));
        let digest = Digest::gathered(&gathered);
        let head = match is_over {
            true => headline(&self.header, &digest),
            false => self.headline(open.as_ref(), &standings),
        };
        let state = self.state(&head, &digest, is_over);
        // Beside the page of a folder there are its files, here there are none.
        let told = Told {
            path: &self.path,
            header: &self.header,
            digest,
            games: Vec::new(),
            plan: Vec::new(),
            is_beside: false,
        };
        let mut parts: Vec<(&'static str, String)> = html::parts(&told, &head, 0, "")
            .into_iter()
            .map(|(name, part)| (name, part.into_string()))
            .collect();
        if !is_over && !self.latest.is_empty() {
            // Behind verdict, contents, warnings and stages.
            parts.insert(parts.len().min(4), ("latest", self.latest_games().into_string()));
        }
        let title = match is_over {
            true => format!("{}: {} · Gauntlet", self.header.verb, head.word),
            false => self.title(open.as_ref()),
        };
        Drawn { title, parts, state }
    }

    /// The match that is being played, and the standings of a tournament.
    fn so_far(&self) -> (Option<MatchRow>, Vec<StandingRow>) {
        let (open, standings) = self.gathered.so_far();
        let open = open.map(|row| MatchRow {
            name: if row.round.is_some() { row.name } else { String::new() },
            sprt: self.test.as_ref().map(|test| SprtOutcome {
                verdict: standing::SO_FAR.to_owned(),
                llr: self.gathered.llr().unwrap_or_default(),
                ..test.clone()
            }),
            ..row
        });
        (open, standings)
    }

    fn pairs(&self) -> String {
        match self.planned {
            Some(planned) => format!("{} of {}", count(self.pairs), count(planned)),
            None => count(self.pairs),
        }
    }

    fn headline(&self, open: Option<&MatchRow>, standings: &[StandingRow]) -> Headline {
        let pairs = format!("{} pairs of games", self.pairs());
        let sentence = match (open, standings.first()) {
            (_, Some(best)) => format!(
                "{pairs}: {} leads with {} points of {} games.",
                best.engine,
                points(best.half_points),
                count(best.games)
            ),
            (Some(m), None) => format!(
                "{} against {}, {pairs}: {} of {} points, {} Elo ({}){}.",
                m.first,
                m.second,
                points(2 * m.wins + m.draws),
                count(m.wins + m.draws + m.losses),
                maybe_signed(m.elo, 1),
                interval(m.elo_low, m.elo_high, 1),
                m.sprt.as_ref().map_or_else(String::new, |sprt| format!(
                    ", LLR {} between {} and {}",
                    signed(sprt.llr, 2),
                    signed(sprt.lower, 2),
                    signed(sprt.upper, 2)
                )),
            ),
            (None, None) => format!("{pairs} so far."),
        };
        Headline { status: Status::Info, word: "Playing".to_owned(), sentence }
    }

    fn title(&self, open: Option<&MatchRow>) -> String {
        let figure = open.filter(|m| m.round.is_none()).map_or_else(String::new, |m| match &m.sprt {
            Some(sprt) => format!(" · LLR {}", signed(sprt.llr, 2)),
            None => format!(" · Elo {}", maybe_signed(m.elo, 0)),
        });
        format!("{} pairs{figure} · Gauntlet {}", self.pairs(), self.header.verb)
    }

    fn latest_games(&self) -> Markup {
        html! {
            section id="latest" {
                h2 { "Latest games" }
                div class="scroll" { table {
                    thead { tr {
                        th scope="col" class="num" { "Pair" } th scope="col" { "White" } th scope="col" { "Black" }
                        th scope="col" class="num" { "Result" } th scope="col" { "Ended by" }
                        th scope="col" class="num" { "Plies" } th scope="col" class="num" { "Time" }
                    } }
                    tbody {
                        @for (game, plies) in &self.latest {
                            tr {
                                td class="num nowrap" { (game.pair) "." (game.game + 1) } td class="wrap" { (game.white) }
                                td class="wrap" { (game.black) } td class="num nowrap" { (game.result) } td class="wrap" { (game.reason) }
                                td class="num" { (plies) } td class="num nowrap" { (duration_us(game.duration_us)) }
                            }
                        }
                    }
                } }
            }
        }
    }

    fn state(&self, head: &Headline, digest: &Digest, is_over: bool) -> Value {
        let matches: Vec<&MatchRow> = digest.contests.iter().filter_map(|c| c.outcome.as_ref()).collect();
        json!({
            "schema": self.header.schema,
            "run": self.path.file_name().map(|name| name.to_string_lossy()),
            "verb": self.header.verb,
            "started": self.header.started,
            "finished": self.header.finished,
            "state": if is_over { "over" } else { "playing" },
            "word": head.word,
            "sentence": head.sentence,
            "summary": self.header.summary,
            "warnings": self.header.warnings,
            "pairs": self.pairs,
            "planned-pairs": self.planned,
            "matches": matches,
            "standings": digest.standings,
        })
    }
}

/// The page as it is first loaded: it asks for what comes after `mark` by itself.
pub fn page(drawn: &Drawn, mark: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (html::head(&drawn.title, &[html::STYLE, STYLE].concat()))
            body data-mark=(mark) {
                p id="live" { span class="dot" aria-hidden="true" {} " " span role="status" { "live" } " " time {} }
                article {
                    @for (name, part) in &drawn.parts { div class="part" data-part=(name) { (PreEscaped(part)) } }
                }
                noscript { p { "Without scripts this page is as it was when it was loaded." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}
