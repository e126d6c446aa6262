//! Timings compared, rank tests, branching factors.

use super::Table;
use gauntlet::stats::compare::{Change, PairedComparison};
use gauntlet::stats::{Branching, SplitMix64, bootstrap, branching, rank, summary};

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

/// Critical values of Wilcoxon's table, two-sided 5 % (Wilcoxon and Wilcox 1964): the interval ends one beyond them.
#[test]
fn the_rank_interval_stands_on_the_published_table() {
    let table = [
        (6, 0),
        (7, 2),
        (8, 3),
        (9, 5),
        (10, 8),
        (12, 13),
        (15, 25),
        (20, 52),
        (25, 89),
        (30, 137),
        (50, 434),
    ];
    for (n, critical) in table {
        assert_eq!(rank::walsh_rank(n), Some(critical + 1), "{n}");
    }
    assert_eq!([0, 1, 5].map(rank::walsh_rank), [None; 3]);
    // Where it is no longer exact it goes on as before.
    let (exact, normal) = (rank::walsh_rank(300).unwrap(), rank::walsh_rank(301).unwrap());
    assert!(normal > exact && normal < exact + 200, "{exact} {normal}");
}

/// Log ratios of rounds: a spread of 1 %, and in every twelfth round something else of the machine's, 5 %.
fn rounds(rng: &mut SplitMix64, shift: f64, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut normal = || {
        let sum: f64 = (0..12).map(|_| rng.uniform()).sum();
        sum - 6.0
    };
    let noise: Vec<f64> =
        (0..n).map(|_| if normal() > 1.38 { 0.05 * normal() } else { 0.01 * normal() }).collect();
    (vec![1e6; n], noise.iter().map(|x| 1e6 * (x + shift).exp()).collect())
}

/// The rule of `bench --against`, by simulation: 200 runs of ten rounds of two equal engines. False alarms, either way, stay within
/// 2.5 % and two standard errors, with a margin and without. A change of 10 % is always found, one of the size that is
/// told nearly as often as is told.
#[test]
fn equal_engines_are_seldom_called_different_and_a_tenth_is_found() {
    const RUNS: usize = 200;
    let most = RUNS as f64 * (0.025 + 2.0 * (0.025 * 0.975 / RUNS as f64).sqrt());
    let mut rng = SplitMix64::new(20);
    let mut decided = |shift: f64, margin: f64| -> Vec<Change> {
        let one = |_| {
            let (base, new) = rounds(&mut rng, shift, 10);
            PairedComparison::new(&base, &new).unwrap().decide(margin)
        };
        (0..RUNS).map(one).collect()
    };
    let count =
        |found: &[Change], which: &[Change]| found.iter().filter(|one| which.contains(one)).count() as f64;
    let equal = decided(0.0, 0.01);
    assert!(count(&equal, &[Change::Faster, Change::Slower]) <= most, "{equal:?}");
    // Without a margin, which is what a narrow one is to great noise.
    let equal = decided(0.0, 0.0);
    assert!(count(&equal, &[Change::Faster, Change::Slower]) <= most, "{equal:?}");
    assert_eq!(count(&equal, &[Change::Same]), 0.0);
    assert_eq!(count(&decided(-0.1, 0.01), &[Change::Slower]), RUNS as f64);
    assert_eq!(count(&decided(0.1, 0.01), &[Change::Faster]), RUNS as f64);
    let few = PairedComparison::new(&[1e6; 6], &[2e6; 6]).unwrap();
    assert_eq!((matches!(few.decide(0.01), Change::Unclear { .. }), few.least_found(0.01)), (true, None));
    // At a spread of 1 %, by hand: ln 1.01 + 2.8016 * 0.01 / sqrt(10 * 0.955) = 0.01902.
    let spread = [-1.5, -1.0, -1.0, -0.5, -0.5, 0.5, 0.5, 1.0, 1.0, 1.5].map(|x: f64| 1e6 * (0.01 * x).exp());
    let found = PairedComparison::new(&[1e6; 10], &spread).unwrap();
    let by_hand = 0.009_950_33 + 2.801_585 * found.log_deviation.unwrap() / 9.55_f64.sqrt();
    assert!((found.least_found(0.01).unwrap().ln_1p() - by_hand).abs() < 1e-6);
    // At the end of the margin itself: as seldom as without one.
    assert!(count(&decided((-0.01_f64).ln_1p(), 0.01), &[Change::Slower]) <= most);
}

/// The same rule on what was measured: rounds of one engine against itself (reports/samples/gate), drawn anew with replacement, each
/// either way round. A tenth put upon them is found.
#[test]
fn an_engine_against_itself_is_seldom_called_different() {
    const RUNS: usize = 200;
    let text = std::fs::read_to_string("reports/samples/gate/same-engine.csv").unwrap();
    let measured: Vec<[f64; 2]> = text
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
            [fields[2] / fields[3], fields[2] / fields[4]]
        })
        .collect();
    assert_eq!(measured.len(), 400);
    let most = RUNS as f64 * (0.025 + 2.0 * (0.025 * 0.975 / RUNS as f64).sqrt());
    let mut rng = SplitMix64::new(7);
    for rounds in [7, 10, 20] {
        let mut alarms = |slower: f64, margin: f64| {
            let one = |_: usize| {
                let drawn: Vec<(f64, f64)> = (0..rounds)
                    .map(|_| {
                        let [a, b] = measured[rng.below(measured.len() as u64) as usize];
                        if rng.below(2) == 0 { (a, b * slower) } else { (b, a * slower) }
                    })
                    .collect();
                let (base, new): (Vec<f64>, Vec<f64>) = drawn.into_iter().unzip();
                PairedComparison::new(&base, &new).unwrap().decide(margin)
            };
            let found: Vec<Change> = (0..RUNS).map(one).collect();
            found.iter().filter(|one| matches!(one, Change::Faster | Change::Slower)).count() as f64
        };
        for margin in [0.0, 0.01] {
            let alarms = alarms(1.0, margin);
            assert!(alarms <= most, "{rounds} rounds, margin {margin}: {alarms} of {RUNS}");
        }
        if rounds == 20 {
            assert!(alarms(0.9, 0.01) >= 0.95 * RUNS as f64);
        }
    }
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
