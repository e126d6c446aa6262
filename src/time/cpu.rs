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

/// Of a process and all processes it started and that are still there, their threads together, those that have ended
/// included; none if it is gone. Engines are started by scripts now and then.
pub fn of_tree(process: u32) -> Option<Duration> {
    others::of_tree(process)
}

#[cfg(target_os = "linux")]
mod others {
    use nix::time::{clock_getcpuclockid, clock_gettime};
    use nix::unistd::Pid;
    use std::fs;
    use std::time::Duration;

    /// Descendants looked at, at most.
    const MOST: usize = 64;

    pub fn of_tree(process: u32) -> Option<Duration> {
        let mut sum = of(process)?;
        let mut left = children(process);
        let mut seen = 0;
        while let Some(process) = left.pop()
            && seen < MOST
        {
            seen += 1;
            // One that has ended meanwhile is no longer counted.
            sum += of(process).unwrap_or_default();
            left.extend(children(process));
        }
        Some(sum)
    }

    fn of(process: u32) -> Option<Duration> {
        let clock = clock_getcpuclockid(Pid::from_raw(i32::try_from(process).ok()?)).ok()?;
        Some(Duration::from(clock_gettime(clock).ok()?))
    }

    /// Empty where the kernel does not tell.
    fn children(process: u32) -> Vec<u32> {
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
        let lists =
            threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        lists
            .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
            .collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod others {
    use std::time::Duration;

    pub fn of_tree(_process: u32) -> Option<Duration> {
        None
    }
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

    #[test]
    #[cfg(target_os = "linux")]
    fn a_tree_is_a_process_and_what_it_started() {
        // The shell waits, its child counts.
        let script = "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; read x'; read x";
        let mut shell = std::process::Command::new("sh")
            .args(["-c", script])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut said = std::io::BufReader::new(shell.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut said, &mut line).unwrap();
        let (tree, own) = (of_tree(shell.id()).unwrap(), of_tree(std::process::id()).unwrap());
        assert!(tree > Duration::from_millis(3), "{tree:?}");
        assert!(own > tree, "children are counted: {own:?} {tree:?}");
        drop(shell.stdin.take());
        shell.wait().unwrap();
        assert_eq!(of_tree(shell.id()), None);
    }
}
