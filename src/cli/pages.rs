//! Lets go of code that has done its work. Linux maps code in blocks of 64 KiB, so that after the start, arguments and
//! plans read, most of a large program is counted as memory in use; what playing needs of it is mapped again, in smaller blocks,
//! and is much less. Match runners are compared by the memory they hold while they play.

#![allow(unsafe_code)] // one call

use rustix::mm::{Advice, madvise};
use std::fs;
use std::ops::Range;

/// No block is mapped across the border of two mappings, and mappings differ where their advice does: every other stripe of
/// this size gets one of its own. Four pages: what is used of a block of sixteen is one page in six.
const STRIPE: usize = 16 << 10;

/// Unmaps the code of this program and its libraries until it runs again. Does nothing where the system tells no map.
pub fn let_go_of_code() {
    let Ok(maps) = fs::read_to_string("/proc/self/maps") else { return };
    for range in maps.lines().filter_map(code) {
        stripes(&range).for_each(|stripe| advise(stripe, Advice::Random));
        advise(range, Advice::LinuxDontNeed);
    }
}

/// Every other stripe of a range; the same ones however the range is cut, as it is after the first time.
fn stripes(range: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let Range { start, end } = *range;
    let first = start - start % (2 * STRIPE);
    (first..end)
        .step_by(2 * STRIPE)
        .map(move |at| at.max(start)..end.min(at + STRIPE))
        .filter(|stripe| !stripe.is_empty())
}

fn advise(range: Range<usize>, advice: Advice) {
    // SAFETY: these pages are never written, so each is read from its file again when it is next used. Where the system
    // refuses, all goes on as before.
    let _ = unsafe { madvise(range.start as *mut _, range.len(), advice) };
}

/// The addresses in a line of the map, if it is code of a file, or the constants in front of the code. Those behind it hold
/// addresses, which are written at the start.
fn code(line: &str) -> Option<Range<usize>> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let (rights, offset) = (fields.next()?, fields.next()?);
    let of_file = fields.nth(2)?.starts_with('/');
    let address = |text| usize::from_str_radix(text, 16).ok();
    let never_written = rights == "r-xp" || (rights == "r--p" && address(offset)? == 0);
    (never_written && of_file).then_some(address(start)?..address(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_never_written_is_let_go() {
        let line = "55f6-56a0 r-xp 002cf000 fe:00 1234   /opt/my games/gauntlet";
        assert_eq!(code(line), Some(0x55f6..0x56a0));
        assert_eq!(code(&line.replace("r-xp 002cf000", "r--p 00000000")), Some(0x55f6..0x56a0));
        // Addresses filled in at the start; data; what no file holds.
        assert_eq!(code(&line.replace("r-xp", "r--p")), None);
        assert_eq!(code(&line.replace("r-xp", "rw-p")), None);
        assert_eq!(code("7fff-8000 r-xp 00000000 00:00 0 [vdso]"), None);
        assert_eq!(code("7fff-8000 r-xp 00000000 00:00 0"), None);
        assert_eq!(code(""), None);
    }

    #[test]
    fn stripes_are_the_same_in_a_range_that_was_cut_along_them() {
        let of = |start, end| stripes(&(start * STRIPE..end * STRIPE)).collect::<Vec<_>>();
        let whole = of(1, 6);
        assert_eq!(whole, [2 * STRIPE..3 * STRIPE, 4 * STRIPE..5 * STRIPE]);
        assert_eq!((1..6).flat_map(|at| of(at, at + 1)).collect::<Vec<_>>(), whole);
    }
}
