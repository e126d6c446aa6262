//! Who can be compared with whom: the strong components of "scored against". Only between two players that are linked both
//! ways does a maximum-likelihood difference exist; from one who won all his games to the rest it is infinite.
//!
//! Source: R. Tarjan, "Depth-first search and linear graph algorithms" (1972), here without recursion.

use super::results::Results;

/// The groups, winners' groups before the ones that they beat; members in order of their numbers.
pub fn groups(results: &Results) -> Vec<Vec<usize>> {
    let n = results.players();
    // An edge leads from one who scored to the one it was scored against.
    let mut beaten: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (a, b, meeting) in results.meetings() {
        let [losses, draws, wins] = meeting.all_games();
        if wins + draws > 0 {
            beaten[a].push(b);
        }
        if losses + draws > 0 {
            beaten[b].push(a);
        }
    }
    const NEW: usize = usize::MAX;
    let (mut order, mut low) = (vec![NEW; n], vec![0; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        // A player and how many of its edges are done.
        let mut path = vec![(root, 0)];
        while let Some((player, done)) = path.last_mut() {
            let player = *player;
            if *done == 0 {
                (order[player], low[player]) = (next, next);
                next += 1;
                stack.push(player);
                on_stack[player] = true;
            }
            if let Some(&other) = beaten[player].get(*done) {
                *done += 1;
                if order[other] == NEW {
                    path.push((other, 0));
                } else if on_stack[other] {
                    low[player] = low[player].min(order[other]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[player]);
            }
            if low[player] == order[player] {
                let mut group = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    group.push(member);
                    if member == player {
                        break;
                    }
                }
                group.sort_unstable();
                found.push(group);
            }
        }
    }
    // A group is complete only after all that it beats.
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strong_components_by_hand() {
        let mut results = Results::new(7);
        // 0, 1, 2 in a ring; 2 beats 3; 3 and 4 draw; 5 beats all of them; 6 never played.
        for (white, black) in [(0, 1), (1, 2), (2, 0), (2, 3), (5, 0), (5, 3)] {
            results.add(white, black, 2);
        }
        results.add(3, 4, 1);
        let found = groups(&results);
        let place = |group: &[usize]| found.iter().position(|members| members == group).unwrap();
        assert_eq!(found.len(), 4);
        assert!(place(&[5]) < place(&[0, 1, 2]) && place(&[0, 1, 2]) < place(&[3, 4]));
        place(&[6]);
    }

    /// A chain as long as this would overflow the stack of a recursive search.
    #[test]
    fn a_long_chain_is_walked() {
        let mut results = Results::new(200_000);
        for player in 1..200_000 {
            results.add(player - 1, player, 2);
        }
        assert_eq!(groups(&results).len(), 200_000);
        results.add(199_999, 0, 2);
        assert_eq!(groups(&results).len(), 1);
    }
}
