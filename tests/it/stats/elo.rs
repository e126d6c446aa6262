//! Elo, its intervals and side figures.

use super::{Differences, Row, Table, pentanomial, trinomial};
use gauntlet::stats::elo::RegularisedElo;
use gauntlet::stats::{Counts, EloEstimate, IntervalKind};

fn check_row(row: &Row, counts: Counts, d: &mut Differences) {
    let estimate = EloEstimate::new(&counts);
    let e = estimate.as_ref();
    let mut near = |column: &str, got: Option<f64>| d.compare(column, got, row.optional(column), 1e-9, 1e-9);
    near("score", e.map(|e| e.score));
    near("var", e.map(|e| e.variance));
    near("se", e.map(|e| e.std_error));
    near("elo", e.map(|e| e.elo));
    near("elo_lo", e.map(|e| e.low));
    near("elo_hi", e.map(|e| e.high));
    near("elo_err", e.and_then(|e| e.error));
    near("nelo", e.and_then(|e| e.nelo));
    near("nelo_err", e.and_then(|e| e.nelo_error));
    near("nelo_err_delta", e.and_then(|e| e.nelo_error_delta));
    near("glr_elo_lo", e.map(|e| e.profile_low));
    near("glr_elo_hi", e.map(|e| e.profile_high));
    near("draw_ratio", e.map(|e| e.draw_ratio));
    let regularised = RegularisedElo::new(&counts);
    near("reg_elo", Some(regularised.elo));
    near("reg_err", Some(regularised.error));
    d.compare("reg_los", regularised.los, row.number("reg_los"), 1e-10, 0.0);
    d.compare("los", e.map(|e| e.los), row.optional("los"), 1e-10, 0.0);
    d.compare("t_elo_lo", e.and_then(|e| e.t_low), row.optional("t_elo_lo"), 1e-7, 0.0);
    d.compare("t_elo_hi", e.and_then(|e| e.t_high), row.optional("t_elo_hi"), 1e-7, 0.0);
    assert_eq!(counts.games(), row.count("games"));
}

#[test]
fn trinomial_rows() {
    Table::open("elo_trinomial.csv").check(|row, d| {
        let counts = trinomial(row);
        check_row(row, counts, d);
        let e = EloEstimate::new(&counts);
        d.compare("los_wl", e.and_then(|e| e.los_wl), row.optional("los_wl"), 1e-10, 0.0);
        d.compare("los_beta", e.and_then(|e| e.los_beta), row.optional("los_beta"), 1e-10, 0.0);
    });
}

#[test]
fn pentanomial_rows() {
    Table::open("elo_pentanomial.csv").check(|row, d| {
        let counts = pentanomial(row);
        check_row(row, counts, d);
        let ratio = EloEstimate::new(&counts).and_then(|e| e.pairs_ratio);
        d.compare("pairs_ratio", ratio, row.optional("pairs_ratio"), 1e-9, 1e-9);
    });
}

#[test]
fn interval_shown_is_the_profile_one_where_the_normal_one_fails() {
    let kind = |counts: Counts| EloEstimate::new(&counts).unwrap().interval().kind;
    assert_eq!(kind(Counts::from_wdl(880, 1863, 759)), IntervalKind::Normal);
    for wdl in [[0, 0, 1], [0, 100, 0], [1000, 0, 0], [999, 0, 1], [10, 9, 10]] {
        assert_eq!(kind(Counts::from_wdl(wdl[0], wdl[1], wdl[2])), IntervalKind::Profile, "{wdl:?}");
    }
}

/// Whatever is counted, nothing is NaN and the other engine sees the mirror image.
#[test]
fn extreme_counts_stay_defined_and_mirror() {
    let huge = 1_000_000_000;
    for counts in
        [[0, 0, 1], [0, 1, 0], [huge, 0, 0], [huge, 1, 0], [0, huge, 1], [1, 0, huge], [huge, huge, huge]]
    {
        let counts = Counts::Trinomial(counts);
        let (ours, theirs) =
            (EloEstimate::new(&counts).unwrap(), EloEstimate::new(&counts.reversed()).unwrap());
        for (a, b) in [
            (ours.elo, theirs.elo),
            (ours.low, theirs.high),
            (ours.high, theirs.low),
            (ours.profile_low, theirs.profile_high),
            (ours.profile_high, theirs.profile_low),
        ] {
            assert!(!a.is_nan() && !b.is_nan(), "{counts:?}");
            assert!(a == -b || (a + b).abs() <= 1e-6 * (1.0 + a.abs()), "{counts:?}: {a} {b}");
        }
        assert!(ours.profile_low <= ours.elo && ours.elo <= ours.profile_high, "{counts:?} {ours:?}");
        assert!((ours.los + theirs.los - 1.0).abs() < 1e-12);
    }
}
