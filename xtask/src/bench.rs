//! `cargo xtask bench`: what is fast, measured beside a peer in one run. The ratios count: machines differ.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::process::{self, cargo};
use crate::steps;
use crate::workspace::Workspace;

/// The explorer, and whom it is held against.
const OURS: &str = "fencepost";
const PEER: &str = "stateright";

/// What criterion leaves in `benchmark.json`.
#[derive(Deserialize)]
struct Benchmark {
    throughput: Throughput,
}

#[derive(Deserialize)]
struct Throughput {
    #[serde(rename = "Elements")]
    elements: f64,
}

/// What it leaves in `sample.json`: for each sample how often the body ran, and for how many nanoseconds in all.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

impl Sample {
    /// The time of the fastest: whatever else runs on the machine only ever makes one slower.
    fn fastest(&self) -> f64 {
        self.times.iter().zip(&self.iters).map(|(time, iters)| time / iters).fold(f64::INFINITY, f64::min)
    }
}

/// Runs the benches, and shows how many times as fast as its peer the explorer is.
pub fn run(workspace: &Workspace) -> Result<()> {
    let folder = workspace.target.join("criterion");
    // Results of benches that are gone would be taken for new ones.
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {}", folder.display()));
        }
        _ => {}
    }
    process::run(cargo().args(["bench", "--package", "fencepost-tests", "--bench", "explore"]))?;
    println!();
    for (name, ours, peer) in pairs(&folder)? {
        println!("{}", line(&name, ours, peer));
    }
    steps::time_in_the_browser(workspace)
}

fn line(name: &str, ours: f64, peer: f64) -> String {
    let ratio = ours / peer;
    let [ours, peer] = [ours, peer].map(|rate| rate / 1e6);
    format!("{name}: {ours:.2} million transitions a second, {PEER} {peer:.2}: {ratio:.2} times as many")
}

/// The groups in which both were measured, by name, with what each did in a second.
fn pairs(folder: &Path) -> Result<Vec<(String, f64, f64)>> {
    let mut pairs = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let group = entry?.path();
        if group.join(OURS).is_dir() && group.join(PEER).is_dir() {
            let name = group.file_name().unwrap_or_default().to_string_lossy().replace('_', " ");
            pairs.push((name, rate(&group.join(OURS))?, rate(&group.join(PEER))?));
        }
    }
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(pairs)
}

/// How many elements were done in a second.
fn rate(benchmark: &Path) -> Result<f64> {
    let Benchmark { throughput } = read(&benchmark.join("new/benchmark.json"))?;
    let sample: Sample = read(&benchmark.join("new/sample.json"))?;
    Ok(throughput.elements / sample.fastest() * 1e9)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("cannot understand {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn rates_are_held_against_each_other_where_both_were_measured() {
        let scratch = Scratch::new();
        for (path, elements, nanoseconds) in [
            ("explore_large/fencepost", 3_000, 500.0),
            ("explore_large/stateright", 3_000, 1_500.0),
            ("simulate/corpus", 10, 7.0),
        ] {
            let folder = scratch.path().join(path).join("new");
            fs::create_dir_all(&folder).expect("a folder can be made");
            let benchmark = format!(r#"{{"group_id":"g","throughput":{{"Elements":{elements}}}}}"#);
            let slower = 3.0 * nanoseconds;
            let sample = format!(r#"{{"iters":[1.0,2.0],"times":[{slower},{}]}}"#, 2.0 * nanoseconds);
            fs::write(folder.join("benchmark.json"), benchmark).expect("a file can be written");
            fs::write(folder.join("sample.json"), sample).expect("a file can be written");
        }
        let pairs = pairs(scratch.path()).expect("the results can be read");
        let lines: Vec<String> = pairs.iter().map(|(name, ours, peer)| line(name, *ours, *peer)).collect();
        let expected = "explore large: 6000.00 million transitions a second, stateright 2000.00: 3.00 times as many";
        assert_eq!(lines, [expected]);
    }
}
