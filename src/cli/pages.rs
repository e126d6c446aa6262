//! Lets go of code that has done its work. Linux maps code in blocks of 64 KiB, so that after the start, arguments and
//! plans read, most of a large program is counted as memory in use; what playing needs of it is mapped again, and is much
//! less. Match runners are compared by the memory they hold while they play.

#![allow(unsafe_code)] // one call

use rustix::mm::{Advice, madvise};
use std::fs;
use std::ops::Range;

/// Unmaps the code of this program until it runs again. Does nothing where the system tells no map.
pub fn let_go_of_code() {
    let (Ok(maps), Ok(program)) = (fs::read_to_string("/proc/self/maps"), std::env::current_exe()) else {
        return;
    };
    let Some(program) = program.to_str() else { return };
    for range in maps.lines().filter_map(|line| code(line, program)) {
        // SAFETY: code is never written, so each page is read from the file again when it is next run. Where the system
        // refuses, all goes on as before.
        let _ = unsafe { madvise(range.start as *mut _, range.len(), Advice::LinuxDontNeed) };
    }
}

/// The addresses in a line of the map, if it is code of `program`. Constants are no code: those that hold addresses are
/// written at the start.
fn code(line: &str, program: &str) -> Option<Range<usize>> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_code = fields.next()? == "r-xp";
    let is_program = line.split_once('/').is_some_and(|(_, path)| program.strip_prefix('/') == Some(path));
    let address = |text| usize::from_str_radix(text, 16).ok();
    (is_code && is_program).then_some(address(start)?..address(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_of_the_program_is_let_go() {
        let line = "55f6-56a0 r-xp 002cf000 fe:00 1234   /opt/my games/gauntlet";
        assert_eq!(code(line, "/opt/my games/gauntlet"), Some(0x55f6..0x56a0));
        assert_eq!(code(line, "/usr/lib/libc.so.6"), None);
        assert_eq!(code(&line.replace("r-xp", "r--p"), "/opt/my games/gauntlet"), None);
        assert_eq!(code("7fff-8000 r-xp 00000000 00:00 0 [vdso]", "/opt/my games/gauntlet"), None);
        assert_eq!(code("", "/opt/my games/gauntlet"), None);
    }
}
