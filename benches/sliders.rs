//! Slider backends, one lookup at a time, over the workload and by the loops of `gauntlet sliders`: criterion's own statistics beside
//! the paired ones of that verb. An element is a lookup.
//!
//! Backend after backend, so drift of the machine passes for a difference here; what is said of two backends stands on the verb.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gauntlet::sliders::Backend;
use gauntlet::trial::sliders::{Kernel, Workload, time_passes};
use std::time::Duration;

/// The seed of the workload, which is that of the verb's default.
const SEED: u64 = 1;

fn lookups(criterion: &mut Criterion) {
    let workload = Workload::from_games(SEED);
    for metric in ["throughput", "latency"] {
        for piece in ["rook", "bishop", "queen"] {
            let mut group = criterion.benchmark_group(format!("sliders/{metric}/{piece}"));
            group
                .throughput(Throughput::Elements(workload.game.queens.len() as u64))
                .sample_size(10)
                .warm_up_time(Duration::from_millis(100))
                .measurement_time(Duration::from_millis(300));
            let kernel = Kernel { metric, piece };
            for &backend in Backend::ALL.iter().filter(|backend| backend.is_supported()) {
                group.bench_function(backend.id(), |b| {
                    b.iter_custom(|passes| {
                        time_passes(backend, kernel, &workload, passes)
                            .map_or(Duration::ZERO, |(_, time)| time)
                    })
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, lookups);
criterion_main!(benches);
