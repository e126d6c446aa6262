//! Bounds and log-likelihood ratios.

use super::{Row, Table, pentanomial, trinomial};
use gauntlet::stats::sprt::{llr_gauss, llr_log_ratio, llr_normalized_closed_form, llr_unregularised};
use gauntlet::stats::{Bounds, Counts, Decision, EloEstimate, Model, Sprt, SprtError, scale};

#[test]
fn bounds_rows() {
    Table::open("bounds.csv").check(|row, d| {
        let bounds = Bounds::new(row.number("alpha"), row.number("beta")).unwrap();
        d.compare("lower", bounds.lower, row.number("lower"), 1e-12, 1e-12);
        d.compare("upper", bounds.upper, row.number("upper"), 1e-12, 1e-12);
    });
}

fn sprt(row: &Row, model: Model) -> Sprt {
    Sprt::new(row.number("elo0"), row.number("elo1"), 0.05, 0.05, model).unwrap()
}

fn llr_rows(file: &str, model: Model, counts: fn(&Row) -> Counts) {
    Table::open(file).check(|row, d| {
        let sprt = sprt(row, model);
        let counts = counts(row);
        let far = model == Model::Normalized && sprt.elo0().abs().max(sprt.elo1().abs()) > 100.0;
        let relative = if far { 1e-6 } else { 1e-9 };
        d.compare("llr", sprt.llr(&counts).unwrap(), row.number("llr"), 1e-8, relative);
        let (mirror, mirrored) =
            (Sprt::new(-sprt.elo1(), -sprt.elo0(), 0.05, 0.05, model).unwrap(), counts.reversed());
        d.compare("mirror image", -mirror.llr(&mirrored).unwrap(), row.number("llr"), 1e-8, relative);
    });
}

#[test]
fn llr_tri_logistic_rows() {
    llr_rows("llr_tri_logistic.csv", Model::Logistic, trinomial);
}

#[test]
fn llr_penta_logistic_rows() {
    llr_rows("llr_penta_logistic.csv", Model::Logistic, pentanomial);
}

#[test]
fn llr_tri_normalized_rows() {
    llr_rows("llr_tri_normalized.csv", Model::Normalized, trinomial);
}

#[test]
fn llr_penta_normalized_rows() {
    llr_rows("llr_penta_normalized.csv", Model::Normalized, pentanomial);
}

#[test]
fn llr_tri_bayeselo_gsprt_rows() {
    llr_rows("llr_tri_bayeselo_gsprt.csv", Model::BayesElo, trinomial);
}

#[test]
fn llr_tri_bayeselo_direct_rows() {
    llr_rows("llr_tri_bayeselo_direct.csv", Model::BayesEloDirect, trinomial);
}

#[test]
fn llr_tri_cutechess_jeffreys_rows() {
    llr_rows("llr_tri_cutechess_jeffreys.csv", Model::Cutechess, trinomial);
}

#[test]
fn approximations_rows() {
    for (file, counts) in
        [("llr_tri_logistic.csv", trinomial as fn(&Row) -> Counts), ("llr_penta_logistic.csv", pentanomial)]
    {
        Table::open(file).check(|row, d| {
            let counts = counts(row);
            let (elo0, elo1) = (row.number("elo0"), row.number("elo1"));
            let (s0, s1) = (scale::score_of_elo(elo0), scale::score_of_elo(elo1));
            let mut near =
                |column: &str, got: Option<f64>| d.compare(column, got, row.optional(column), 1e-8, 1e-9);
            near("llr_noreg", llr_unregularised(&counts, elo0, elo1));
            near("llr_gauss_approx", Some(llr_gauss(&counts, s0, s1)));
            near("llr_logratio_approx", Some(llr_log_ratio(&counts, s0, s1)));
        });
    }
    for (file, counts) in [
        ("llr_tri_normalized.csv", trinomial as fn(&Row) -> Counts),
        ("llr_penta_normalized.csv", pentanomial),
    ] {
        Table::open(file).check(|row, d| {
            let got = llr_normalized_closed_form(&counts(row), row.number("elo0"), row.number("elo1"));
            d.compare("llr_closed_form_approx", got, row.number("llr_closed_form_approx"), 1e-8, 1e-9);
        });
    }
}

/// BR-097 (cutechess issue 543): the same counts under two models; the model has a name to be shown.
#[test]
fn br_097_models_are_told_apart() {
    let counts = Counts::from_wdl(880, 1863, 759);
    let llr = |model: Model| Sprt::new(0.0, 5.0, 0.05, 0.05, model).unwrap().llr(&counts).unwrap();
    assert!((llr(Model::Logistic) - 2.947).abs() < 5e-4);
    assert!((llr(Model::BayesElo) - 2.27).abs() < 5e-3);
    let bounds = Bounds::new(0.05, 0.05).unwrap();
    assert!((bounds.upper - 2.944).abs() < 5e-4 && (bounds.lower + 2.944).abs() < 5e-4);
    assert_eq!(bounds.decide(llr(Model::Logistic)), Decision::H1);
    assert_eq!(bounds.decide(llr(Model::BayesElo)), Decision::Undecided);
    let elo = EloEstimate::new(&counts).unwrap();
    assert!((elo.elo - 12.01).abs() < 5e-3 && (elo.error.unwrap() - 7.87).abs() < 5e-3);
    assert!((elo.los - 0.9986).abs() < 5e-5);
    for model in Model::ALL {
        assert_eq!(Model::from_id(model.id()), Some(model));
    }
}

/// BR-099 (fastchess 426 and 783, PlentyChess 95): pentanomial LLR with normalised Elo.
#[test]
fn br_099_pentanomial_normalized() {
    let test = |counts: Counts, elo1: f64, model: Model| {
        Sprt::new(0.0, elo1, 0.05, 0.05, model).unwrap().test(&counts).unwrap()
    };
    let a = Counts::Pentanomial([365, 16618, 36229, 16974, 390]);
    assert!((test(a, 2.0, Model::Normalized).0 - 2.250).abs() < 5e-4);
    let games = Counts::from_wdl(36433, 68692, 36027);
    assert!((test(games, 2.0, Model::Normalized).0 - 0.923).abs() < 5e-4);

    let b = Counts::Pentanomial([379, 10170, 21828, 10640, 343]);
    let (llr, decision) = test(b, 2.0, Model::Normalized);
    assert!((llr - 2.9455).abs() < 5e-5);
    assert_eq!(decision, Decision::H1);
    let elo = EloEstimate::new(&b).unwrap();
    assert!((elo.nelo.unwrap() - 3.05).abs() < 5e-3 && (elo.nelo_error.unwrap() - 2.31).abs() < 5e-3);
    assert!((elo.elo - 1.59).abs() < 5e-3 && (elo.error.unwrap() - 1.21).abs() < 5e-3);

    let c = Counts::Pentanomial([46, 936, 2083, 1043, 63]);
    assert!((test(c, 5.0, Model::Normalized).0 - 2.909).abs() < 5e-4);
    assert!((test(c, 5.0, Model::Logistic).0 - 4.03).abs() < 5e-3);
}

/// Normalised hypotheses on games, by another way: with `sigma` given, the three probabilities are, and the
/// log-likelihood is a concave function of it.
#[test]
fn normalized_trinomial_against_the_exact_profile() {
    let log_likelihood = |c: [u64; 3], elo: f64| {
        let c = c.map(|c| if c == 0 { 1e-3 } else { c as f64 });
        let t = elo / scale::NORMALIZED_SCALE;
        let k = 1.0 + t * t;
        let at = |sigma: f64| {
            let decided = 2.0 * k * sigma * sigma;
            c[0] * (decided - t * sigma).ln()
                + c[1] * (1.0 - 2.0 * decided).ln()
                + c[2] * (decided + t * sigma).ln()
        };
        let (mut low, mut high) = (t.abs() / (2.0 * k), 1.0 / (2.0 * k.sqrt()));
        for _ in 0..400 {
            let (a, b) = (low + 0.4 * (high - low), low + 0.6 * (high - low));
            if at(a) < at(b) { low = a } else { high = b }
        }
        at(0.5 * (low + high))
    };
    for counts in
        [[1, 0, 0], [292, 3, 1], [0, 100, 0], [10, 80, 30], [0, 3000, 5], [7, 237, 56], [0, 0, 1000]]
    {
        for (elo0, elo1) in [(-1500.0, -500.0), (-100.0, 100.0), (0.0, 5.0), (50.0, 400.0), (500.0, 1000.0)] {
            let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, Model::Normalized).unwrap();
            let llr = sprt.llr(&Counts::Trinomial(counts)).unwrap();
            let want = log_likelihood(counts, elo1) - log_likelihood(counts, elo0);
            assert!((llr - want).abs() < 1e-6 * (1.0 + want.abs()), "{counts:?} {elo0} {elo1}: {llr} {want}");
        }
    }
}

/// fastchess issue 879: extreme hypotheses on one-sided results must give a number, and soon.
#[test]
fn llr_is_a_number_for_every_count_and_hypothesis() {
    let counts = [0, 1, 7, 1_000_000_000];
    let bounds = [(-10_000.0, 10_000.0), (-1500.0, -500.0), (0.0, 5.0), (300.0, 800.0), (9_999.0, 10_000.0)];
    for model in Model::ALL {
        for (elo0, elo1) in bounds {
            let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
            for i in 0..64 {
                let trinomial = Counts::Trinomial([counts[i % 4], counts[i / 4 % 4], counts[i / 16]]);
                let llr = sprt.llr(&trinomial).unwrap();
                assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {trinomial:?}: {llr}");
            }
            if model.trinomial_only() {
                continue;
            }
            for i in 0..1024_usize {
                let pentanomial =
                    Counts::Pentanomial([0, 1, 2, 3, 4].map(|k| counts[i / 4_usize.pow(k) % 4]));
                let llr = sprt.llr(&pentanomial).unwrap();
                assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {pentanomial:?}: {llr}");
            }
        }
    }
}

#[test]
fn impossible_tests_are_refused() {
    let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, Model::Normalized).unwrap_err();
    assert!(matches!(new(5.0, 5.0, 0.05, 0.05), SprtError::Order { .. }));
    assert!(matches!(new(f64::NAN, 5.0, 0.05, 0.05), SprtError::Hypothesis { .. }));
    assert!(matches!(new(0.0, f64::INFINITY, 0.05, 0.05), SprtError::Hypothesis { .. }));
    assert!(matches!(new(0.0, 5.0, 0.0, 0.05), SprtError::ErrorRate { name: "alpha", .. }));
    assert!(matches!(new(0.0, 5.0, 0.05, f64::NAN), SprtError::ErrorRate { name: "beta", .. }));
    assert!(matches!(new(0.0, 5.0, 0.5, 0.5), SprtError::ErrorRates { .. }));
    let pairs = Counts::Pentanomial([1; 5]);
    for model in [Model::BayesElo, Model::BayesEloDirect, Model::Cutechess] {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, model).unwrap();
        assert!(matches!(sprt.llr(&pairs), Err(SprtError::TrinomialOnly { .. })));
    }
}
