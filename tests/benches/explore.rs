//! The explorer beside stateright, on the same transition system, and the simulator. `cargo xtask bench` shows the ratios.

#![allow(missing_docs, reason = "criterion's macros make items that have none")]

#[path = "../tests/peer/mod.rs"]
mod peer;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use fencepost_tests::measured;

/// One right after the other, so that both meet the machine in the same mood.
fn explore(criterion: &mut Criterion) {
    for (name, config) in measured::searches() {
        let report = measured::explore(&config);
        println!(
            "{name}: {} states, {} transitions, {} bytes a state",
            report.progress.states,
            report.progress.transitions,
            report.bytes / report.progress.states
        );
        let mut group = criterion.benchmark_group(format!("explore/{name}"));
        group.sampling_mode(SamplingMode::Flat).sample_size(20).measurement_time(Duration::from_secs(4));
        group.throughput(Throughput::Elements(report.progress.transitions));
        group.bench_function("fencepost", |bencher| bencher.iter(|| measured::explore(black_box(&config))));
        group.bench_function("stateright", |bencher| bencher.iter(|| peer::search(black_box(&config))));
        group.finish();
    }
}

fn simulate(criterion: &mut Criterion) {
    let scenarios = measured::corpus();
    let mut group = criterion.benchmark_group("simulate");
    group.throughput(Throughput::Elements(scenarios.len() as u64));
    group.bench_function("corpus", |bencher| bencher.iter(|| measured::simulate_all(black_box(&scenarios))));
    group.finish();
}

criterion_group!(benches, explore, simulate);
criterion_main!(benches);
