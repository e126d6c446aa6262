//! Processor time used so far, user and system together; none where the system does not tell.

use std::time::Duration;

/// Of all threads of this process, children left out.
pub fn of_process() -> Option<Duration> {
    system::used(false)
}

/// Of the calling thread.
pub fn of_thread() -> Option<Duration> {
    system::used(true)
}

#[cfg(unix)]
mod system {
    use rustix::time::{ClockId, clock_gettime};
    use std::time::Duration;

    pub fn used(by_thread: bool) -> Option<Duration> {
        let clock = if by_thread { ClockId::ThreadCPUTime } else { ClockId::ProcessCPUTime };
        let time = clock_gettime(clock);
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
}

#[cfg(not(unix))]
mod system {
    use std::time::Duration;

    pub fn used(_by_thread: bool) -> Option<Duration> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_uses_its_own_time_and_the_process_that_of_all() {
        let [thread, process] = [of_thread, of_process].map(|used| used().unwrap());
        let busy = || {
            let mut number = 1u64;
            while of_thread().unwrap() < Duration::from_millis(5) {
                number = std::hint::black_box(number.wrapping_mul(3));
            }
        };
        std::thread::spawn(busy).join().unwrap();
        assert!(of_process().unwrap() - process >= Duration::from_millis(5));
        assert!(of_thread().unwrap() - thread < Duration::from_millis(5));
    }
}
