//! As many disjoint pairs as a graph allows: Edmonds' algorithm ("Paths, trees, and flowers", 1965). Odd cycles that the search
//! for an augmenting path comes across are shrunk by giving their members a common base.

use std::collections::VecDeque;

/// Partners by vertex; `joined` says which two may be a pair.
pub(super) fn matching(vertices: usize, joined: &dyn Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut partner = vec![None; vertices];
    for root in 0..vertices {
        if partner[root].is_none() {
            let mut search = Search::new(vertices, root);
            if let Some(end) = search.path(joined, &partner) {
                search.augment(end, &mut partner);
            }
        }
    }
    partner
}

/// How many pairs that are.
pub(super) fn size(vertices: usize, joined: &dyn Fn(usize, usize) -> bool) -> usize {
    matching(vertices, joined).iter().flatten().count() / 2
}

/// Breadth first from one free vertex.
struct Search {
    /// What an outer vertex's partner was reached from.
    parent: Vec<Option<usize>>,
    /// The vertex that stands for the shrunken cycle around each.
    base: Vec<usize>,
    /// An even number of steps from the root.
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Search {
    fn new(vertices: usize, root: usize) -> Search {
        let mut outer = vec![false; vertices];
        outer[root] = true;
        Search {
            parent: vec![None; vertices],
            base: (0..vertices).collect(),
            outer,
            queue: VecDeque::from([root]),
        }
    }

    /// The free vertex at the other end of an augmenting path.
    fn path(&mut self, joined: &dyn Fn(usize, usize) -> bool, partner: &[Option<usize>]) -> Option<usize> {
        while let Some(from) = self.queue.pop_front() {
            for to in 0..partner.len() {
                if to == from
                    || !joined(from, to)
                    || self.base[from] == self.base[to]
                    || partner[from] == Some(to)
                {
                    continue;
                }
                if self.outer[to] {
                    self.shrink(from, to, partner);
                } else if self.parent[to].is_none() {
                    self.parent[to] = Some(from);
                    match partner[to] {
                        None => return Some(to),
                        Some(mate) => self.reach(mate),
                    }
                }
            }
        }
        None
    }

    fn reach(&mut self, vertex: usize) {
        if !std::mem::replace(&mut self.outer[vertex], true) {
            self.queue.push_back(vertex);
        }
    }

    /// An edge between two outer vertices closes an odd cycle.
    fn shrink(&mut self, one: usize, two: usize, partner: &[Option<usize>]) {
        let base = self.common_base(one, two, partner);
        let mut inside = vec![false; partner.len()];
        self.mark(one, base, two, partner, &mut inside);
        self.mark(two, base, one, partner, &mut inside);
        for vertex in 0..partner.len() {
            if inside[self.base[vertex]] {
                self.base[vertex] = base;
                self.reach(vertex);
            }
        }
    }

    /// Where the ways of both to the root meet.
    fn common_base(&self, one: usize, two: usize, partner: &[Option<usize>]) -> usize {
        let up = |vertex: usize| partner[vertex].and_then(|mate| self.parent[mate]);
        let mut passed = vec![false; partner.len()];
        let mut at = Some(one);
        while let Some(vertex) = at {
            let base = self.base[vertex];
            passed[base] = true;
            at = up(base);
        }
        let mut vertex = self.base[two];
        while !passed[vertex] {
            match up(vertex) {
                Some(next) => vertex = self.base[next],
                None => break,
            }
        }
        vertex
    }

    /// Marks the cycle from a vertex to its base, and lets paths run round it the other way.
    fn mark(
        &mut self,
        from: usize,
        base: usize,
        child: usize,
        partner: &[Option<usize>],
        inside: &mut [bool],
    ) {
        let (mut vertex, mut child) = (from, child);
        while self.base[vertex] != base {
            let Some(mate) = partner[vertex] else { return };
            inside[self.base[vertex]] = true;
            inside[self.base[mate]] = true;
            self.parent[vertex] = Some(child);
            child = mate;
            let Some(next) = self.parent[mate] else { return };
            vertex = next;
        }
    }

    /// Swaps pairs along the path that ends here.
    fn augment(&self, end: usize, partner: &mut [Option<usize>]) {
        let mut at = Some(end);
        while let Some(vertex) = at {
            let Some(before) = self.parent[vertex] else { return };
            at = partner[before];
            partner[vertex] = Some(before);
            partner[before] = Some(vertex);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::SplitMix64;

    /// The most pairs among the vertices of a set, by trying everything.
    fn by_trying(edges: &[Vec<bool>], set: u32) -> usize {
        if set == 0 {
            return 0;
        }
        let one = set.trailing_zeros() as usize;
        let rest = set & (set - 1);
        (0..edges.len())
            .filter(|&two| rest >> two & 1 == 1 && edges[one][two])
            .map(|two| 1 + by_trying(edges, rest & !(1 << two)))
            .chain([by_trying(edges, rest)])
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn as_many_pairs_as_by_trying_everything() {
        let mut random = SplitMix64::new(7);
        // Sparse enough that some have no way round but by an odd cycle.
        for case in 0..3000 {
            let vertices = 3 + case % 10;
            let percent = 20 + random.below(25);
            // The lower half of a table of all against all.
            let half: Vec<Vec<bool>> =
                (0..vertices).map(|one| (0..one).map(|_| random.below(100) < percent).collect()).collect();
            let joined = |one: usize, two: usize| one != two && half[one.max(two)][one.min(two)];
            let edges: Vec<Vec<bool>> =
                (0..vertices).map(|one| (0..vertices).map(|two| joined(one, two)).collect()).collect();
            let found = matching(vertices, &joined);
            for (vertex, partner) in found.iter().enumerate().filter_map(|(v, p)| Some((v, (*p)?))) {
                assert!(edges[vertex][partner] && found[partner] == Some(vertex), "{edges:?} {found:?}");
            }
            let pairs = found.iter().flatten().count() / 2;
            assert_eq!(pairs, by_trying(&edges, (1 << vertices) - 1), "{edges:?} {found:?}");
        }
    }
}
