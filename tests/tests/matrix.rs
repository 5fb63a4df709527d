//! The whole matrix: that the page's file is what comes out today, and what was read elsewhere held against it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

use fencepost_core::matrix::{Answer, Cell, Matrix, Mechanism, Situation, Trial, pairs};
use fencepost_core::scenario::parse;
use fencepost_core::simulate::simulate;

/// Decided once, on all cores, for all tests.
static MATRIX: LazyLock<Matrix> = LazyLock::new(|| {
    let pairs: Vec<_> = pairs().collect();
    let cells: Vec<Mutex<Option<Cell>>> = pairs.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(mechanism, situation)) = pairs.get(index) else { break };
                    *cells[index].lock().expect("no search panics") = Some(Trial::decide(mechanism, situation));
                }
            });
        }
    });
    Matrix::of(cells.into_iter().map(|cell| cell.into_inner().expect("no search panics").expect("decided")).collect())
});

fn cell(mechanism: &str, situation: &str) -> &'static Cell {
    let mut cells = MATRIX.cells().filter(|(of, under, _)| of.name == mechanism && under.name == situation);
    cells.next().expect("there is such a cell").2
}

/// The page's file.
fn file() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/matrix.json")).unwrap_or_default()
}

/// What is broken can be looked at: in the page's file, each broken cell has a scenario, which breaks by the clock what the
/// cell shows, in as many choices as the search has found.
#[test]
fn every_broken_cell_has_a_scenario_that_breaks_it() {
    let matrix: serde_json::Value = serde_json::from_str(&file()).expect("it is JSON");
    let line = |place: &serde_json::Value| {
        let text = place.as_u64().and_then(|place| matrix["texts"][place as usize].as_str());
        format!("{}\n", text.expect("an index of a text"))
    };
    let mut broken = 0;
    for (of, under) in pairs() {
        let cell = &matrix["cells"][of.name][under.name];
        if cell["is"] != "broken" {
            continue;
        }
        broken += 1;
        let lines = cell["scenario"].as_array();
        let text: String = lines.unwrap_or_else(|| panic!("{} in {}", of.name, under.name)).iter().map(line).collect();
        let scenario = parse(&text).unwrap_or_else(|error| panic!("{} in {}: {error}\n{text}", of.name, under.name));
        let run = simulate(&scenario, &scenario.rows[0]);
        let shown = cell["shown"].as_str().expect("it is a name");
        let violated: Vec<&str> = run.violations.iter().map(|found| found.evidence.invariant.name()).collect();
        assert!(violated.contains(&shown), "{} in {} breaks {shown}, not {violated:?}\n{text}", of.name, under.name);
        assert_eq!(cell["broken"][shown], run.choices.len(), "{} in {}\n{text}", of.name, under.name);
        assert_eq!(run.not_struck(&scenario).count(), 0, "{} in {}\n{text}", of.name, under.name);
    }
    let answers = MATRIX.cells().filter(|(_, _, cell)| matches!(cell.answer, Answer::Broken(_)));
    assert_eq!(broken, answers.count());
}

#[test]
fn the_pages_file_is_what_comes_out() {
    let file = file();
    let fresh = MATRIX.to_json();
    let stale = fresh.lines().zip(file.lines()).find(|(fresh, file)| fresh != file);
    assert!(
        fresh == file,
        "static/matrix.json is stale. Write it anew:\n\n    cargo run --release -p fencepost-core --features cli -- \
         matrix --json > static/matrix.json\n\nThe first line that differs, as it should be and as it is: {stale:#?}"
    );
}

#[test]
fn every_cell_is_decided_and_searched_to_its_end() {
    for (mechanism, situation, cell) in MATRIX.cells() {
        let (of, under) = (mechanism.name, situation.name);
        assert!(cell.is_decided(), "{of} in {under}: {:?}", cell.stopped_at);
        assert!(cell.stopped_at.is_empty(), "{of} in {under}: {:?}", cell.stopped_at);
    }
}

/// A situation that harms nothing, or everything whatever one does, would be a line without a question. These are there
/// to show just that.
#[test]
fn a_situation_tells_mechanisms_apart() {
    let harms_all = [
        "answer-from-an-old-read",
        "answer-from-a-checked-read",
        "lagging-lock-replica",
        "between-check-and-apply",
        "between-apply-and-record",
        "row-lost-fails-open",
        "row-lost-re-registered",
        "two-replicas",
        "tokens-as-text",
        "declared-epochs",
        "mail",
        "mail-through-outbox",
        "payment-without-key",
        "payment-with-forgotten-key",
        "payment-taken-for-failed",
        "payment-looked-up-without-key",
        "payment-looked-up-after-pruning",
        "file-unconditional",
        "file-in-two-steps",
    ];
    let harms_none = [
        "duplicate-with-ids",
        "lost-reply-with-ids",
        "between-record-and-reply",
        "payment-with-key",
        "payment-looked-up",
        "file-conditional",
    ];
    let (mut all, mut none) = (BTreeSet::new(), BTreeSet::new());
    for situation in Situation::ALL {
        let answers = || MATRIX.cells().filter(|(_, under, _)| under.name == situation.name).map(|cell| &cell.2.answer);
        let broken = answers().any(|answer| matches!(answer, Answer::Broken(_)));
        let held = answers().any(|answer| *answer == Answer::Holds);
        match (broken, held) {
            (true, false) => _ = all.insert(situation.name),
            (false, true) => _ = none.insert(situation.name),
            (true, true) => {}
            (false, false) => assert!(situation.asked().is_empty(), "{} asks for nothing", situation.name),
        }
    }
    assert_eq!(all, BTreeSet::from(harms_all));
    assert_eq!(none, BTreeSet::from(harms_none));
}

/// What a rule was said to do in a situation, by reading and not by searching.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Said {
    /// As wanted.
    Ok,
    /// Wrong.
    Bad,
    /// A write after the lease's end is taken.
    Taken,
    /// It is refused.
    Refused,
    /// Nothing was said.
    Nothing,
}

use Said::{Bad, Nothing, Ok, Refused, Taken};

const SITUATIONS: [&str; 11] = [
    "late-write",
    "successor-has-read",
    "second-write",
    "duplicate",
    "equal-epochs",
    "expired-unclaimed",
    "answer-from-an-old-read",
    "row-lost-fails-open",
    "late-copy",
    "late-copy-after-handover",
    "retry-after-handover",
];

/// The rules of destinations against situations, as one reads them in descriptions of locks and of their failures.
const READ: [(&str, [Said; SITUATIONS.len()]); 9] = [
    ("none", [Bad, Bad, Ok, Bad, Bad, Taken, Bad, Nothing, Bad, Bad, Nothing]),
    ("client-check", [Bad, Bad, Ok, Bad, Bad, Refused, Bad, Nothing, Bad, Bad, Nothing]),
    ("max-seen", [Ok, Bad, Ok, Bad, Bad, Taken, Bad, Bad, Bad, Ok, Bad]),
    ("greater-than", [Ok, Bad, Bad, Bad, Bad, Taken, Bad, Bad, Bad, Ok, Bad]),
    ("registered", [Ok, Ok, Ok, Bad, Bad, Taken, Bad, Bad, Ok, Ok, Bad]),
    ("promise", [Ok, Ok, Ok, Ok, Bad, Taken, Bad, Bad, Ok, Ok, Nothing]),
    ("row-version", [Ok, Ok, Ok, Bad, Nothing, Taken, Nothing, Bad, Ok, Ok, Bad]),
    ("holder", [Ok, Ok, Ok, Bad, Ok, Nothing, Ok, Nothing, Ok, Ok, Bad]),
    ("deadline", [Ok, Ok, Ok, Bad, Nothing, Refused, Nothing, Nothing, Ok, Ok, Bad]),
];

/// Where the search says otherwise. The search decides.
const DISAGREES: [(&str, &str); 12] = [
    // The check refuses a lease that has ended before it; one that ends between check and write lets the write through.
    ("client-check", "expired-unclaimed"),
    // The copy carries the epoch that was seen already, and "higher" refuses that as it refuses the owner's second write.
    ("greater-than", "late-copy"),
    // Within one epoch nothing tells a copy from a new write: only an operation ID does. A promise is no serial number,
    // and the journal that the reading is of has one beside it.
    ("promise", "duplicate"),
    ("promise", "late-copy"),
    ("registered", "late-copy"),
    ("holder", "late-copy"),
    ("deadline", "late-copy"),
    // Its owner gives the lock back in good order, the next one writes, and the copy's deadline is still to come.
    ("deadline", "late-copy-after-handover"),
    // The former owner reads late, too: its version is the current one, and it overwrites what its successor wrote, though
    // no update is lost by that. With a copy in the network it is the same, and not the copy's doing.
    ("row-version", "late-write"),
    ("row-version", "late-copy-after-handover"),
    // Its version stands with the data and not in the control row: there is nothing to lose.
    ("row-version", "row-lost-fails-open"),
    // The store may answer the owner only, but what was read has left the store when somebody acts on it.
    ("holder", "answer-from-an-old-read"),
];

#[test]
fn what_was_read_is_held_against_what_was_found() {
    let mut disagrees = Vec::new();
    for (mechanism, said) in READ {
        assert!(Mechanism::find(mechanism).is_some());
        for (situation, said) in SITUATIONS.into_iter().zip(said) {
            let answer = &cell(mechanism, situation).answer;
            let agrees = match said {
                Nothing => true,
                Ok => *answer == Answer::Holds,
                Bad => matches!(answer, Answer::Broken(_)),
                Taken => matches!(answer, Answer::Policy { accepts: Some(_), refuses: None }),
                Refused => matches!(answer, Answer::Policy { accepts: None, refuses: Some(_) }),
            };
            if !agrees {
                disagrees.push((mechanism, situation));
            }
        }
    }
    assert_eq!(BTreeSet::from_iter(disagrees), BTreeSet::from(DISAGREES));
}
