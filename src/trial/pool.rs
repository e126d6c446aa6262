//! A small pool: jobs are done by several workers, their results delivered in the order of the jobs, on the caller's
//! thread, so that a record does not depend on the number of workers.

use super::{Progress, TrialError};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Does every job with up to `workers` threads. `start` makes the state of one worker (an engine, say), `work` does a
/// job with it, `deliver` gets the results in order. Ends at the first error, or with [`TrialError::Interrupted`].
///
/// # Errors
/// The first error of `start`, `work` or `deliver` that is met.
pub(super) fn in_order<J: Sync, W, R: Send>(
    jobs: &[J],
    workers: usize,
    progress: &Progress,
    start: impl Fn() -> Result<W, TrialError> + Sync,
    work: impl Fn(&mut W, &J) -> Result<R, TrialError> + Sync,
    mut deliver: impl FnMut(R) -> Result<(), TrialError>,
) -> Result<(), TrialError> {
    let next = AtomicUsize::new(0);
    let broken = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, jobs.len().max(1)) {
            let sender = sender.clone();
            let (next, broken, start, work) = (&next, &broken, &start, &work);
            scope.spawn(move || {
                let mut state = match start() {
                    Ok(state) => state,
                    Err(error) => {
                        let _ = sender.send((0, Err(error)));
                        return;
                    }
                };
                while !broken.load(Ordering::Relaxed) && !progress.is_stopped() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let result = work(&mut state, job);
                    progress.advance(1);
                    if sender.send((index, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        let mut outcome = Ok(());
        for (index, result) in receiver {
            let delivered = result.and_then(|result| {
                waiting.insert(index, result);
                while let Some(result) = waiting.remove(&due) {
                    due += 1;
                    deliver(result)?;
                }
                Ok(())
            });
            match delivered {
                Ok(()) => {}
                // The others stop as well; what they still finish is kept.
                Err(TrialError::Interrupted) => broken.store(true, Ordering::Relaxed),
                Err(error) => {
                    broken.store(true, Ordering::Relaxed);
                    outcome = Err(error);
                    break;
                }
            }
        }
        if outcome.is_ok() && due < jobs.len() {
            // What is finished is kept, though a job before it was not.
            for (_, result) in waiting {
                deliver(result)?;
            }
            outcome = Err(TrialError::Interrupted);
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_from_any_number_of_workers() {
        let jobs: Vec<u64> = (0..200).collect();
        for workers in [1, 2, 7, 1000] {
            let progress = Progress::default();
            let mut seen = Vec::new();
            in_order(
                &jobs,
                workers,
                &progress,
                || Ok(0_u64),
                |count, &job| {
                    *count += 1;
                    // Uneven work, so that results overtake each other.
                    (0..(job * 7919) % 5000).for_each(|i| {
                        std::hint::black_box(i);
                    });
                    Ok(job)
                },
                |result| {
                    seen.push(result);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(seen, jobs);
            assert_eq!(progress.done(), 200);
        }
    }

    #[test]
    fn an_error_ends_it_and_a_stop_keeps_what_is_done() {
        let jobs: Vec<u64> = (0..50).collect();
        let progress = Progress::default();
        let failing = |_: &mut (), &job: &u64| {
            if job == 20 { Err(TrialError::Plan("job 20".to_owned())) } else { Ok(job) }
        };
        let error = in_order(&jobs, 3, &progress, || Ok(()), failing, |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "job 20");

        let stopping = |_: &mut (), &job: &u64| {
            if job == 9 {
                progress.stop();
            }
            Ok(job)
        };
        let mut seen = Vec::new();
        let error = in_order(
            &jobs,
            1,
            &progress,
            || Ok(()),
            stopping,
            |job| {
                seen.push(job);
                Ok(())
            },
        )
        .unwrap_err();
        assert!(matches!(error, TrialError::Interrupted));
        assert_eq!(seen, (0..10).collect::<Vec<_>>());
    }
}
