//! Branching factors of a search: effective (how fast nodes grow with depth) and mean (children of a node).
//!
//! Must not know how nodes are counted. The definitions found in the field differ; all of them stand in the reference README.

/// Effective branching factors from the nodes of depths 1, 2, …, N. Each is none where there are too few depths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Branching {
    /// `n_N / n_(N-1)`.
    pub ratio_last: Option<f64>,
    /// Geometric mean of all successive ratios.
    pub geometric_mean: Option<f64>,
    /// `sqrt(n_N / n_(N-2))`: evens out odd and even depths.
    pub sqrt_two_ply_last: Option<f64>,
    /// Geometric mean of all of these.
    pub geometric_mean_two_ply: Option<f64>,
    /// `exp` of the least-squares slope of `ln n` on depth.
    pub regression: Option<f64>,
    /// `n_N^(1/N)`.
    pub nth_root: Option<f64>,
}

impl Branching {
    /// `nodes[i]` belongs to depth `i + 1`; all must be positive, or everything that needs them is none.
    pub fn new(nodes: &[f64]) -> Branching {
        let usable = nodes.iter().all(|&n| n > 0.0 && n.is_finite());
        let logs: Vec<f64> = if usable { nodes.iter().map(|n| n.ln()).collect() } else { Vec::new() };
        let n = logs.len();
        // The products telescope: only the ends of the chains remain.
        let over = |plies: usize| (n > plies).then(|| logs[n - 1] - logs[n - 1 - plies]);
        let two_ply = (n > 2).then(|| {
            let sum: f64 = logs.windows(3).map(|w| w[2] - w[0]).sum();
            (sum / 2.0 / (n - 2) as f64).exp()
        });
        Branching {
            ratio_last: over(1).map(f64::exp),
            geometric_mean: (n > 1).then(|| ((logs[n - 1] - logs[0]) / (n - 1) as f64).exp()),
            sqrt_two_ply_last: over(2).map(|x| (x / 2.0).exp()),
            geometric_mean_two_ply: two_ply,
            regression: slope(&logs).map(f64::exp),
            nth_root: logs.last().map(|last| (last / n as f64).exp()),
        }
    }
}

/// Least-squares slope over 1, 2, …
fn slope(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < 2 {
        return None;
    }
    let middle = (n as f64 + 1.0) / 2.0;
    let (mut xy, mut xx) = (0.0, 0.0);
    for (i, y) in values.iter().enumerate() {
        let x = i as f64 + 1.0 - middle;
        xy += x * y;
        xx += x * x;
    }
    Some(xy / xx)
}

/// The effective branching factor that we print: the geometric mean of the ratios of successive depths from depth 2 on,
/// `(N(D) / N(2))^(1 / (D - 2))`. Depth 1 is left out: it is mostly the cost of looking at the position at all.
/// `nodes[i]` belongs to depth `i + 1`; none below three depths.
pub fn effective(nodes: &[f64]) -> Option<f64> {
    Branching::new(nodes.get(1..)?).geometric_mean
}

/// All nodes per interior node (one that made a move); none without interior nodes.
pub fn mean_branching(all_nodes: u64, interior_nodes: u64) -> Option<f64> {
    (interior_nodes > 0).then(|| all_nodes as f64 / interior_nodes as f64)
}

/// Children per interior node of a single tree: the root is nobody's child. None without interior nodes.
pub fn mean_children(all_nodes: u64, interior_nodes: u64) -> Option<f64> {
    (interior_nodes > 0).then(|| (all_nodes as f64 - 1.0) / interior_nodes as f64)
}
