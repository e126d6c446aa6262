//! Games on processors of their own: the thread of a table, and with it the engines that it starts, stays on its share.
//! Linux only; elsewhere nothing is pinned.

/// How many processors this process may use.
#[cfg(target_os = "linux")]
pub fn processors() -> usize {
    allowed().len()
}

/// Keeps the calling thread, and what it starts, on share `number` of `size` of the processors this process may use.
#[cfg(target_os = "linux")]
pub fn pin(number: usize, size: usize) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut share = CpuSet::new();
    for processor in allowed().into_iter().skip(number * size).take(size) {
        share.set(processor);
    }
    // Without the right to, or a processor less than before, the games are played all the same.
    let _ = sched_setaffinity(None, &share);
}

#[cfg(target_os = "linux")]
fn allowed() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect()
}

/// None that could be pinned to.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> usize {
    0
}

/// Not to be had here.
#[cfg(not(target_os = "linux"))]
pub fn pin(_number: usize, _size: usize) {}
