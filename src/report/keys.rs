//! The few figures of a run that can be laid beside those of other runs: signature, nodes per second, branching factor,
//! solved positions, Elo, perft, slider rates, each with its interval and the number of things behind it, where it has them.

use super::digest::Digest;
use super::figures::{count, fixed, rate, short, signed, wilson};

/// What kind of figure: those of one kind can be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Signature,
    Nps,
    Ebf,
    Solved,
    Elo,
    Wrong,
    PerftSpeed,
    Rate,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::Signature,
        Kind::Nps,
        Kind::Ebf,
        Kind::Solved,
        Kind::Elo,
        Kind::Wrong,
        Kind::PerftSpeed,
        Kind::Rate,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Kind::Signature => "Signature",
            Kind::Nps => "Nodes per second",
            Kind::Ebf => "Effective branching factor",
            Kind::Solved => "Positions solved, %",
            Kind::Elo => "Elo",
            Kind::Wrong => "Wrong perft counts",
            Kind::PerftSpeed => "Perft, nodes per second",
            Kind::Rate => "Slider lookups, millions per second",
        }
    }

    /// Whether the figure says something about the machine, so that those of different ones cannot be compared.
    pub fn is_speed(self) -> bool {
        matches!(self, Kind::Nps | Kind::PerftSpeed | Kind::Rate)
    }

    pub fn text(self, value: f64) -> String {
        match self {
            Kind::Signature | Kind::Wrong => count(value as u64),
            Kind::Nps | Kind::PerftSpeed => short(value),
            Kind::Ebf => fixed(value, 3),
            Kind::Solved | Kind::Rate => fixed(value, 1),
            Kind::Elo => signed(value, 1),
        }
    }

    /// How `value` stands to `base`: a difference, for speeds a ratio, for signatures whether it is the same.
    pub fn change(self, base: f64, value: f64) -> String {
        if self == Kind::Signature {
            return if base == value { "same" } else { "changed" }.to_owned();
        }
        if self.is_speed() && base > 0.0 {
            return format!("{} %", signed(100.0 * (value / base - 1.0), 1));
        }
        match self {
            Kind::Ebf => signed(value - base, 3),
            Kind::Wrong => signed(value - base, 0),
            _ => signed(value - base, 1),
        }
    }
}

/// One figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Key {
    pub kind: Kind,
    /// The suite, the match, the technique; empty where a kind has only one of each engine.
    pub of: String,
    /// Empty where the figure is about no engine.
    pub engine: String,
    pub value: f64,
    /// 95 % interval; infinite ends are open, both absent: there is none.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Positions, games, rounds.
    pub n: u64,
}

impl Key {
    /// `12.3 (10.1 … 14.5), n = 300`.
    pub fn text(&self) -> String {
        let end = |value: Option<f64>| {
            value.map_or(super::figures::NONE.to_owned(), |v| match v.is_finite() {
                true => self.kind.text(v),
                false => fixed(v, 0),
            })
        };
        let interval = match (self.low, self.high) {
            (None, None) => String::new(),
            (low, high) => format!(" ({} … {})", end(low), end(high)),
        };
        let value = if self.value.is_finite() { self.kind.text(self.value) } else { fixed(self.value, 0) };
        let n = if self.n > 0 { format!(", n = {}", count(self.n)) } else { String::new() };
        format!("{value}{interval}{n}")
    }
}

/// Those of a run, in the order of [`Kind::ALL`].
pub fn keys(digest: &Digest) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut add = |kind, of: &str, engine: &str, value: Option<f64>, ends: Option<(f64, f64)>, n: u64| {
        if let Some(value) = value.filter(|value| !value.is_nan()) {
            let (of, engine) = (of.to_owned(), engine.to_owned());
            let ends = ends.filter(|(low, high)| !low.is_nan() && !high.is_nan());
            keys.push(Key { kind, of, engine, value, low: ends.map(|e| e.0), high: ends.map(|e| e.1), n });
        }
    };
    for g in digest.bench_groups() {
        add(Kind::Signature, "", g.engine, Some(g.signature as f64), None, g.positions);
        add(Kind::Nps, "", g.engine, rate(g.signature, g.time_us), None, g.positions);
        add(Kind::Ebf, "", g.engine, g.ebf, g.ebf_interval, g.positions);
    }
    for g in digest.tactics_groups().iter().filter(|g| g.scored > 0) {
        let share = 100.0 * g.solved as f64 / g.scored as f64;
        let ends = wilson(g.solved, g.scored).map(|(low, high)| (100.0 * low, 100.0 * high));
        add(Kind::Solved, g.suite, g.engine, Some(share), ends, g.scored);
    }
    for m in digest.contests.iter().filter(|c| !c.is_encounter()).filter_map(|c| c.outcome.as_ref()) {
        if m.invalid.is_some() || !digest.studies.is_empty() {
            continue;
        }
        let games = m.wins + m.draws + m.losses;
        let ends = |low: Option<f64>, high: Option<f64>| match (low, high) {
            (None, None) => None,
            (low, high) => Some((low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))),
        };
        let of = if m.name.is_empty() { format!("against {}", m.second) } else { m.name.clone() };
        add(Kind::Elo, &of, &m.first, m.elo, ends(m.elo_low, m.elo_high), games);
        if let Some(s) = &m.sprt {
            let unbiased = ends(s.unbiased_low, s.unbiased_high);
            add(Kind::Elo, &format!("{of}, median-unbiased"), &m.first, s.unbiased, unbiased, games);
        }
    }
    for row in &digest.standings {
        let ends = row.elo_low.zip(row.elo_high);
        add(Kind::Elo, "tournament", &row.engine, row.elo, ends, row.games);
    }
    for g in digest.perft_groups() {
        if g.checked > 0 {
            let wrong = Some(g.wrong.len() as f64);
            add(Kind::Wrong, g.suite, g.counter, wrong, None, g.checked as u64);
        }
        add(Kind::PerftSpeed, g.suite, g.counter, rate(g.nodes, g.time_us), None, g.counts as u64);
    }
    for g in digest.slider_groups().iter().filter(|g| matches!(g.piece, "queen" | "-")) {
        for b in &g.backends {
            let of = format!("{}, {}", b.backend, g.metric);
            let fastest_and_slowest = Some((1e3 / b.ns.max, 1e3 / b.ns.min)).filter(|_| b.ns.min > 0.0);
            let value = Some(1e3 / b.ns.median).filter(|value| value.is_finite());
            add(Kind::Rate, &of, "", value, fastest_and_slowest, g.rounds as u64);
        }
    }
    keys.sort_by_key(|key| key.kind);
    keys
}

/// The same figure of several runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub kind: Kind,
    pub of: String,
    /// Empty where the runs have engines of different names, one each.
    pub engine: String,
    /// By run.
    pub keys: Vec<Option<Key>>,
}

/// Figures of several runs, line by line, by kind. Engines of different names stand in one line where no run has two of them:
/// that is how versions of an engine come beside each other.
pub fn aligned(runs: &[Vec<Key>]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let of_same = |a: &Key, b: &Key| a.kind == b.kind && a.of == b.of;
    for (index, keys) in runs.iter().enumerate() {
        for key in keys {
            let alone = runs.iter().all(|keys| keys.iter().filter(|other| of_same(other, key)).count() <= 1);
            let engine = if alone { "" } else { key.engine.as_str() };
            let same = |line: &Line| line.kind == key.kind && line.of == key.of && line.engine == engine;
            let line = match lines.iter().position(same) {
                Some(at) => &mut lines[at],
                None => {
                    lines.push(Line {
                        kind: key.kind,
                        of: key.of.clone(),
                        engine: engine.to_owned(),
                        keys: vec![None; runs.len()],
                    });
                    let last = lines.len() - 1;
                    &mut lines[last]
                }
            };
            line.keys[index].get_or_insert_with(|| key.clone());
        }
    }
    lines.sort_by_key(|line| line.kind);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(engine: &str, value: f64) -> Key {
        Key { kind: Kind::Nps, of: String::new(), engine: engine.into(), value, low: None, high: None, n: 1 }
    }

    #[test]
    fn versions_of_an_engine_share_a_line_and_two_engines_of_a_run_do_not() {
        let versions = aligned(&[vec![key("old", 1.0)], vec![key("new", 2.0)], vec![]]);
        assert_eq!(versions.len(), 1);
        let values: Vec<Option<f64>> = versions[0].keys.iter().map(|k| k.as_ref().map(|k| k.value)).collect();
        assert_eq!(values, [Some(1.0), Some(2.0), None]);
        let two = aligned(&[vec![key("a", 1.0), key("b", 2.0)], vec![key("b", 3.0)]]);
        assert_eq!(
            two.iter().map(|l| (l.engine.as_str(), l.keys[1].is_some())).collect::<Vec<_>>(),
            [("a", false), ("b", true)]
        );
    }

    #[test]
    fn changes_in_the_units_of_their_kind() {
        assert_eq!(Kind::Nps.change(200.0, 220.0), "+10.0 %");
        assert_eq!(Kind::Solved.change(70.0, 66.5), "−3.5");
        assert_eq!([Kind::Signature.change(5.0, 5.0), Kind::Signature.change(5.0, 6.0)], ["same", "changed"]);
        let open =
            Key { kind: Kind::Elo, low: Some(3.0), high: Some(f64::INFINITY), n: 40, ..key("a", 90.0) };
        assert_eq!(open.text(), "+90.0 (+3.0 … ∞), n = 40");
    }
}
