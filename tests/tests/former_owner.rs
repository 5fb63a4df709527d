//! What a former owner can still do: the four tests that whatever is written to under a distributed lock has to pass.
//!
//! 1. A pause before the write.
//! 2. Publish, resume, rejection.
//! 3. Pauses between check and change, and between change and reply.
//! 4. Recovery: of the lock service, of the destination, and of effects outside of both.
//!
//! Each runs one schedule under a mechanism that fails and under one that stands. The scenarios hold what must come out, as
//! `expect` lines; the tests beside them say in which order it came about.

use fencepost_core::compare::{Comparison, compare};
use fencepost_core::destination::{
    ControlRow, Fate, Guard, Recognition, RememberedCheck, Transaction, Write, check, transact,
};
use fencepost_core::epoch::{Claim, EpochAllocator};
use fencepost_core::expect;
use fencepost_core::fact::Fact;
use fencepost_core::id::{GrantId, OperationId, Version, WireId, WorkerId};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{Atomicity, Mechanism, OperationIds};
use fencepost_core::message::Rejection;
use fencepost_core::run::Run;
use fencepost_core::scenario::{parse, set_parameter};
use fencepost_core::time::Duration;
use fencepost_core::words::Narrator;

/// Two workers under one lock. A takes 3 s for its report, and B is called when A's lease of 10 s has expired.
const REPORT_JOB: &str = "\
scenario report-job
workers  A B
lease    10s
epochs   from 33
result   report
work     A compute 3s
work     B compute 4s
start    B on expiry
";

/// Runs a scenario: its expectations are met, each of its faults strikes in some row, and no run ends before its time.
#[track_caller]
fn run(text: &str) -> Comparison {
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let comparison = compare(&scenario);
    let failures: Vec<String> = expect::failures(&comparison).iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{failures:#?}\n{text}");
    for fault in 0..scenario.faults.len() {
        assert!(comparison.runs.iter().any(|run| run.struck[fault]), "fault {} never strikes\n{text}", fault + 1);
    }
    assert!(comparison.runs.iter().all(|run| run.stopped_at.is_none()), "{text}");
    comparison
}

fn row<'c>(comparison: &'c Comparison, name: &str) -> &'c Run {
    comparison.runs.iter().find(|run| run.name == name).expect("the scenario has this row")
}

/// What became of every write and effect of a row, in order and in a few words.
fn outcomes(comparison: &Comparison, name: &str) -> Vec<String> {
    let run = row(comparison, name);
    let owner = |claim: Claim| Narrator::new(&comparison.scenario, run).owner(claim.grant);
    let told = run.facts.iter().filter_map(|entry| match entry.fact {
        Fact::Applied { claim, .. } => Some(format!("{} applied under {}", owner(claim), claim.epoch)),
        Fact::Replayed { claim, .. } => Some(format!("{} answered as before", owner(claim))),
        Fact::Rejected { claim, rejection, current, .. } => {
            let current = current.map_or_else(|| "none".to_owned(), |current| current.to_string());
            Some(format!("{} refused: {rejection:?}, {} against {current}", owner(claim), claim.epoch))
        }
        Fact::RegistrationRefused { claim, rejection, .. } => {
            Some(format!("{} not registered: {rejection:?}, {}", owner(claim), claim.epoch))
        }
        Fact::Effected { claim, .. } => Some(format!("effect for {}", owner(claim))),
        Fact::EffectRepeated { claim, .. } => Some(format!("effect for {} found done", owner(claim))),
        Fact::EffectLookedUp { claim, effected, .. } => {
            let found = if effected { "the effect" } else { "no effect" };
            Some(format!("{} asks: {found}", owner(claim)))
        }
        _ => None,
    });
    told.collect()
}

// 1. A pause before the write.

/// However long A stands still between its work and its write, and wherever B is by then: a destination that goes by the
/// registered epoch never lets an older report replace a newer one. One that looks at nothing does, once B has written;
/// and so it does if A has asked just before.
#[test]
fn a_pause_before_the_write() {
    let text = format!(
        "{REPORT_JOB}\
let      pause = 0s in 0s..60s
faults
  A freezes pause before publish
compare
  unfenced    guard none
  re-checked  guard client-check
  fenced      guard registered, operation-ids in-transaction
expect
  fenced  no-stale-overwrite holds
  fenced  no-lost-update holds
  fenced  no-interleaving holds
  fenced  newest-admitted holds
"
    );
    let mut overwritten = 0;
    for pause in 0..=60 {
        let text = set_parameter(&text, "pause", Duration::from_secs(pause)).expect("it lies in its range");
        let comparison = run(&text);
        let is_overwritten = !row(&comparison, "unfenced").holds(Invariant::NoStaleOverwrite);
        assert_eq!(!row(&comparison, "re-checked").holds(Invariant::NoStaleOverwrite), is_overwritten, "{pause} s");
        // The lease has 7 s left when A freezes, and B takes 4 s of its own.
        assert_eq!(is_overwritten, pause > 11, "{pause} s");
        overwritten += u32::from(is_overwritten);
    }
    assert_eq!(overwritten, 49);
}

// 2. Publish, resume, rejection.

/// B publishes, and gives the lock back. Then A resumes. Nobody owns the lock any more, and still A's report is refused;
/// A hears why, and stops; what B has published stays.
#[test]
fn publish_resume_rejection() {
    let comparison = run(&format!(
        "{REPORT_JOB}\
faults
  A freezes 30s before publish
compare
  unfenced  guard none
  fenced    guard registered
expect
  unfenced  no-stale-overwrite violated
  unfenced  no-lost-update violated
  fenced    no-stale-overwrite holds
  fenced    no-lost-update holds
  fenced    sometimes stale-write-rejected
"
    ));
    assert_eq!(outcomes(&comparison, "unfenced"), ["B applied under 34", "A applied under 33"]);
    assert_eq!(outcomes(&comparison, "fenced"), ["B applied under 34", "A refused: StaleEpoch, 33 against 34"]);

    let fenced = row(&comparison, "fenced");
    let narrator = Narrator::new(&comparison.scenario, fenced);
    let told: Vec<String> = (0..fenced.facts.len())
        .filter(|&fact| Narrator::is_listed(&fenced.facts[fact].fact))
        .map(|fact| narrator.fact(fact))
        .collect();
    let ending = [
        "The lock under epoch 34 is free again.",
        "A runs again and does not know that it stood still.",
        "A sends its report, under epoch 33.",
        "The destination refuses A’s report: epoch 33 is lower than 34.",
        "A concludes that its report was refused.",
        "A now knows that it is no longer the owner, and stops.",
    ];
    assert_eq!(told[told.len() - ending.len()..], ending);
}

/// The write itself can be what is late: A has sent it in time, and is not even paused.
#[test]
fn publish_late_arrival_rejection() {
    let comparison = run(&format!(
        "{REPORT_JOB}\
retry after 60s, 1 attempt
faults
  network delays write of A by 20s
compare
  unfenced  guard none
  fenced    guard registered
expect
  unfenced  no-stale-overwrite violated
  fenced    no-stale-overwrite holds
"
    ));
    assert_eq!(outcomes(&comparison, "fenced"), ["B applied under 34", "A refused: StaleEpoch, 33 against 34"]);
}

// 3. Pauses between check and change, and between change and reply.

/// The destination has let A's write pass, and stands still before it changes the row. Meanwhile B takes over and writes.
/// If check and change are two steps, A's write then replaces B's, whatever the check had said. If they are one, there is
/// no place between them.
#[test]
fn a_pause_between_check_and_change() {
    let comparison = run(&format!(
        "{REPORT_JOB}\
retry    after 60s, 1 attempt
guard    registered
operation-ids in-transaction
faults
  destination freezes 15s before apply of A
compare
  split   transaction split
  atomic  transaction atomic
expect
  split   no-stale-overwrite violated
  split   no-lost-update violated
  atomic  no-stale-overwrite holds
  atomic  no-lost-update holds
"
    ));
    assert_eq!(outcomes(&comparison, "split"), ["B applied under 34", "A applied under 33"]);
    assert_eq!(outcomes(&comparison, "atomic"), ["A applied under 33"]);
}

/// The same without a lock service, a network or a clock: only the row and its transactions.
#[test]
fn a_check_that_is_remembered_is_worth_nothing_later() {
    let mut epochs = EpochAllocator::starting_at(33);
    let mut grant = |grant: u8| Claim { grant: GrantId(grant), epoch: epochs.allocate().into() };
    let (a, b) = (grant(0), grant(1));
    let mechanism = Mechanism { guard: Guard::Registered, ..Mechanism::UNGUARDED };
    let write = |worker: u8, claim: Claim| {
        let id = WireId::of(OperationId(claim.grant.0 * 2));
        Write { worker: WorkerId(worker), claim, id, snapshot: Version(0), overdue: false }
    };
    let registered = |row: &mut ControlRow, claim: Claim| {
        assert_eq!(Transaction::begin(row, &mechanism).register(claim), Ok(Recognition::New));
    };

    // A's write is checked, and remembered as good. B registers and writes.
    let mut row = ControlRow::default();
    registered(&mut row, a);
    let remembered: RememberedCheck = check(&row, &mechanism, &write(0, a)).expect("A is the owner when it is checked");
    registered(&mut row, b);
    assert_eq!(transact(&mut row, &mechanism, &write(1, b), Version(1)), Fate::Applied);
    let as_b_left_it = row;
    remembered.apply(&mut row, &mechanism, Version(2));
    assert_ne!(row, as_b_left_it, "A's change has replaced B's");

    // In one transaction, what is checked is what is changed: A comes before B, or is refused.
    let mut row = as_b_left_it;
    let fate = transact(&mut row, &mechanism, &write(0, a), Version(2));
    assert_eq!(fate, Fate::Rejected(Rejection::StaleEpoch));
    assert_eq!(row, as_b_left_it, "a refusal changes nothing");
    // And A cannot register again.
    assert_eq!(Transaction::begin(&mut row, &mechanism).register(a), Err(Rejection::StaleEpoch));
}

/// A's write has changed the row, and A does not hear of it: it sends the write again. No epoch tells the two apart, since
/// A is still the owner. An operation ID does, if it is recorded in the transaction that applies the write; recorded a
/// step later, it is missing just when it is needed.
#[test]
fn a_pause_between_change_and_reply() {
    let comparison = run(&format!(
        "{REPORT_JOB}\
retry    after 1s, 3 attempts
guard    registered
faults
  network loses reply to write of A
  destination crashes before record of A
compare
  without   operation-ids off
  recorded-later  operation-ids after-transaction
  recorded  operation-ids in-transaction
expect
  without   applied-once violated
  recorded-later  applied-once violated
  recorded  applied-once holds
  recorded  same-answer holds
  recorded  sometimes write-replayed
"
    ));
    assert_eq!(outcomes(&comparison, "without"), ["A applied under 33", "A applied under 33"]);
    assert_eq!(outcomes(&comparison, "recorded-later"), ["A applied under 33", "A applied under 33"]);
    assert_eq!(outcomes(&comparison, "recorded"), ["A applied under 33", "A answered as before"]);
}

/// The same, and by the time that A sends its write again, B has taken over. Whether A then hears that its write has been
/// applied depends on what is looked at first: the record of operations, or the epoch.
#[test]
fn a_pause_between_change_and_reply_that_outlasts_the_lease() {
    let comparison = run(&format!(
        "{REPORT_JOB}\
retry    after 1s, 2 attempts
guard    registered
operation-ids in-transaction
faults
  network loses reply to write of A
  A freezes 15s before publish attempt 2
compare
  guard-first    look-up after-guard
  look-up-first  look-up before-guard
expect
  guard-first    same-answer violated
  look-up-first  same-answer holds
  all            applied-once holds
  all            no-stale-overwrite holds
"
    ));
    let [first, second] = ["A applied under 33", "B applied under 34"];
    assert_eq!(outcomes(&comparison, "guard-first"), [first, second, "A refused: StaleEpoch, 33 against 34"]);
    assert_eq!(outcomes(&comparison, "look-up-first"), [first, second, "A answered as before"]);
}

/// With check, change and record apart, every one of these faults is back; in one step, none is. All pairs of a place
/// where the destination stands still or crashes and a length.
#[test]
fn what_is_one_step_has_no_place_between() {
    // B waits from 6 s on, so that it also takes over where A gives the lock back.
    let waiting = REPORT_JOB.replace("on expiry", "at 6s");
    let places = ["apply of A", "record of A", "apply of A attempt 2", "record of A attempt 2", "apply of B"];
    let mut broken = Vec::new();
    for place in places {
        for fault in ["crashes", "freezes 1s", "freezes 5s", "freezes 20s"] {
            // Only a row that has steps can be told to stop between them; the other one runs beside it.
            let comparison = run_whatever_strikes(&format!(
                "{waiting}\
retry    after 1s, 2 attempts
guard    registered
operation-ids in-transaction
faults
  network loses reply to write of A
  destination {fault} before {place}
compare
  split   transaction split
  atomic  transaction atomic
expect
  atomic  no-stale-overwrite holds
  atomic  no-lost-update holds
  atomic  applied-once holds
  atomic  same-answer holds
"
            ));
            let split = row(&comparison, "split");
            assert_eq!(split.mechanism.transaction, Atomicity::Split);
            assert_eq!(split.mechanism.operation_ids, OperationIds::InTransaction);
            broken.extend(Invariant::ALL.iter().copied().filter(|invariant| !split.holds(*invariant)));
        }
    }
    broken.sort();
    broken.dedup();
    for invariant in [Invariant::NoStaleOverwrite, Invariant::NoLostUpdate, Invariant::AppliedOnce] {
        assert!(broken.contains(&invariant), "{} is broken by some pause: {broken:?}", invariant.name());
    }
}

/// Like [`run`], for schedules made by the dozen: some of them name what never comes.
#[track_caller]
fn run_whatever_strikes(text: &str) -> Comparison {
    let comparison = compare(&parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    let failures: Vec<String> = expect::failures(&comparison).iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{failures:#?}\n{text}");
    comparison
}

// 4. Recovery.

/// The lock service comes back from a backup and has forgotten its grants. If it hands its numbers out again, the
/// newest owner is refused as if it were the oldest, and nobody can work. It has to go on above every number it can ever
/// have handed out.
#[test]
fn a_restored_lock_service_does_not_roll_epochs_back() {
    let comparison = run("\
scenario restored
workers  A B C
lease    10s
epochs   from 33
work     A compute 1s
work     B compute 1s
work     C compute 1s
start    B on expiry
start    C at 20s
guard    registered
faults
  A freezes 12s before publish
  lock-service forgets grant 1 at 18s
compare
  restored  issuer restored
  bumped    issuer restored-with-bump
expect
  restored  epochs-increase violated
  restored  newest-admitted violated
  restored  no-stale-overwrite holds
  bumped    epochs-increase holds
  bumped    newest-admitted holds
  bumped    no-stale-overwrite holds
  all       recognized-never-decreases holds
  all       sometimes lock-service-restored
");
    let before = ["B applied under 34", "A refused: StaleEpoch, 33 against 34"];
    assert_eq!(outcomes(&comparison, "restored"), [&before[..], &["C not registered: StaleEpoch, 33"]].concat());
    assert_eq!(outcomes(&comparison, "bumped"), [&before[..], &["C applied under 35"]].concat());
}

/// The destination restarts, and A, paused since before B took over, is the first to write. Where the control row is
/// lost, a destination that then lets everybody pass applies A's write; so does one that lets whoever is refused register
/// again. One that refuses everybody is safe, and waits for a new owner.
#[test]
fn a_restarted_destination_keeps_its_control_row() {
    let comparison = run(&format!(
        "{REPORT_JOB}\
guard    registered
operation-ids in-transaction
faults
  A freezes 20s before publish
  destination crashes at 18s
compare
  durable        control-row durable
  fails-closed   control-row fails-closed
  fails-open     control-row fails-open
  re-registered  control-row re-registered
expect
  durable        no-stale-overwrite holds
  durable        recognized-never-decreases holds
  fails-closed   no-stale-overwrite holds
  fails-open     no-stale-overwrite violated
  re-registered  no-stale-overwrite violated
  re-registered  recognized-never-decreases violated
"
    ));
    let published = "B applied under 34";
    let refused_for_nothing = "A refused: RowAbsent, 33 against none";
    assert_eq!(outcomes(&comparison, "durable"), [published, "A refused: StaleEpoch, 33 against 34"]);
    assert_eq!(outcomes(&comparison, "fails-closed"), [published, refused_for_nothing]);
    assert_eq!(outcomes(&comparison, "fails-open"), [published, "A applied under 33"]);
    assert_eq!(outcomes(&comparison, "re-registered"), [published, refused_for_nothing, "A applied under 33"]);
}

/// Two workers pay for the same booking, B if A has not come to its end.
const BOOKING: &str = "\
scenario payment
workers  A B
lease    10s
epochs   from 33
result   booking
operations shared
work     A compute 3s
work     B compute 3s
start    B on expiry
guard    registered
operation-ids in-transaction
effect   payment
";

/// A has paid for the booking and crashes before it can write that down. B takes over the same booking. Only the provider
/// can know of the payment: if it keeps the key, B finds the payment done; if there is no key, or it has been forgotten,
/// B pays again.
#[test]
fn a_payment_made_before_a_crash_is_found_by_its_key() {
    let comparison = run(&format!(
        "{BOOKING}\
faults
  A crashes 1h before publish
  provider forgets key of A at 9s
compare
  no-key     key off
  forgotten  key pruned
  kept       key kept
expect
  no-key     effect-once violated
  forgotten  effect-once violated
  kept       effect-once holds
  all        applied-once holds
  kept       sometimes effect-repeated
"
    ));
    // Where A comes back an hour later, it carries out the same booking once more, and finds it done.
    let kept = [
        "effect for A",
        "effect for B found done",
        "B applied under 34",
        "effect for A found done",
        "A answered as before",
    ];
    assert_eq!(outcomes(&comparison, "kept"), kept);
    assert_eq!(outcomes(&comparison, "no-key")[..3], ["effect for A", "effect for B", "B applied under 34"]);
    assert_eq!(outcomes(&comparison, "forgotten")[..3], ["effect for A", "effect for B", "B applied under 34"]);
}

/// The same, and whoever is about to pay asks the provider first: B learns after A's crash that the booking is paid, and so
/// does A when it is back. Nobody has to pay again to find that out, and a reference that the provider can search for will do
/// instead of a key. What the provider has forgotten, it cannot tell.
#[test]
fn the_outcome_of_a_payment_made_before_a_crash_can_be_looked_up() {
    // A's process ends when A has had its answer and not written; or when it has just sent its payment.
    for crash in ["before publish", "after effect"] {
        let comparison = run(&format!(
            "{BOOKING}\
effect-outcome looked-up
faults
  A crashes 1h {crash}
  provider forgets key of A at 9s
compare
  no-key     key off
  forgotten  key pruned
  kept       key kept
expect
  no-key     effect-once holds
  no-key     sometimes effect-found
  forgotten  effect-once violated
  kept       effect-once holds
  kept       sometimes effect-found
  kept       never effect-repeated
  all        applied-once holds
"
        ));
        let found = [
            "A asks: no effect",
            "effect for A",
            "B asks: the effect",
            "B applied under 34",
            "A asks: the effect",
            "A answered as before",
        ];
        assert_eq!(outcomes(&comparison, "no-key"), found, "{crash}");
        assert_eq!(outcomes(&comparison, "kept"), found, "{crash}");
        let forgotten = ["A asks: no effect", "effect for A", "B asks: no effect", "effect for B"];
        assert_eq!(outcomes(&comparison, "forgotten")[..4], forgotten, "{crash}");
    }
}

/// A payment that is still on its way when its worker crashes is not found: B's question overtakes it, and B pays. Only a key
/// makes one payment of the two.
#[test]
fn a_look_up_does_not_find_what_is_still_on_its_way() {
    let comparison = run(&format!(
        "{BOOKING}\
effect-outcome looked-up
faults
  network delays effect of A by 30s
  A crashes 1h after effect
compare
  no-key     key off
  kept       key kept
expect
  no-key     effect-once violated
  kept       effect-once holds
  kept       sometimes effect-repeated
  all        applied-once holds
"
    ));
    let overtaken = ["A asks: no effect", "B asks: no effect", "effect for B", "B applied under 34"];
    let back = ["A asks: the effect", "A answered as before"];
    assert_eq!(outcomes(&comparison, "no-key"), [&overtaken[..], &["effect for A"], &back].concat());
    assert_eq!(outcomes(&comparison, "kept"), [&overtaken[..], &["effect for A found done"], &back].concat());
}

/// A worker that hears nothing of its payment, and may not pay again, does not know what became of it. It can say so, and it
/// can ask. To take the payment for failed is wrong.
#[test]
fn a_payment_without_an_answer_is_asked_about_and_not_taken_for_failed() {
    let comparison = run(&format!(
        "{BOOKING}\
retry    after 1s, 1 attempt
faults
  network loses reply to effect of A
compare
  unknown    effect-outcome unknown
  failed     effect-outcome failed
  looked-up  effect-outcome looked-up
expect
  unknown    effect-once holds
  unknown    sometimes unknown-outcome
  failed     effect-once violated
  looked-up  effect-once holds
  looked-up  sometimes effect-found
  looked-up  never unknown-outcome
",
        BOOKING =
            BOOKING.replace("workers  A B", "workers  A").replace("work     B compute 3s\nstart    B on expiry\n", ""),
    ));
    assert_eq!(outcomes(&comparison, "unknown"), ["effect for A"]);
    assert_eq!(outcomes(&comparison, "failed"), ["effect for A"]);
    let asked = ["A asks: no effect", "effect for A", "A asks: the effect", "A applied under 33"];
    assert_eq!(outcomes(&comparison, "looked-up"), asked);
    let told = |name: &str| {
        let run = row(&comparison, name);
        let narrator = Narrator::new(&comparison.scenario, run);
        let concluded = run.facts.iter().position(|entry| matches!(entry.fact, Fact::Concluded { .. }));
        narrator.fact(concluded.expect("A concludes something"))
    };
    assert_eq!(told("unknown"), "A cannot tell whether its booking was applied.");
    assert_eq!(told("failed"), "A takes a payment for its booking for failed.");
    assert_eq!(told("looked-up"), "A concludes that its booking was applied.");
}

/// A mail cannot be refused or looked up. Sent by the worker, it goes out though the write behind it is refused; from an
/// outbox row that the transaction leaves, only for what has been applied.
#[test]
fn an_outbox_lets_out_only_what_has_been_applied() {
    let comparison = run(&format!(
        "{REPORT_JOB}\
guard    registered
operation-ids in-transaction
faults
  A freezes 15s at 2s
compare
  direct  effect mail
  outbox  effect mail, through outbox
expect
  direct  no-stale-effect violated
  outbox  no-stale-effect holds
  all     no-stale-overwrite holds
"
    ));
    let refused = "A refused: StaleEpoch, 33 against 34";
    assert_eq!(outcomes(&comparison, "direct"), ["effect for B", "B applied under 34", "effect for A", refused]);
    assert_eq!(outcomes(&comparison, "outbox"), ["B applied under 34", "effect for B", refused]);
}

/// An outbox row outlives a crash, and so it is carried out again where the relay could not note that it had been. The row
/// makes sure that the effect is not lost; that it is not repeated takes a key as well.
#[test]
fn an_outbox_row_is_carried_out_again_after_a_crash() {
    let comparison = run("\
scenario relay
workers  A
lease    10s
relay    after 1s
work     A compute 3s
guard    registered
operation-ids in-transaction
through  outbox
faults
  destination crashes at 4500ms
compare
  mail     effect mail
  payment  effect payment, key kept
expect
  mail     effect-once violated
  payment  effect-once holds
  payment  sometimes effect-repeated
");
    assert_eq!(outcomes(&comparison, "mail"), ["A applied under 1", "effect for A", "effect for A"]);
    assert_eq!(outcomes(&comparison, "payment"), ["A applied under 1", "effect for A", "effect for A found done"]);
}
