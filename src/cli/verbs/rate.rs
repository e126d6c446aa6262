//! `gauntlet rate`: joint ratings of all players of PGN files, tournament tables with tie-breaks.

mod anchors;
mod crosstable;
mod tables;

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Summary, note};
use crate::cli::written;
use crate::file;
use crate::stats::rating::{self, DrawModel, Group, Settings, Standings, TieBreak};
use crate::trial::rating::Tournament;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(
    after_help = "Unfinished games (`*`) count for nothing. Games that cannot be read are named on stderr and left out; \
                        the exit code is then 1."
)]
pub struct Rate {
    /// PGN files
    #[arg(value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    /// A rating that is given; may be given several times. Without any the mean of a group is 0
    #[arg(long, value_name = "NAME=R")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anchor: Vec<String>,
    /// Fit what playing White is worth; else it is worth nothing
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub white_advantage: bool,
    /// half: a draw is half a win (as Elo and Ordo have it); davidson: a result of its own, more likely among equals
    #[arg(long, value_name = "MODEL")]
    pub draw_model: Option<String>,
    /// Virtual draws of every player against a player of rating 0: rates also those whom no results link
    #[arg(long, value_name = "N")]
    pub prior_draws: Option<f64>,
    /// Show who is stronger than whom with what likelihood
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub los: bool,
    /// Write the cross table
    #[arg(long, value_name = "FILE.csv")]
    pub crosstable: Option<PathBuf>,
    /// What orders equal points: sos (Buchholz), sos-cut1, sos-median, sodos (Sonneborn-Berger), sodos-match, direct, wins,
    /// wins-black, koya
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiebreak: Vec<String>,
}

/// All that is shown.
struct Rated<'a> {
    tournament: &'a Tournament,
    groups: &'a [Group],
    standings: &'a Standings,
    tie_breaks: &'a [TieBreak],
    settings: &'a Rate,
}

impl Rated<'_> {
    fn name(&self, player: usize) -> &str {
        &self.tournament.names()[player]
    }
}

/// What is read at once.
const BUFFER: usize = 1 << 17;
/// Of one file's faulty games so many are named; all are counted.
const SHOWN_FAULTS: usize = 100;

pub fn run(settings: &Rate, job: &Job) -> Result<Exit, Failure> {
    if settings.files.is_empty() {
        return Err(Failure::usage("rate: no FILE given"));
    }
    for path in &settings.files {
        file::reads(path).map_err(|error| Failure::unreadable(path.display(), &error))?;
    }
    let crosstable = written::open(vec![(settings.crosstable.as_deref(), ())])?;
    let tie_breaks = settings.tiebreak.iter().map(|id| tie_break(id)).collect::<Result<Vec<_>, _>>()?;
    let draws = draw_model(settings.draw_model.as_deref())?;
    let prior_draws = settings.prior_draws.unwrap_or(0.0);
    if !(0.0..=1e6).contains(&prior_draws) {
        return Err(Failure::usage(format!("--prior-draws {prior_draws}: not between 0 and 1000000")));
    }
    let anchors = anchors::parse(&settings.anchor)?;
    if prior_draws > 0.0 && anchors.len() > 1 {
        return Err(Failure::usage("--anchor: with --prior-draws only one rating can be given"));
    }
    let (tournament, faults) = read(settings, job)?;
    let anchors = anchors::find(anchors, &tournament)?;
    let fit = Settings { white_advantage: settings.white_advantage, draws, anchors, prior_draws };
    let groups = rating::rate(tournament.results(), &fit);
    let standings = Standings::new(tournament.results(), &tie_breaks);
    let rated = Rated {
        tournament: &tournament,
        groups: &groups,
        standings: &standings,
        tie_breaks: &tie_breaks,
        settings,
    };
    for (path, out, ()) in crosstable {
        crosstable::write(&path, out, &rated)?;
    }
    warn(&rated, job);
    let summary = Summary::new("rate")
        .with("players", tournament.names().len())
        .with("games", tournament.results().games())
        .with("groups", rating::groups(tournament.results()).len());
    job.output.text(tables::text(&rated))?;
    job.output.json(|| tables::json(&rated, &summary))?;
    job.output.csv(|| tables::csv(&rated))?;
    job.output.summary(&summary)?;
    Ok(Exit::failed_if(faults > 0))
}

/// All files, and how many games could not be counted.
fn read(settings: &Rate, job: &Job) -> Result<(Tournament, usize), Failure> {
    // A file that cannot be opened is told of before hours of reading.
    let mut files = Vec::new();
    for path in &settings.files {
        let name = path.display().to_string();
        if path.is_dir() {
            return Err(Failure::usage(format!("{name}: is a folder, not a file")));
        }
        files.push((File::open(path).map_err(|error| Failure::unreadable(&name, &error))?, name));
    }
    let mut tournament = Tournament::default();
    let mut faults = 0;
    for (file, name) in files {
        let mut here = 0;
        let mut fault = |fault| {
            here += 1;
            if here <= SHOWN_FAULTS {
                note(format_args!("gauntlet: {name}:{fault}"));
            }
        };
        let source = BufReader::with_capacity(BUFFER, file);
        let read = tournament.read(source, job.signals.flag(), &mut fault);
        read.map_err(|error| Failure::unreadable(&name, &error))?;
        if here > SHOWN_FAULTS {
            note(format_args!("gauntlet: {name}: {} more games cannot be read", here - SHOWN_FAULTS));
        }
        faults += here;
    }
    Ok((tournament, faults))
}

fn warn(rated: &Rated<'_>, job: &Job) {
    let unfinished = rated.tournament.unfinished;
    if unfinished > 0 {
        job.output.warn(format_args!("{unfinished} unfinished games are not counted"));
    }
    let inside: u64 = rated.groups.iter().map(|group| group.games).sum();
    let between = rated.tournament.results().games() - inside;
    if between > 0 {
        job.output.warn(format_args!(
            "{between} games between groups say only that one side is stronger, not by how much: no rating rests on them"
        ));
    }
    if rated.settings.white_advantage
        && rated.groups.iter().any(|group| group.games > 0 && group.white_advantage.is_none())
    {
        job.output
            .warn("these games do not define White's advantage in every group: there it is taken for 0");
    }
    if rated.groups.iter().any(|group| group.ratings.len() > rating::MOST_WITH_ERRORS) {
        job.output
            .warn(format_args!("no error bars for groups of more than {} players", rating::MOST_WITH_ERRORS));
    }
}

fn tie_break(id: &str) -> Result<TieBreak, Failure> {
    TieBreak::from_id(id.trim()).ok_or_else(|| {
        let known: Vec<&str> = TieBreak::ALL.iter().map(|kind| kind.id()).collect();
        Failure::usage(format!("--tiebreak {id}: not one of {}", known.join(", ")))
    })
}

fn draw_model(id: Option<&str>) -> Result<DrawModel, Failure> {
    let Some(id) = id else { return Ok(DrawModel::default()) };
    DrawModel::from_id(id).ok_or_else(|| {
        let known: Vec<&str> = DrawModel::ALL.iter().map(|model| model.id()).collect();
        Failure::usage(format!("--draw-model {id}: not one of {}", known.join(", ")))
    })
}
