//! Rows that belong together.

/// Rows with equal keys together, keys in the order of their first row.
pub fn grouped<'a, T, K: PartialEq>(rows: &[&'a T], key: impl Fn(&'a T) -> K) -> Vec<(K, Vec<&'a T>)> {
    let mut groups: Vec<(K, Vec<&'a T>)> = Vec::new();
    for &row in rows {
        let wanted = key(row);
        // From the end: rows of a group come together, so this is nearly always the last one.
        match groups.iter_mut().rev().find(|(key, _)| *key == wanted) {
            Some((_, group)) => group.push(row),
            None => groups.push((wanted, vec![row])),
        }
    }
    groups
}
