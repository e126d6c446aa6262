//! Facts of one engine: each function makes the plan of a trial and gathers from its rows what a gate compares. Rows go on to the
//! record. What the alarm cut short is told as such. It judges nothing.

use super::baseline::{Attempt, Compliance, Perft, Signature, Suites, Symmetry};
use super::budget::Alarm;
use super::plan::Plan;
use crate::campaign::sequence::StageError;
use crate::record::{Row, Sink, SpeedRow, StoreError};
use crate::subject::{EngineSpec, Session};
use crate::trial::{Progress, TrialError, bench, compliance, perft, speed, symmetry, tactics};

/// What every measurement works with.
pub(super) struct Ground<'a> {
    pub plan: &'a Plan,
    pub session: &'a Session,
    pub progress: &'a Progress,
    pub alarm: &'a Alarm,
    pub sink: &'a mut dyn Sink,
}

/// Facts, and whether all that was wanted could be measured.
#[derive(Debug)]
pub(super) struct Measured<T> {
    pub facts: T,
    pub is_whole: bool,
}

/// Hands rows on, and looks at them.
struct Tee<'a> {
    sink: &'a mut dyn Sink,
    see: &'a mut dyn FnMut(&Row),
}

impl Sink for Tee<'_> {
    fn row(&mut self, row: Row) -> Result<(), StoreError> {
        (self.see)(&row);
        self.sink.row(row)
    }
}

impl Ground<'_> {
    /// Runs a trial whose rows are looked at; the first value is none where the alarm ended it.
    fn trial<S>(
        &mut self,
        see: &mut dyn FnMut(&Row),
        run: impl FnOnce(&Session, &mut dyn Sink, &Progress) -> Result<S, TrialError>,
    ) -> Result<Option<S>, TrialError> {
        let mut tee = Tee { sink: &mut *self.sink, see };
        match run(self.session, &mut tee, self.progress) {
            Ok(summary) => Ok(Some(summary)),
            Err(TrialError::Interrupted) if self.alarm.has_rung() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Protocol checks, all or those named: how many were made, and which failed.
    pub fn compliance(
        &mut self,
        engine: &EngineSpec,
        checks: &[String],
    ) -> Result<Measured<(u64, Compliance)>, StageError> {
        let plan = compliance::Plan {
            engine: engine.clone(),
            program: self.plan.program.clone(),
            checks: checks.to_vec(),
            strict: self.plan.sizes.strict,
            ..compliance::Plan::default()
        };
        let (mut made, mut failed) = (0, Vec::new());
        let mut see = |row: &Row| {
            if let Row::Compliance(row) = row {
                made += u64::from(row.result != "skip");
                failed.extend((row.result == "fail").then(|| row.check.clone()));
            }
        };
        let done =
            self.trial(&mut see, |session, sink, progress| compliance::run(&plan, session, sink, progress))?;
        Ok(Measured { facts: (made, Compliance { failed }), is_whole: done.is_some() })
    }

    /// Counts; the inner error is why the engine cannot be asked.
    pub fn perft(&mut self, engine: &EngineSpec) -> Result<Result<Measured<Counts>, String>, StageError> {
        let sizes = &self.plan.sizes;
        let plan = perft::Plan {
            suites: sizes.perft.clone(),
            max_nodes: Some(sizes.perft_nodes),
            engine: (!engine.is_embedded()).then(|| engine.clone()),
            concurrency: self.plan.concurrency,
            ..perft::Plan::default()
        };
        let mut counts = Counts::default();
        counts.facts.max_nodes = sizes.perft_nodes;
        let mut see = |row: &Row| counts.add(row);
        let done = self.trial(&mut see, |session, sink, progress| perft::run(&plan, session, sink, progress));
        match done {
            Ok(done) => Ok(Ok(Measured { facts: counts, is_whole: done.is_some() })),
            // UCI has no perft: an engine without it has failed nothing.
            Err(TrialError::Subject(error)) if error.is_no_perft() => Ok(Err(error.to_string())),
            Err(error) => Err(error.into()),
        }
    }

    /// Static evaluations where the new engine is the embedded one, else searches, of both.
    pub fn symmetry(&mut self, engine: &EngineSpec) -> Result<Measured<Pairs>, StageError> {
        let plan = self.plan.symmetry(engine);
        let mut pairs = Pairs::default();
        let mut see = |row: &Row| pairs.add(row);
        let done =
            self.trial(&mut see, |session, sink, progress| symmetry::run(&plan, session, sink, progress))?;
        Ok(Measured { facts: pairs, is_whole: done.is_some() })
    }

    /// The bench; cut short it is worth nothing. `recorded`: its rows go into the record.
    pub fn signature(&mut self, engine: &EngineSpec, recorded: bool) -> Result<bench::Summary, StageError> {
        let depth = Some(self.plan.sizes.signature_depth);
        let plan = bench::Plan { engine: engine.clone(), depth, ..bench::Plan::default() };
        let mut unseen = Vec::new();
        let sink: &mut dyn Sink = if recorded { &mut *self.sink } else { &mut unseen };
        Ok(bench::run(&plan, self.session, sink, self.progress)?)
    }

    /// Rounds of fresh processes of both engines side by side.
    pub fn speed(
        &mut self,
        base: &EngineSpec,
        depth: u32,
        rounds: u32,
    ) -> Result<speed::Summary, StageError> {
        let (plan, sizes) = (self.plan, &self.plan.sizes);
        let compared = speed::Plan {
            new: plan.new.clone(),
            base: base.clone(),
            program: plan.program.clone(),
            rounds,
            threshold: sizes.speed_threshold,
            depth: Some(depth),
            seed: plan.seed,
            ..speed::Plan::default()
        };
        let mut rows: Vec<SpeedRow> = Vec::new();
        let mut see = |row: &Row| {
            if let Row::Speed(row) = row {
                rows.push(row.clone());
            }
        };
        let done =
            self.trial(&mut see, |session, sink, progress| speed::run(&compared, session, sink, progress));
        match done {
            Ok(Some(found)) => return Ok(found),
            Err(TrialError::Store(error)) => return Err(error.into()),
            // An engine that tells no nodes has failed nothing.
            Err(TrialError::Plan(why)) => return Err(StageError::NotApplicable(why)),
            Err(error) if !self.alarm.has_rung() => return Err(error.into()),
            _ => {}
        }
        // The rounds that were finished in time say what they say.
        let rounds: Vec<[SpeedRow; 2]> =
            rows.chunks_exact(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
        let found = speed::of_rounds(&compared, &rounds).ok_or(StageError::Interrupted)?;
        for row in [&found.comparison, &found.wall] {
            self.sink.row(Row::Comparison(row.clone()))?;
        }
        Ok(found)
    }

    /// Test positions, or so many of them.
    pub fn suites(&mut self, engine: &EngineSpec, at_most: usize) -> Result<Measured<Tried>, StageError> {
        let sizes = &self.plan.sizes;
        let plan = tactics::Plan {
            files: sizes.suites.clone(),
            at_most: Some(at_most),
            engines: vec![engine.clone()],
            nodes: Some(sizes.suite_nodes),
            concurrency: self.plan.concurrency,
            seed: self.plan.seed,
            ..tactics::Plan::default()
        };
        let mut tried = Tried::from(Suites { nodes: sizes.suite_nodes, ..Suites::default() });
        let broken = format!("engine {}: ", engine.name);
        let mut see = |row: &Row| {
            if let Row::Tactics(row) = row {
                let solved = match row.solved {
                    Some(true) => Attempt::Solved,
                    Some(false) => Attempt::Failed,
                    None => Attempt::NotRanked,
                };
                tried.asked += 1;
                // What goes wrong with an engine is told with its name in front; anything else is a note on the position.
                if let Some(note) = row.note.as_ref().and_then(|note| note.strip_prefix(&broken)) {
                    tried.broken += 1;
                    tried.first_broken.get_or_insert_with(|| format!("{} {}: {note}", row.suite, row.id));
                }
                if row.is_scored() {
                    tried
                        .facts
                        .positions
                        .entry(row.suite.clone())
                        .or_default()
                        .insert(row.id.clone(), solved);
                }
            }
        };
        let done =
            self.trial(&mut see, |session, sink, progress| tactics::run(&plan, session, sink, progress));
        let is_whole = match done.map_err(StageError::from) {
            Ok(done) => done.is_some(),
            // It dies again and again: there is no more to be had of it. The other engine may do so, too, and is to be asked.
            Err(StageError::Failed(why)) if !self.alarm.is_interrupted() && why.starts_with(&broken) => {
                (tried.asked, tried.broken, tried.gave_up) = (tried.asked + 1, tried.broken + 1, true);
                tried.first_broken.get_or_insert_with(|| why[broken.len()..].to_owned());
                true
            }
            Err(error) => return Err(error),
        };
        Ok(Measured { facts: tried, is_whole })
    }
}

/// Test positions, and in how many of those that were asked the engine died or did not answer.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub facts: Suites,
    pub asked: u64,
    pub broken: u64,
    /// It died too often in a row to be asked any more.
    pub gave_up: bool,
    /// The first of them, in words.
    pub first_broken: Option<String>,
}

impl From<Suites> for Tried {
    /// As a baseline has them: those of an engine that answers.
    fn from(facts: Suites) -> Tried {
        Tried { facts, ..Tried::default() }
    }
}

/// Perft counts and which of them are wrong.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub facts: Perft,
    pub counts: u64,
    pub nodes: u64,
    pub wrong: u64,
    /// The first wrong one: in words, its FEN and depth.
    pub first_wrong: Option<(String, String, u32)>,
}

impl Counts {
    fn add(&mut self, row: &Row) {
        let Row::Perft(row) = row else { return };
        self.counts += 1;
        // Whatever an engine answers.
        self.nodes = self.nodes.saturating_add(row.nodes);
        let suite = self.facts.suites.entry(row.suite.clone()).or_default();
        suite.counts += 1;
        suite.nodes = suite.nodes.saturating_add(row.nodes);
        if let Some(expected) = row.expected.filter(|&expected| expected != row.nodes) {
            self.wrong += 1;
            self.first_wrong.get_or_insert_with(|| {
                let what = format!(
                    "{} {} depth {}: {} instead of {expected}",
                    row.suite, row.id, row.depth, row.nodes
                );
                (what, row.fen.clone(), row.depth)
            });
        }
    }
}

/// Positions and their twins.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub facts: Symmetry,
    /// The first that differs: suite, id, both scores.
    pub first: Option<String>,
}

impl Pairs {
    fn add(&mut self, row: &Row) {
        let Row::Symmetry(row) = row else { return };
        self.facts.mode.clone_from(&row.mode);
        self.facts.positions += 1;
        if row.different {
            let name = format!("{} {}", row.suite, row.id);
            self.first.get_or_insert_with(|| format!("{name}: {} and {}", row.score, row.flipped_score));
            self.facts.different.push(name);
        }
    }
}

/// What is kept of a bench.
pub(super) fn signature_of(depth: u32, found: &bench::Summary) -> Signature {
    Signature {
        depth,
        signature: found.signature(),
        nodes_by_depth: found.nodes_by_depth.clone(),
        ebf: found.ebf,
    }
}
