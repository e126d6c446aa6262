//! What speaks against the figures of a match: engines that do not keep to their limits, games lost on time, a machine with
//! other work to do. Pure: the machine is handed in as numbers.
//!
//! "Not valid" is for what spoils the figures themselves. An engine alone that oversteps its time has itself to blame: its
//! losses are results, and only worth a warning.

use super::plan::{MatchPlan, threads_of_a_game};
use super::tally::Conduct;
use crate::record::Latency;
use crate::subject::EngineSpec;

/// If a larger share of an engine's searches did not keep to the limit, the match says nothing about strength.
const TOLERATED_DISOBEDIENCE: f64 = 0.1;

/// From this share of games on, losses on time are worth a word.
const NOTED_TIME_LOSSES: f64 = 0.005;

/// One game lost on time by each may be an accident; from this many on, it is the machine.
const ACCIDENTS: u64 = 2;

/// Tasks of others, per core, from which on a timed match is not valid.
const OVERLOAD: f64 = 2.0;

/// Waking up so late, and by such a share of a move's time, spoils clocks: of both in one case of twenty.
const LATE_US: u64 = 10_000;
const LATE_SHARE: f64 = 0.2;

/// The machine of a match. Pressure: how many tasks want a core; none where the system does not tell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Surroundings {
    pub cores: usize,
    pub pressure_before: Option<f64>,
    pub pressure_after: Option<f64>,
    /// How late this program woke up when it had asked to, and the µs that a move took on average.
    pub lateness: Option<(Latency, u64)>,
}

/// One line each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doubts {
    /// Each of them makes the match not valid.
    pub invalid: Vec<String>,
    /// To be shown before the figures.
    pub warnings: Vec<String>,
}

/// An engine, its committed games, and how it behaved in them.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    pub engine: &'a EngineSpec,
    pub games: u64,
    pub conduct: Conduct,
}

/// Looks at how a match went; `games` is the number of committed ones.
pub fn doubts(plan: &MatchPlan, games: u64, conduct: &[Conduct; 2], around: &Surroundings) -> Doubts {
    let [first, second] = &plan.engines;
    let [one, two] = *conduct;
    let observed = [(first, one), (second, two)].map(|(engine, conduct)| Observed { engine, games, conduct });
    doubts_of(&observed, games, plan.concurrency, around)
}

/// The same of any number of engines; `concurrency`: games at once.
pub fn doubts_of(observed: &[Observed], games: u64, concurrency: usize, around: &Surroundings) -> Doubts {
    let mut doubts = Doubts::default();
    for Observed { engine, conduct: c, .. } in observed.iter().filter(|one| one.conduct.disobeyed > 0) {
        let note = format!("limit not obeyed: {} in {} of {} searches", engine.name, c.disobeyed, c.searches);
        let tolerated = c.disobeyed as f64 <= TOLERATED_DISOBEDIENCE * c.searches as f64;
        if tolerated { &mut doubts.warnings } else { &mut doubts.invalid }.push(note);
    }
    doubts.warnings.extend(observed.iter().filter_map(forfeited));
    if observed.iter().any(|one| one.engine.limit.is_timed()) {
        time_losses(observed, games, &mut doubts);
        load(observed, concurrency, around, &mut doubts);
        doubts.invalid.extend(lateness(around));
    }
    doubts
}

/// Such games are results, but none of strength.
fn forfeited(one: &Observed) -> Option<String> {
    let Conduct { illegal_moves, disconnects, .. } = one.conduct;
    let kinds = [(illegal_moves, "by an illegal or missing move"), (disconnects, "by a crash")];
    let told: Vec<String> = kinds
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, how)| format!("{count} of {} games {how}", one.games))
        .collect();
    (!told.is_empty()).then(|| format!("{} forfeited {}", one.engine.name, told.join(" and ")))
}

fn time_losses(observed: &[Observed], games: u64, doubts: &mut Doubts) {
    let many = |one: &&Observed| {
        let losses = one.conduct.time_losses;
        losses > 0 && losses as f64 >= NOTED_TIME_LOSSES * one.games as f64
    };
    let late: Vec<&Observed> = observed.iter().filter(many).collect();
    if late.iter().filter(|one| one.conduct.time_losses >= ACCIDENTS).count() >= 2 {
        let who = if observed.len() == 2 { "both".to_owned() } else { late.len().to_string() };
        let each = |one: &&Observed| format!("{} {}", one.engine.name, one.conduct.time_losses);
        let list = late.iter().map(each).collect::<Vec<_>>().join(", ");
        doubts.invalid.push(format!(
            "{who} engines lose on time ({list} of {games} games): the machine is too busy or too slow for this time"
        ));
        return;
    }
    for Observed { engine, games, conduct } in late {
        doubts
            .warnings
            .push(format!("{} lost {} of {games} games on time", engine.name, conduct.time_losses));
    }
}

fn lateness(around: &Surroundings) -> Option<String> {
    let (late, mean_us) = around.lateness?;
    let ms = |us: u64| us as f64 / 1000.0;
    (late.p95_us >= LATE_US && late.p95_us as f64 >= LATE_SHARE * mean_us as f64).then(|| {
        format!(
            "overloaded machine: waits of this program end up to {:.1} ms late (95 %; at most {:.1} ms), where a move takes \
             {:.1} ms on average",
            ms(late.p95_us),
            ms(late.max_us),
            ms(mean_us)
        )
    })
}

fn load(observed: &[Observed], concurrency: usize, around: &Surroundings, doubts: &mut Doubts) {
    let cores = around.cores as f64;
    let threads = threads_of_a_game(observed.iter().map(|one| one.engine));
    let busy = concurrency as f64 * threads as f64;
    if busy > cores {
        doubts.warnings.push(format!(
            "{} games at once with {threads} threads that think in each on {} cores: clocks run while engines wait for a core",
            concurrency, around.cores
        ));
    }
    match around.pressure_before {
        Some(before) if before > OVERLOAD * cores + busy => doubts.invalid.push(format!(
            "overloaded machine: {before:.1} other tasks on {} cores at the start",
            around.cores
        )),
        Some(before) if before > cores => doubts
            .warnings
            .push(format!("busy machine: {before:.1} other tasks on {} cores at the start", around.cores)),
        _ => {}
    }
    if let Some(after) = around.pressure_after.map(|after| after - busy).filter(|after| *after > cores) {
        doubts
            .warnings
            .push(format!("busy machine: {after:.1} other tasks on {} cores at the end", around.cores));
    }
}
