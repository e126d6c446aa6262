//! Timings compared, rank tests, branching factors.

use super::Table;
use gauntlet::stats::compare::PairedComparison;
use gauntlet::stats::{Branching, bootstrap, branching, rank, summary};

#[test]
fn nps_rows() {
    Table::open("nps.csv").check(|row, d| {
        let numbers = |column: &str| {
            row.text(column).split(' ').map(|text| text.parse().unwrap()).collect::<Vec<f64>>()
        };
        let (a, b) = (numbers("a_nps"), numbers("b_nps"));
        let c = PairedComparison::new(&a, &b).unwrap();
        let order = c.order_interval.unwrap();
        let unpaired = rank::rank_sum(&a, &b).unwrap();
        assert_eq!((c.n as u64, order.k as u64), (row.count("n"), row.count("order_k")));
        for (column, got) in [
            ("median_ratio", Some(c.median_ratio)),
            ("hodges_lehmann_ratio", Some(c.hodges_lehmann_ratio)),
            ("geomean_ratio", Some(c.geometric_mean_ratio)),
            ("t_ci_lo", c.t_interval.map(|t| t.0)),
            ("t_ci_hi", c.t_interval.map(|t| t.1)),
            ("order_ci_lo", Some(order.low)),
            ("order_ci_hi", Some(order.high)),
            ("wilcoxon_wplus", Some(c.wilcoxon.w_plus)),
            ("wilcoxon_p_two_sided_exact", Some(c.wilcoxon.p_two_sided)),
            ("wilcoxon_p_b_slower_exact", Some(c.wilcoxon.p_less)),
            ("mannwhitney_u_b", Some(unpaired.u_b)),
            ("mannwhitney_p_two_sided_exact", unpaired.p_two_sided),
            ("mannwhitney_p_b_slower_exact", unpaired.p_less),
            ("sd_log_ratio", c.log_deviation),
            ("mde_log_ratio_80pct_power", c.detectable),
        ] {
            d.compare(column, got, row.optional(column), 1e-9, 1e-9);
        }
        for (column, got) in [
            ("wilcoxon_p_two_sided_normal_cc", c.wilcoxon.p_normal),
            ("mannwhitney_p_two_sided_asymptotic_cc", unpaired.p_normal),
        ] {
            d.compare(column, got, row.number(column), 1e-6, 0.0);
        }
        let interval = |statistic: fn(&[f64]) -> Option<f64>| {
            bootstrap::interval(&c.log_ratios, 20_000, 1, statistic).unwrap()
        };
        let means = interval(summary::mean);
        let near = 0.05 * c.log_deviation.unwrap();
        d.compare("boot_mean_lo", means.0, row.number("boot_mean_lo").ln(), near, 0.0);
        d.compare("boot_mean_hi", means.1, row.number("boot_mean_hi").ln(), near, 0.0);
        // Medians of resamples are order statistics (or the mean of two): the same or a neighbouring one.
        let medians = interval(summary::median);
        let sorted = summary::sorted(&c.log_ratios);
        for (column, got) in [("boot_median_lo", medians.0), ("boot_median_hi", medians.1)] {
            let want = row.number(column).ln();
            let below = sorted.iter().filter(|&&r| r < want - 2e-6).count();
            let above = sorted.iter().filter(|&&r| r <= want + 2e-6).count();
            let low = sorted[below.saturating_sub(1)];
            let high = sorted[above.min(sorted.len() - 1)];
            assert!(low - 1e-12 <= got && got <= high + 1e-12, "{}: {column}: {got} {want}", row.text("id"));
        }
    });
}

#[test]
fn rank_ties_rows() {
    Table::open("rank_ties.csv").check(|row, d| {
        let numbers = |column: &str| {
            row.text(column).split(' ').map(|text| text.parse().unwrap()).collect::<Vec<f64>>()
        };
        let (a, b) = (numbers("a"), numbers("b"));
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
        let signed = rank::signed_rank(&differences);
        assert_eq!(signed.nonzero as u64, row.count("nonzero_pairs"));
        d.compare("w+", signed.w_plus, row.number("wplus_midranks"), 0.0, 0.0);
        d.compare("p", signed.p_two_sided, row.number("wilcoxon_p_two_sided_exact_conditional"), 1e-12, 0.0);
        d.compare("u", rank::rank_sum(&a, &b).unwrap().u_b, row.number("mannwhitney_u_b"), 0.0, 0.0);
    });
}

#[test]
fn ebf_rows() {
    Table::open("ebf.csv").check(|row, d| {
        let nodes: Vec<f64> =
            row.text("nodes_depth_1_to_N").split(' ').map(|text| text.parse().unwrap()).collect();
        let b = Branching::new(&nodes);
        for (column, got) in [
            ("ratio_last", b.ratio_last),
            ("geo_mean_ratio", b.geometric_mean),
            ("geo_mean_telescoped", b.geometric_mean),
            ("sqrt_two_ply_last", b.sqrt_two_ply_last),
            ("geo_mean_sqrt_two_ply", b.geometric_mean_two_ply),
            ("exp_regression_slope", b.regression),
            ("nth_root_of_last", b.nth_root),
        ] {
            d.compare(column, got, row.optional(column), 0.0, 1e-10);
        }
    });
    assert_eq!(Branching::new(&[3.0, 0.0]).ratio_last, None);
    assert_eq!(Branching::new(&[]).nth_root, None);
}

#[test]
fn mbf_rows() {
    Table::open("mbf.csv").check(|row, d| {
        let (all, interior) = (row.count("all_nodes"), row.count("interior_nodes"));
        let optional = |column: &str| row.optional(column);
        d.compare(
            "mbf",
            branching::mean_branching(all, interior),
            optional("mbf_all_over_interior"),
            0.0,
            1e-10,
        );
        d.compare(
            "children",
            branching::mean_children(all, interior),
            optional("mean_children_per_interior"),
            0.0,
            1e-10,
        );
    });
}
