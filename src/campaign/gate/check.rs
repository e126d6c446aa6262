//! Whether a plan can be carried out: files are there and can be read, numbers make sense, the baseline is one of this plan.

use super::baseline::{Baseline, BaselineError, Counted, Names};
use super::plan::{Against, Plan, speaks_uci};
use super::stage::Stage;
use crate::subject::SpecError;
use crate::suite::{self, SuiteError};
use crate::trial::TrialError;
use std::collections::BTreeMap;

/// What is wrong with a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("gate: {key}: must be at least 1, not 0")]
    Zero { key: &'static str },
    #[error("gate: suites.alpha: {0} is no probability between 0 and 0.5")]
    Alpha(f64),
    #[error("gate: speed.threshold: {0} is not from 0 to below 100 percent")]
    Threshold(f64),
    #[error("gate: {key}: no file")]
    NoFile { key: &'static str },
    #[error("gate: {key}: two files of the name `{name}`: a file is known by its name, and given once")]
    Twice { key: &'static str, name: String },
    #[error("gate: suites.files: no position that has something to solve (bm, am or dm)")]
    NothingToSolve,
    #[error(transparent)]
    Symmetry(#[from] TrialError),
    #[error("gate: [gate.sprt]: {0}")]
    Limit(#[from] SpecError),
    #[error("gate: [gate.sprt]: {0}")]
    Games(#[from] crate::arena::plan::PlanError),
    #[error(transparent)]
    Baseline(#[from] BaselineError),
}

impl Plan {
    /// Whether all of it can be: files are there and can be read, numbers make sense, the baseline fits.
    ///
    /// # Errors
    /// The first thing that is wrong: bad input, before anything is measured.
    pub fn check(&self) -> Result<(), PlanError> {
        let sizes = &self.sizes;
        let numbers = [
            ("perft.max-nodes", sizes.perft_nodes),
            ("symmetry.depth", u64::from(sizes.symmetry_depth)),
            ("signature.depth", u64::from(sizes.signature_depth)),
            ("speed.depth", u64::from(sizes.speed_depth)),
            ("speed.rounds", u64::from(sizes.speed_rounds)),
            ("suites.nodes", sizes.suite_nodes),
            ("sprt.max-pairs", sizes.most_pairs),
        ];
        if let Some((key, _)) = numbers.into_iter().find(|(_, number)| *number == 0) {
            return Err(PlanError::Zero { key });
        }
        if !(sizes.suite_alpha > 0.0 && sizes.suite_alpha <= 0.5) {
            return Err(PlanError::Alpha(sizes.suite_alpha));
        }
        if !(0.0..1.0).contains(&sizes.speed_threshold) {
            return Err(PlanError::Threshold(100.0 * sizes.speed_threshold));
        }
        if self.stages.contains(&Stage::Perft) {
            if sizes.perft.is_empty() {
                return Err(PlanError::NoFile { key: "perft.files" });
            }
            given_once("perft.files", &sizes.perft)?;
            expected_counts(self).map_err(BaselineError::from)?;
        }
        if self.stages.contains(&Stage::Symmetry) {
            given_once("symmetry.files", &sizes.symmetry)?;
            self.symmetry(&self.new).check()?;
        }
        if self.stages.contains(&Stage::Suites) {
            if sizes.suites.is_empty() {
                return Err(PlanError::NoFile { key: "suites.files" });
            }
            given_once("suites.files", &sizes.suites)?;
            if Names::load(&sizes.suites).map_err(BaselineError::from)?.positions() == 0 {
                return Err(PlanError::NothingToSolve);
            }
        }
        if let Some(base) = self.base().filter(|_| self.stages.contains(&Stage::Sprt)) {
            self.games(base)?.stopping()?;
        }
        if let Against::File { name, baseline } = &self.against {
            baseline.fits(name, self)?;
        }
        Ok(())
    }
}

/// A record and a baseline know a file by its name alone.
fn given_once(key: &'static str, files: &[String]) -> Result<(), PlanError> {
    let mut names: Vec<&str> = files.iter().map(|file| suite::file_name(file)).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(PlanError::Twice { key, name: twice[0].to_owned() }),
        None => Ok(()),
    }
}

impl Baseline {
    /// Whether it can be held against what this plan would measure.
    ///
    /// # Errors
    /// The first field that does not fit: another engine, other suites, other limits, or what a stage needs and is not there.
    pub fn fits(&self, file: &str, plan: &Plan) -> Result<(), BaselineError> {
        let wrong = |field: &str, what: String| BaselineError::Field {
            file: file.to_owned(),
            field: field.to_owned(),
            what,
        };
        let same = |field: &str, there: &dyn ToString, here: &dyn ToString| {
            let (there, here) = (there.to_string(), here.to_string());
            if there == here { Ok(()) } else { Err(wrong(field, format!("{there} there, {here} here"))) }
        };
        let runs = |stage: Stage| plan.stages.contains(&stage);
        // What could not be measured then is passed over.
        let runs_and_is_kept = |stage: Stage| runs(stage) && self.facts.why_not(stage).is_none();
        let missing = |stage: Stage| {
            let what =
                "not in this baseline: make it anew with `gate --update-baseline`, or leave the stage out";
            wrong(stage.id(), what.to_owned())
        };
        let sizes = &plan.sizes;
        same("engine", &self.engine, &plan.new.name)?;
        same("seed", &self.seed, &plan.seed)?;
        if runs_and_is_kept(Stage::Compliance) && speaks_uci(&plan.new) && self.facts.compliance.is_none() {
            return Err(missing(Stage::Compliance));
        }
        if let (true, Some(perft)) = (runs(Stage::Perft), &self.facts.perft) {
            same("perft.max-nodes", &perft.max_nodes, &sizes.perft_nodes)?;
            let here = expected_counts(plan)?;
            same_keys("perft.suites", &perft.suites, &here, &wrong)?;
            for (name, count) in &here {
                let there = perft.suites[name];
                same(&format!("perft.suites.{name}.counts"), &there.counts, &count.counts)?;
                same(&format!("perft.suites.{name}.nodes"), &there.nodes, &count.nodes)?;
            }
        }
        // Static evaluations need no comparison.
        if runs(Stage::Symmetry) && !plan.new.is_embedded() {
            let symmetry = self.facts.symmetry.as_ref().ok_or_else(|| missing(Stage::Symmetry))?;
            same("symmetry.mode", &symmetry.mode, &format!("depth {}", sizes.symmetry_depth))?;
        }
        let needs_signature = runs_and_is_kept(Stage::Signature) && plan.new.threads_in_use() <= 1;
        match &self.facts.signature {
            Some(signature) if needs_signature => {
                same("signature.depth", &signature.depth, &sizes.signature_depth)?
            }
            None if needs_signature => return Err(missing(Stage::Signature)),
            _ => {}
        }
        if runs_and_is_kept(Stage::Suites) {
            let suites = self.facts.suites.as_ref().ok_or_else(|| missing(Stage::Suites))?;
            same("suites.nodes", &suites.nodes, &sizes.suite_nodes)?;
            let here = Names::load(&sizes.suites)?;
            same_keys("suites.positions", &suites.positions, &here.0, &wrong)?;
            for (name, ids) in &here.0 {
                same_keys(&format!("suites.positions.{name}"), &suites.positions[name], ids, &wrong)?;
            }
        }
        Ok(())
    }
}

/// The counts of each suite that are taken.
fn expected_counts(plan: &Plan) -> Result<BTreeMap<String, Counted>, SuiteError> {
    let count = |file: &String| {
        let cases = suite::load_perft(file, None)?;
        let mut found = Counted::default();
        for (_, nodes) in cases.iter().flat_map(|case| &case.counts) {
            if *nodes <= plan.sizes.perft_nodes {
                found.counts += 1;
                found.nodes = found.nodes.saturating_add(*nodes);
            }
        }
        Ok((suite::file_name(file).to_owned(), found))
    };
    let mut all = plan.sizes.perft.iter().map(count).collect::<Result<BTreeMap<_, _>, SuiteError>>()?;
    all.retain(|_, found| found.counts > 0);
    Ok(all)
}

/// The first key that only one side has is an error.
fn same_keys<A, B>(
    field: &str,
    there: &BTreeMap<String, A>,
    here: &BTreeMap<String, B>,
    wrong: &dyn Fn(&str, String) -> BaselineError,
) -> Result<(), BaselineError> {
    if let Some(extra) = there.keys().find(|key| !here.contains_key(*key)) {
        return Err(wrong(field, format!("`{extra}` is there, but not asked for here")));
    }
    match here.keys().find(|key| !there.contains_key(*key)) {
        Some(lacking) => Err(wrong(field, format!("`{lacking}` is not there"))),
        None => Ok(()),
    }
}
