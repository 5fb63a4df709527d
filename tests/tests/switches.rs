//! Every value of every switch makes a difference: there is something that comes about with it and not with another value,
//! all else being equal. Every invariant is broken in this way, and held; and where it is held, the walk gets to where it
//! could have been broken.

use std::collections::BTreeSet;
use std::fmt::Write;

use expect_test::expect;
use fencepost_core::destination::Guard as G;
use fencepost_core::epoch::Tokens;
use fencepost_core::fact::{Fact, Stop};
use fencepost_core::id::WorkerId;
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{self, Mechanism, Sharing, Switch};
use fencepost_core::message::{Call, Rejection, Request};
use fencepost_core::observation::Situation;
use fencepost_core::system::{Budget, Config, State};
use fencepost_core::worker::{Task, Tenure, Worker};
use fencepost_tests::walk::{Moment, find, for_each, tokens, walk, without_faults};

/// What makes the difference.
#[derive(Clone, Copy)]
enum Difference {
    Broken(Invariant),
    Comes(&'static str, fn(&Moment<'_>) -> bool),
}

impl Difference {
    fn is_in(self, moment: &Moment<'_>) -> bool {
        match self {
            Difference::Broken(invariant) => moment.broken.contains(&invariant),
            Difference::Comes(_, comes) => comes(moment),
        }
    }

    fn name(self) -> String {
        match self {
            Difference::Broken(invariant) => format!("{} broken", invariant.name()),
            Difference::Comes(name, _) => name.to_owned(),
        }
    }
}

/// A difference that a switch makes: it comes about `with` one value, and not with the `other`.
struct Pair {
    switch: Switch,
    with: &'static str,
    other: &'static str,
    /// Everything else.
    config: Config,
    difference: Difference,
    /// What is reached with the other value all the same.
    sometimes: Situation,
}

fn set(config: &Config, switch: Switch, word: &str) -> Config {
    let value = switch.words().iter().position(|known| *known == word);
    let mut config = *config;
    config.mechanism.set(switch, value.unwrap_or_else(|| panic!("{} has no value {word}", switch.name())));
    config.tokens = tokens(config.mechanism.token).unwrap_or(config.tokens);
    config
}

/// A worker finds that it owns the lock after its lease has ended.
const TRUSTS: Difference = Difference::Comes("a worker trusts a lease that is over", |moment| {
    let over = |grant| moment.before.live() != Some(grant);
    moment.facts.iter().any(|fact| matches!(fact, Fact::Checked { claim, owns: true, .. } if over(claim.grant)))
});

const DOUBTS: Difference = Difference::Comes("a worker doubts a lease that runs", |moment| {
    let runs = |grant| moment.before.live() == Some(grant);
    moment.facts.iter().any(|fact| matches!(fact, Fact::Checked { claim, owns: false, .. } if runs(claim.grant)))
});

/// The former owner reads when the newer one knows that it is registered.
const READS_LATE: Difference = Difference::Comes("a former owner reads", |moment| {
    let state = moment.before;
    let successor = |worker| match *state.worker(worker) {
        Worker::Owner(Tenure { grant, task, .. }) => Some(grant)
            .filter(|_| !matches!(task, Task::Register { .. } | Task::Registering { .. } | Task::Read { .. })),
        _ => None,
    };
    let workers = [0, 1].map(WorkerId);
    moment.facts.iter().any(|fact| {
        matches!(fact, Fact::Read { claim, .. }
            if workers.into_iter().filter_map(successor).any(|newer| newer > claim.grant))
    })
});

const AHEAD: Difference = Difference::Comes("an owner is refused as ahead", |moment| {
    let ahead = |fact: &Fact| matches!(fact, Fact::Rejected { rejection: Rejection::EpochAhead, .. });
    moment.facts.iter().any(ahead)
});

const DENIED: Difference = Difference::Comes("a worker is told to ask again", |moment| {
    moment.facts.iter().any(|fact| matches!(fact, Fact::Denied { .. }))
});

const RENEWED: Difference =
    Difference::Comes("a lease is renewed", |moment| moment.reached.contains(&Situation::LeaseRenewed));

const TAKES_NOTE: Difference = Difference::Comes("an owner takes note of the end", |moment| {
    moment.facts.iter().any(|fact| matches!(fact, Fact::Stopped { reason: Stop::LeaseLost, .. }))
});

/// An owner writes that has had its effect by being told of it, and has not asked for it.
const LEARNS: Difference = Difference::Comes("an owner that has not paid learns of the payment", |moment| {
    moment
        .facts
        .iter()
        .any(|fact| matches!(fact, Fact::EffectLookedUp { claim, effected: true, .. } if claim.grant.0 > 0))
});

const fn broken(invariant: Invariant) -> Difference {
    Difference::Broken(invariant)
}

fn pairs() -> Vec<Pair> {
    use Invariant::{
        AppliedOnce, EffectOnce, EpochsIncrease, NewestAdmitted, NoInterleaving, NoLostUpdate, NoStaleEffect,
        NoStaleOverwrite, NoStaleRead, RecognizedNeverDecreases, ReleaseOwn, SameAnswer,
    };
    use Situation as Sees;
    use Switch::{
        Asks, Atomicity, Candidates, CountedFrom, Counts, Durability, Effect, EffectOutcome, Guard, HolderId, Key,
        LookUp, Mint, NoReply, OnConflict, OnLoss, OperationIds, Reads, Release, Renewal, Replicas, Storage, Switched,
        Through, TokenKind,
    };
    let nothing = Budget::default();
    let none = Mechanism { operation_ids: mechanism::OperationIds::InTransaction, ..Mechanism::UNGUARDED };
    let guarded = |guard| Mechanism { guard, ..none };
    let registered = guarded(G::Registered);
    let effect = |effect| Mechanism { effect, ..none };
    let paying = Mechanism { key: mechanism::Key::Kept, ..effect(mechanism::Effect::Payment) };
    let off = |mechanism| Mechanism { operation_ids: mechanism::OperationIds::Off, ..mechanism };

    // Two workers and two grants without any fault; or one of both, and one request sent again.
    let two = |mechanism| without_faults(mechanism);
    let retried = |config: Config| Config { attempts: 2, budget: Budget { retries: 1, ..config.budget }, ..config };
    let one = |mechanism| Config { workers: 1, grants: 1, ..without_faults(mechanism) };
    let with = |config: Config, budget: Budget| Config { budget, ..config };
    let crash = Budget { crashes: 1, ..nothing };
    let failover = Budget { failovers: 1, ..nothing };
    let skew = Budget { skews: 1, ..nothing };
    let renewal = Budget { renewals: 1, ..nothing };

    let pair = |switch, with, other, config, difference, sometimes| Pair {
        switch,
        with,
        other,
        config,
        difference,
        sometimes,
    };
    vec![
        pair(Guard, "none", "registered", two(none), broken(NoStaleOverwrite), Sees::StaleWriteRejected),
        pair(Guard, "client-check", "registered", two(none), broken(NoStaleOverwrite), Sees::StaleWriteRejected),
        pair(Guard, "self-check", "registered", two(none), broken(NoStaleOverwrite), Sees::StaleWriteRejected),
        pair(Guard, "none", "max-seen", two(none), broken(NoStaleOverwrite), Sees::StaleWriteRejected),
        pair(Guard, "max-seen", "registered", two(none), broken(NoLostUpdate), Sees::LateWriteApplied),
        pair(Guard, "max-seen", "promise", two(none), broken(NoInterleaving), Sees::LateWriteApplied),
        pair(
            Guard,
            "greater-than",
            "max-seen",
            Config { operations: [2; 3], ..two(none) },
            broken(NewestAdmitted),
            Sees::Handover,
        ),
        pair(Guard, "row-version", "registered", two(none), broken(NoStaleOverwrite), Sees::StaleWriteRejected),
        pair(Guard, "none", "row-version", two(none), broken(NoLostUpdate), Sees::ConflictFound),
        pair(Guard, "none", "deadline", two(none), broken(NoStaleOverwrite), Sees::DeadlineMissed),
        pair(Guard, "none", "holder", two(none), broken(NoStaleOverwrite), Sees::TwoBelievers),
        // The former owner's registration reaches an empty row after the newer one's.
        pair(
            Guard,
            "registered",
            "promise",
            with(two(Mechanism { control_row: mechanism::Durability::FailsClosed, ..none }), crash),
            AHEAD,
            Sees::CrashSeen,
        ),
        pair(OperationIds, "off", "in-transaction", retried(one(none)), broken(AppliedOnce), Sees::WriteReplayed),
        pair(
            OperationIds,
            "after-transaction",
            "in-transaction",
            retried(one(none)),
            broken(AppliedOnce),
            Sees::WriteReplayed,
        ),
        pair(LookUp, "after-guard", "before-guard", retried(two(registered)), broken(SameAnswer), Sees::WriteReplayed),
        pair(Asks, "lock-replica", "lock", two(guarded(G::ClientCheck)), TRUSTS, Sees::CheckFailed),
        pair(Asks, "destination", "lock", two(guarded(G::ClientCheck)), TRUSTS, Sees::CheckFailed),
        pair(Asks, "lock-replica", "destination", two(guarded(G::ClientCheck)), DOUBTS, Sees::CheckFailed),
        pair(Counts, "writes", "reads-too", two(guarded(G::MaxSeen)), broken(NoInterleaving), Sees::StaleWriteRejected),
        // Its own write, whose answer is lost, is the conflict.
        pair(
            OnConflict,
            "redo",
            "give-up",
            Config { attempts: 3, ..with(one(off(guarded(G::RowVersion))), Budget { retries: 2, ..nothing }) },
            broken(AppliedOnce),
            Sees::ConflictFound,
        ),
        pair(
            HolderId,
            "worker",
            "grant",
            with(Config { grants: 2, ..one(guarded(G::Holder)) }, crash),
            broken(NoInterleaving),
            Sees::CrashSeen,
        ),
        pair(NoReply, "new-id", "same-id", retried(one(none)), broken(AppliedOnce), Sees::WriteReplayed),
        pair(
            NoReply,
            "failed",
            "same-id",
            retried(with(one(none), Budget { losses: 1, ..nothing })),
            broken(SameAnswer),
            Sees::ReplyLost,
        ),
        pair(NoReply, "failed", "look-up", retried(one(none)), broken(SameAnswer), Sees::UnknownOutcome),
        pair(Atomicity, "split", "atomic", two(registered), broken(NoStaleOverwrite), Sees::StaleWriteRejected),
        pair(
            Durability,
            "fails-closed",
            "durable",
            with(two(registered), crash),
            broken(RecognizedNeverDecreases),
            Sees::CrashSeen,
        ),
        // The row that is lost has the operation IDs in it.
        pair(
            Durability,
            "fails-open",
            "fails-closed",
            retried(with(one(registered), crash)),
            broken(AppliedOnce),
            Sees::CrashSeen,
        ),
        pair(
            Durability,
            "fails-closed",
            "fails-open",
            with(one(registered), crash),
            broken(NewestAdmitted),
            Sees::CrashSeen,
        ),
        pair(
            Durability,
            "re-registered",
            "fails-closed",
            Config {
                attempts: 3,
                ..with(
                    one(Mechanism { reads: mechanism::Reads::Registering, ..registered }),
                    Budget { retries: 2, ..crash },
                )
            },
            broken(AppliedOnce),
            Sees::CrashSeen,
        ),
        pair(Reads, "plain", "current", two(registered), READS_LATE, Sees::StaleWriteRejected),
        pair(Reads, "plain", "registering", two(registered), READS_LATE, Sees::StaleWriteRejected),
        pair(Reads, "before-registering", "plain", two(registered), broken(NoLostUpdate), Sees::LateWriteApplied),
        pair(Replicas, "last-write", "one", two(registered), broken(NoStaleRead), Sees::Handover),
        pair(
            Replicas,
            "last-write",
            "highest-epoch",
            two(registered),
            broken(NoStaleOverwrite),
            Sees::LateWriteApplied,
        ),
        pair(Replicas, "highest-epoch", "one", two(registered), broken(NoLostUpdate), Sees::StaleWriteRejected),
        pair(TokenKind, "timestamp", "epoch", with(two(none), skew), broken(EpochsIncrease), Sees::Handover),
        pair(TokenKind, "random", "epoch", two(none), broken(EpochsIncrease), Sees::Handover),
        pair(TokenKind, "wrapping", "epoch", two(none), broken(EpochsIncrease), Sees::Handover),
        pair(
            TokenKind,
            "text",
            "epoch",
            Config { tokens: Tokens::counted_from(9), ..two(registered) },
            broken(NewestAdmitted),
            Sees::StaleWriteRejected,
        ),
        pair(
            TokenKind,
            "declared",
            "epoch",
            retried(two(registered)),
            broken(NoStaleOverwrite),
            Sees::StaleWriteRejected,
        ),
        pair(TokenKind, "unchecked", "epoch", two(none), broken(EpochsIncrease), Sees::Handover),
        pair(Mint, "before-grant", "with-grant", two(none), broken(EpochsIncrease), Sees::Handover),
        pair(Storage, "restored", "durable", with(two(none), failover), broken(EpochsIncrease), Sees::Handover),
        pair(Storage, "fails-over", "durable", with(two(none), failover), broken(EpochsIncrease), Sees::Handover),
        pair(
            Storage,
            "restored",
            "restored-with-bump",
            with(two(none), failover),
            broken(EpochsIncrease),
            Sees::LockServiceRestored,
        ),
        pair(
            Storage,
            "restored-with-bump",
            "durable",
            with(two(guarded(G::SelfCheck)), failover),
            TRUSTS,
            Sees::CheckFailed,
        ),
        pair(Candidates, "poll", "notified", two(none), DENIED, Sees::Handover),
        pair(Candidates, "session", "notified", two(guarded(G::SelfCheck)), TRUSTS, Sees::CheckFailed),
        pair(Renewal, "worker", "off", with(one(guarded(G::SelfCheck)), renewal), RENEWED, Sees::CheckFailed),
        pair(CountedFrom, "reply", "request", two(guarded(G::SelfCheck)), TRUSTS, Sees::CheckFailed),
        pair(
            OnLoss,
            "stop",
            "ignore",
            with(one(Mechanism { renewal: mechanism::Renewal::Worker, ..none }), renewal),
            TAKES_NOTE,
            Sees::LeaseRenewed,
        ),
        pair(Release, "unconditional", "own", two(none), broken(ReleaseOwn), Sees::LateRelease),
        pair(Release, "early", "own", two(guarded(G::Deadline)), broken(NoStaleOverwrite), Sees::DeadlineMissed),
        pair(Effect, "mail", "file", retried(one(none)), broken(EffectOnce), Sees::EffectRepeated),
        pair(Effect, "payment", "file", retried(one(none)), broken(EffectOnce), Sees::EffectRepeated),
        pair(Effect, "file", "none", two(none), broken(NoStaleEffect), Sees::LateWriteApplied),
        pair(
            Through,
            "direct",
            "outbox",
            two(Mechanism { guard: G::Registered, ..effect(mechanism::Effect::Mail) }),
            broken(NoStaleEffect),
            Sees::EffectSeen,
        ),
        pair(
            Through,
            "outbox",
            "direct",
            with(one(effect(mechanism::Effect::Mail)), crash),
            broken(EffectOnce),
            Sees::EffectSeen,
        ),
        pair(
            Key,
            "off",
            "kept",
            retried(one(effect(mechanism::Effect::Payment))),
            broken(EffectOnce),
            Sees::EffectRepeated,
        ),
        pair(
            Key,
            "pruned",
            "kept",
            retried(with(one(effect(mechanism::Effect::Payment)), Budget { prunes: 1, ..nothing })),
            broken(EffectOnce),
            Sees::EffectRepeated,
        ),
        pair(EffectOutcome, "failed", "unknown", retried(one(paying)), broken(EffectOnce), Sees::EffectRepeated),
        pair(EffectOutcome, "failed", "looked-up", retried(one(paying)), broken(EffectOnce), Sees::EffectFound),
        // One that starts again carries the same operation out, and learns that it has been paid for.
        pair(
            EffectOutcome,
            "looked-up",
            "unknown",
            with(Config { grants: 2, sharing: Sharing::Shared, ..one(paying) }, crash),
            LEARNS,
            Sees::EffectRepeated,
        ),
        // A look-up that overtakes the payment finds nothing, and is no key.
        pair(
            Key,
            "off",
            "kept",
            retried(one(Mechanism { effect_outcome: mechanism::EffectOutcome::LookedUp, ..paying })),
            broken(EffectOnce),
            Sees::EffectFound,
        ),
        pair(
            Switched,
            "unconditionally",
            "conditionally",
            two(effect(mechanism::Effect::File)),
            broken(NoStaleEffect),
            Sees::EffectSeen,
        ),
        pair(
            Switched,
            "in-two-steps",
            "conditionally",
            two(effect(mechanism::Effect::File)),
            broken(NoStaleEffect),
            Sees::EffectSeen,
        ),
    ]
}

#[test]
fn every_value_makes_a_difference() {
    let pairs = pairs();
    let found = for_each(&pairs, |Pair { switch, with, other, config, difference, .. }| {
        let [with, other] = [with, other].map(|word| set(config, *switch, word));
        let [path, without] =
            [with, other].map(|config| find(&config, State::new(&config), |moment| difference.is_in(moment)));
        let unmet = [with, other].map(|config| config.mechanism.unmet());
        (path.map(|path| path.len()), without.map(|path| path.len()), walk(&other, true), unmet)
    });
    let mut table = String::new();
    let mut reached = BTreeSet::new();
    for (Pair { switch, with, other, difference, sometimes, .. }, (path, without, walked, unmet)) in
        pairs.iter().zip(found)
    {
        let name = format!("{} {with}, not {other}: {}", switch.name(), difference.name());
        assert_eq!(without, None, "{name}: comes about with the other value, too");
        let steps = path.unwrap_or_else(|| panic!("{name}: does not come about"));
        assert!(walked.extent.is_complete(), "{name}: {:?}", walked.extent.limits);
        assert!(walked.reached.contains_key(sometimes), "{name}: {} is not reached", sometimes.name());
        assert_eq!(unmet, [None, None], "{name}: has no meaning");
        reached.extend(walked.reached.into_keys());
        writeln!(table, "{name} in {steps} steps; {} states", walked.extent.states).expect("a string takes any text");
    }
    expect![[r#"
        guard none, not registered: no-stale-overwrite broken in 13 steps; 1801 states
        guard client-check, not registered: no-stale-overwrite broken in 15 steps; 1801 states
        guard self-check, not registered: no-stale-overwrite broken in 16 steps; 1801 states
        guard none, not max-seen: no-stale-overwrite broken in 13 steps; 1333 states
        guard max-seen, not registered: no-lost-update broken in 14 steps; 1801 states
        guard max-seen, not promise: no-interleaving broken in 13 steps; 1801 states
        guard greater-than, not max-seen: newest-admitted broken in 10 steps; 4405 states
        guard row-version, not registered: no-stale-overwrite broken in 13 steps; 1801 states
        guard none, not row-version: no-lost-update broken in 14 steps; 1585 states
        guard none, not deadline: no-stale-overwrite broken in 13 steps; 1861 states
        guard none, not holder: no-stale-overwrite broken in 13 steps; 1101 states
        guard registered, not promise: an owner is refused as ahead in 16 steps; 26574 states
        operation-ids off, not in-transaction: applied-once broken in 9 steps; 173 states
        operation-ids after-transaction, not in-transaction: applied-once broken in 9 steps; 173 states
        look-up after-guard, not before-guard: same-answer broken in 18 steps; 25802 states
        asks lock-replica, not lock: a worker trusts a lease that is over in 7 steps; 1541 states
        asks destination, not lock: a worker trusts a lease that is over in 6 steps; 1541 states
        asks lock-replica, not destination: a worker doubts a lease that runs in 5 steps; 1541 states
        counts writes, not reads-too: no-interleaving broken in 13 steps; 965 states
        on-conflict redo, not give-up: applied-once broken in 13 steps; 808 states
        holder-id worker, not grant: no-interleaving broken in 14 steps; 296 states
        no-reply new-id, not same-id: applied-once broken in 9 steps; 173 states
        no-reply failed, not same-id: same-answer broken in 7 steps; 313 states
        no-reply failed, not look-up: same-answer broken in 7 steps; 201 states
        transaction split, not atomic: no-stale-overwrite broken in 21 steps; 1801 states
        control-row fails-closed, not durable: recognized-never-decreases broken in 12 steps; 21365 states
        control-row fails-open, not fails-closed: applied-once broken in 13 steps; 2451 states
        control-row fails-closed, not fails-open: newest-admitted broken in 10 steps; 307 states
        control-row re-registered, not fails-closed: applied-once broken in 16 steps; 7444 states
        reads plain, not current: a former owner reads in 15 steps; 1689 states
        reads plain, not registering: a former owner reads in 15 steps; 965 states
        reads before-registering, not plain: no-lost-update broken in 20 steps; 1801 states
        replicas last-write, not one: no-stale-read broken in 17 steps; 1801 states
        replicas last-write, not highest-epoch: no-stale-overwrite broken in 20 steps; 6857 states
        replicas highest-epoch, not one: no-lost-update broken in 21 steps; 1801 states
        token timestamp, not epoch: epochs-increase broken in 6 steps; 1641 states
        token random, not epoch: epochs-increase broken in 5 steps; 1641 states
        token wrapping, not epoch: epochs-increase broken in 5 steps; 1641 states
        token text, not epoch: newest-admitted broken in 11 steps; 1801 states
        token declared, not epoch: no-stale-overwrite broken in 22 steps; 25802 states
        token unchecked, not epoch: epochs-increase broken in 11 steps; 1641 states
        mint before-grant, not with-grant: epochs-increase broken in 11 steps; 1641 states
        issuer restored, not durable: epochs-increase broken in 5 steps; 1641 states
        issuer fails-over, not durable: epochs-increase broken in 5 steps; 1641 states
        issuer restored, not restored-with-bump: epochs-increase broken in 5 steps; 3849 states
        issuer restored-with-bump, not durable: a worker trusts a lease that is over in 6 steps; 2349 states
        candidates poll, not notified: a worker is told to ask again in 4 steps; 1641 states
        candidates session, not notified: a worker trusts a lease that is over in 10 steps; 2349 states
        renewal worker, not off: a lease is renewed in 5 steps; 44 states
        lease-from reply, not request: a worker trusts a lease that is over in 6 steps; 2349 states
        on-loss stop, not ignore: an owner takes note of the end in 5 steps; 96 states
        release unconditional, not own: release-own broken in 12 steps; 1641 states
        release early, not own: no-stale-overwrite broken in 15 steps; 1861 states
        effect mail, not file: effect-once broken in 9 steps; 277 states
        effect payment, not file: effect-once broken in 9 steps; 277 states
        effect file, not none: no-stale-effect broken in 16 steps; 1641 states
        through direct, not outbox: no-stale-effect broken in 22 steps; 5145 states
        through outbox, not direct: effect-once broken in 9 steps; 228 states
        key off, not kept: effect-once broken in 9 steps; 277 states
        key pruned, not kept: effect-once broken in 10 steps; 277 states
        effect-outcome failed, not unknown: effect-once broken in 7 steps; 277 states
        effect-outcome failed, not looked-up: effect-once broken in 7 steps; 715 states
        effect-outcome looked-up, not unknown: an owner that has not paid learns of the payment in 16 steps; 437 states
        key off, not kept: effect-once broken in 15 steps; 715 states
        switched unconditionally, not conditionally: no-stale-effect broken in 16 steps; 2381 states
        switched in-two-steps, not conditionally: no-stale-effect broken in 18 steps; 2381 states
    "#]]
    .assert_eq(&table);
    let missing: Vec<_> = Situation::ALL.iter().filter(|situation| !reached.contains(situation)).collect();
    assert!(missing.is_empty(), "no walk reaches {missing:?}");
}

/// What only a driver with a clock can tell apart: the system has the same choices with either.
const TOLD_APART_BY_TIME: [(Switch, &str, &str); 6] = [
    (Switch::LeaseBy, "wall", "monotonic"),
    (Switch::LeaseBy, "written", "monotonic"),
    (Switch::LeaseBy, "before-call", "monotonic"),
    (Switch::Candidates, "watch", "poll"),
    (Switch::Renewal, "thread", "worker"),
    (Switch::OnLoss, "slow", "stop"),
];

#[test]
fn some_values_differ_only_in_time() {
    let mechanism = Mechanism { guard: G::SelfCheck, renewal: mechanism::Renewal::Worker, ..Mechanism::UNGUARDED };
    let budget = Budget { renewals: 1, skews: 1, suspends: 1, ..Budget::default() };
    let config = Config { grants: 1, budget, ..without_faults(mechanism) };
    for (switch, one, other) in TOLD_APART_BY_TIME {
        let [one, other] = [one, other].map(|word| walk(&set(&config, switch, word), true));
        assert_eq!(one.extent.states, other.extent.states, "{}", switch.name());
        assert_eq!(one.reached, other.reached, "{}", switch.name());
        assert!(one.reached.contains_key(&Situation::LeaseRenewed));
    }
}

#[test]
fn every_value_and_every_invariant_is_in_a_pair() {
    let pairs = pairs();
    for switch in Switch::ALL {
        for word in switch.words() {
            let differs =
                pairs.iter().any(|pair| pair.switch == *switch && (pair.with == *word || pair.other == *word));
            let timed =
                TOLD_APART_BY_TIME.iter().any(|(timed, one, other)| timed == switch && [one, other].contains(&word));
            assert!(differs || timed, "nothing shows what {} {word} does", switch.name());
        }
    }
    for invariant in Invariant::ALL {
        let breaks = |pair: &Pair| matches!(pair.difference, Difference::Broken(broken) if broken == *invariant);
        assert!(pairs.iter().any(breaks), "nothing shows what breaks {}", invariant.name());
    }
}

/// A walk that takes states for one which nothing can tell apart finds what one finds that remembers everything.
#[test]
fn forgetting_changes_nothing_under_any_switch() {
    let mut configs: Vec<Config> = Vec::new();
    let repeated = Mechanism { candidates: mechanism::Candidates::Poll, ..Mechanism::UNGUARDED };
    configs.push(Config {
        grants: 1,
        budget: Budget { duplicates: 1, ..Budget::default() },
        ..without_faults(repeated)
    });
    for Pair { switch, with, other, config, .. } in pairs() {
        for config in [with, other].map(|word| set(&config, switch, word)) {
            // With a request sent again, two workers have too many states to remember, save where late answers matter.
            let many = config.workers > 1 && config.budget.retries > 0;
            let matters = config.mechanism.token == mechanism::TokenKind::Declared;
            if (!many || matters) && !configs.contains(&config) {
                configs.push(config);
            }
        }
    }
    let found = for_each(&configs, |config| [false, true].map(|forgetting| walk(config, forgetting)));
    for (config, [remembering, forgetting]) in configs.iter().zip(found) {
        let mechanism = config.mechanism;
        assert_eq!(forgetting.extent.limits, remembering.extent.limits, "{mechanism:?}");
        assert!(forgetting.extent.states <= remembering.extent.states, "{mechanism:?}");
        assert_eq!(forgetting.broken, remembering.broken, "{mechanism:?}");
        assert_eq!(forgetting.reached, remembering.reached, "{mechanism:?}");
    }
}

/// An answer that a worker may yet come to wait for is not forgotten: where it registers once more, a late answer to its
/// first registration can be heard as one to the second.
#[test]
fn an_answer_that_may_be_taken_for_another_is_kept() {
    for (control_row, kept) in
        [(mechanism::Durability::ReRegistered, true), (mechanism::Durability::FailsClosed, false)]
    {
        let mechanism = Mechanism { guard: G::Registered, control_row, ..Mechanism::UNGUARDED };
        let budget = Budget { retries: 1, ..Budget::default() };
        let config = Config { workers: 1, grants: 1, attempts: 2, budget, ..without_faults(mechanism) };
        let ignored = |moment: &Moment<'_>| {
            let registration = |request: &Request| matches!(request.call, Call::Register { .. });
            moment.facts.iter().any(|fact| matches!(fact, Fact::ReplyIgnored { request, .. } if registration(request)))
        };
        assert_eq!(find(&config, State::new(&config), ignored).is_some(), kept, "{control_row:?}");
    }
}

/// What has no meaning without something else names that, and no more once it is there.
#[test]
fn what_has_no_meaning_names_what_it_needs() {
    use mechanism::{
        Asks, Atomicity, CountedFrom, Counts, Durability, Effect, EffectOutcome, HolderId, Key, LookUp, Mint, NoReply,
        OnConflict, OnLoss, OperationIds, Reads, Renewal, Replicas, Switched, Through, TokenKind,
    };
    let none = Mechanism::UNGUARDED;
    let ids = Mechanism { operation_ids: OperationIds::InTransaction, ..none };
    let guarded = |guard| Mechanism { guard, ..none };
    let (registered, seen) = (guarded(G::Registered), guarded(G::MaxSeen));
    let with = |effect| Mechanism { effect, ..none };
    // Without meaning, the switch to blame, a piece of what it needs, and the same with that.
    let table: Vec<(Mechanism, Switch, &str, Mechanism)> = vec![
        (
            Mechanism { operation_ids: OperationIds::AfterTransaction, transaction: Atomicity::Split, ..none },
            Switch::OperationIds,
            "transaction atomic",
            Mechanism { operation_ids: OperationIds::AfterTransaction, ..none },
        ),
        (
            Mechanism { look_up: LookUp::AfterGuard, ..registered },
            Switch::LookUp,
            "operation-ids",
            Mechanism { look_up: LookUp::AfterGuard, ..ids },
        ),
        (
            Mechanism { asks: Asks::LockReplica, ..none },
            Switch::Asks,
            "guard client-check",
            Mechanism { asks: Asks::LockReplica, ..guarded(G::ClientCheck) },
        ),
        (
            Mechanism { counts: Counts::ReadsToo, ..registered },
            Switch::Counts,
            "guard max-seen",
            Mechanism { counts: Counts::ReadsToo, ..seen },
        ),
        (
            Mechanism { on_conflict: OnConflict::Redo, ..none },
            Switch::OnConflict,
            "guard row-version",
            Mechanism { on_conflict: OnConflict::Redo, ..guarded(G::RowVersion) },
        ),
        (
            Mechanism { holder_id: HolderId::Worker, ..none },
            Switch::HolderId,
            "guard holder",
            Mechanism { holder_id: HolderId::Worker, ..guarded(G::Holder) },
        ),
        (
            Mechanism { no_reply: NoReply::NewId, ..none },
            Switch::NoReply,
            "operation-ids",
            Mechanism { no_reply: NoReply::NewId, ..ids },
        ),
        (
            Mechanism { no_reply: NoReply::LookUp, ..none },
            Switch::NoReply,
            "nothing to look up",
            Mechanism { no_reply: NoReply::LookUp, ..ids },
        ),
        (
            Mechanism { transaction: Atomicity::Split, ..guarded(G::ClientCheck) },
            Switch::Atomicity,
            "something beside the change",
            Mechanism { transaction: Atomicity::Split, ..ids },
        ),
        (
            Mechanism { control_row: Durability::FailsClosed, ..seen },
            Switch::Durability,
            "`holder`, `promise`, `registered`",
            Mechanism { control_row: Durability::FailsClosed, ..guarded(G::Holder) },
        ),
        (
            Mechanism { control_row: Durability::FailsOpen, ..guarded(G::RowVersion) },
            Switch::Durability,
            "something in the row",
            Mechanism { control_row: Durability::FailsOpen, ..seen },
        ),
        (
            Mechanism { control_row: Durability::ReRegistered, ..guarded(G::Holder) },
            Switch::Durability,
            "a guard that registers",
            Mechanism { control_row: Durability::ReRegistered, ..guarded(G::Promise) },
        ),
        (
            Mechanism { reads: Reads::Current, ..seen },
            Switch::Reads,
            "a guard that registers",
            Mechanism { reads: Reads::Current, ..registered },
        ),
        (
            Mechanism { replicas: Replicas::LastWrite, ..with(Effect::Mail) },
            Switch::Replicas,
            "no `effect`",
            Mechanism { replicas: Replicas::LastWrite, ..none },
        ),
        (
            Mechanism { replicas: Replicas::LastWrite, ..guarded(G::Holder) },
            Switch::Replicas,
            "one store",
            Mechanism { replicas: Replicas::LastWrite, ..registered },
        ),
        (
            Mechanism { token: TokenKind::Text, ..none },
            Switch::TokenKind,
            "compares tokens",
            Mechanism { token: TokenKind::Text, replicas: Replicas::HighestEpoch, ..none },
        ),
        (
            Mechanism { token: TokenKind::Declared, ..guarded(G::Holder) },
            Switch::TokenKind,
            "refuses a stale epoch",
            Mechanism { token: TokenKind::Declared, ..seen },
        ),
        (
            Mechanism { mint: Mint::BeforeGrant, token: TokenKind::Timestamp, ..none },
            Switch::Mint,
            "counts",
            Mechanism { mint: Mint::BeforeGrant, ..none },
        ),
        (
            Mechanism { mint: Mint::BeforeGrant, token: TokenKind::Unchecked, ..none },
            Switch::Mint,
            "token unchecked",
            Mechanism { token: TokenKind::Unchecked, ..none },
        ),
        (
            Mechanism { counted_from: CountedFrom::Reply, ..guarded(G::Deadline) },
            Switch::CountedFrom,
            "guard self-check",
            Mechanism { counted_from: CountedFrom::Reply, ..guarded(G::SelfCheck) },
        ),
        (
            Mechanism { counted_from: CountedFrom::Reply, renewal: Renewal::Worker, on_loss: OnLoss::Ignore, ..none },
            Switch::CountedFrom,
            "heeds the loss",
            Mechanism { counted_from: CountedFrom::Reply, renewal: Renewal::Worker, ..none },
        ),
        (
            Mechanism { on_loss: OnLoss::Slow, ..none },
            Switch::OnLoss,
            "renewal",
            Mechanism { on_loss: OnLoss::Slow, renewal: Renewal::Thread, ..none },
        ),
        (
            Mechanism { through: Through::Outbox, ..none },
            Switch::Through,
            "an `effect`",
            Mechanism { through: Through::Outbox, ..with(Effect::Mail) },
        ),
        (
            Mechanism { through: Through::Outbox, ..with(Effect::File) },
            Switch::Through,
            "switched by the worker",
            Mechanism { through: Through::Outbox, ..with(Effect::Payment) },
        ),
        (
            Mechanism { key: Key::Kept, ..with(Effect::Mail) },
            Switch::Key,
            "effect payment",
            Mechanism { key: Key::Kept, ..with(Effect::Payment) },
        ),
        (
            Mechanism { effect_outcome: EffectOutcome::LookedUp, ..with(Effect::Mail) },
            Switch::EffectOutcome,
            "effect payment",
            Mechanism { effect_outcome: EffectOutcome::LookedUp, ..with(Effect::Payment) },
        ),
        (
            Mechanism { effect_outcome: EffectOutcome::Failed, ..none },
            Switch::EffectOutcome,
            "an `effect`",
            Mechanism { effect_outcome: EffectOutcome::Failed, ..with(Effect::Mail) },
        ),
        (
            Mechanism { effect_outcome: EffectOutcome::LookedUp, through: Through::Outbox, ..with(Effect::Payment) },
            Switch::EffectOutcome,
            "through direct",
            Mechanism { through: Through::Outbox, ..with(Effect::Payment) },
        ),
        (
            Mechanism { switched: Switched::Conditionally, ..with(Effect::Mail) },
            Switch::Switched,
            "effect file",
            Mechanism { switched: Switched::Conditionally, ..with(Effect::File) },
        ),
    ];
    for (without, switch, piece, with) in table {
        let (blamed, needs) = without.unmet().unwrap_or_else(|| panic!("{without:?} has a meaning"));
        assert_eq!(blamed, switch, "{without:?}");
        assert!(needs.contains(piece), "{without:?} needs {needs}");
        assert_eq!(with.unmet(), None, "{with:?}");
    }
}
