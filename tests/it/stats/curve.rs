//! The technology curve.

use super::Table;
use gauntlet::stats::curve::{Handicap, TechnologyCurve};

fn matches(text: &str) -> Vec<Handicap> {
    text.split(' ')
        .map(|text| {
            let numbers: Vec<f64> = text.split(':').map(|number| number.parse().unwrap()).collect();
            Handicap { base: numbers[0], more: numbers[1], elo: numbers[2], std_error: numbers[3] }
        })
        .collect()
}

#[test]
fn techcurve_rows() {
    Table::open("techcurve.csv").check(|row, d| {
        let matches = matches(row.text("matches_tBase:tMore:elo:se"));
        let fit = TechnologyCurve::fit(&matches).unwrap();
        let (one, two) = (fit.constant, fit.diminishing.unwrap());
        for (column, got) in [
            ("beta_elo_per_doubling", Some(one.elo)),
            ("se_beta", Some(one.std_error)),
            ("chi2", Some(one.chi_squared)),
            ("b0_at_t1", Some(two.at_one)),
            ("b1_per_log2_time", Some(two.per_doubling)),
            ("se_b0", Some(two.at_one_error)),
            ("se_b1", Some(two.per_doubling_error)),
            ("cov_b0_b1", Some(two.covariance)),
            ("chi2_two_param", Some(two.chi_squared)),
            ("p_chi2", one.p),
        ] {
            d.compare(column, got, row.number(column), 0.0, 1e-9);
        }
        assert_eq!((one.freedom, two.freedom), (row.count("dof"), row.count("dof_two_param")));
        assert_eq!(fit.diminishes(), row.number("p_chi2") < 0.05);
        let (low, high) = (fit.elo_per_doubling(1.0), fit.elo_per_doubling(64.0));
        assert_eq!(low > high, fit.diminishes());
    });
}

#[test]
fn what_cannot_be_fitted_is_none() {
    assert_eq!(TechnologyCurve::fit(&[]), None);
    for wrong in ["0:1:50:5", "1:1:50:5", "1:2:50:0", "1:2:NaN:5", "1:inf:50:5"] {
        assert_eq!(TechnologyCurve::fit(&matches(wrong)), None, "{wrong}");
    }
    let single = TechnologyCurve::fit(&matches("1:2:50:5")).unwrap();
    assert_eq!((single.constant.p, single.diminishing, single.diminishes()), (None, None, false));
    // The same place on the curve twice tells nothing of its bend.
    assert_eq!(TechnologyCurve::fit(&matches("1:2:50:5 1:2:60:5")).unwrap().diminishing, None);
}
