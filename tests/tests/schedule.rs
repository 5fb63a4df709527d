//! What the timed driver does with a schedule: freezes, timers, clocks, standbys, ties.

use expect_test::{Expect, expect};
use fencepost_core::compare::compare;
use fencepost_core::fact::Fact;
use fencepost_core::id::{GrantId, WorkerId};
use fencepost_core::message::{Call, Message};
use fencepost_core::observation::Situation;
use fencepost_core::run::Limit;
use fencepost_core::scenario::parse;
use fencepost_core::story::story;
use fencepost_core::words::headline;

/// Tells the story of a scenario, a line a fact.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let lines = story(&compare(&scenario));
    let told: String = lines.iter().map(|line| format!("{} ms: {}\n", line.at.micros() / 1_000, line.text)).collect();
    expected.assert_eq(&told);
}

#[test]
fn a_freeze_in_the_middle_of_the_work_leaves_the_rest_of_it_to_be_done() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nwork A compute 3s\nfaults\n  A freezes 10s at 1s\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 1 min: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 1 min.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            1000 ms: A freezes for 10 s.
            11000 ms: A runs again and does not know that it stood still.
            13000 ms: A has computed its write.
            13000 ms: A sends its write, under epoch 1.
            13000 ms: The destination applies A’s write under epoch 1: version 1.
            13000 ms: A concludes that its write was applied.
            13000 ms: A has done its work and gives up ownership.
            13000 ms: A tells the lock service that it gives the lock back.
            13000 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_freeze_before_the_work_delays_all_of_it() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nwork A compute 3s\nfaults\n  A freezes 10s before compute\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 1 min: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 1 min.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A freezes for 10 s.
            10000 ms: A runs again and does not know that it stood still.
            10000 ms: A begins to compute.
            13000 ms: A has computed its write.
            13000 ms: A sends its write, under epoch 1.
            13000 ms: The destination applies A’s write under epoch 1: version 1.
            13000 ms: A concludes that its write was applied.
            13000 ms: A has done its work and gives up ownership.
            13000 ms: A tells the lock service that it gives the lock back.
            13000 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn two_freezes_that_overlap_end_with_the_later() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nwork A compute 3s\nfaults\n  A freezes 4s at 1s\n  A freezes 4s at 3s\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 1 min: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 1 min.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            1000 ms: A freezes for 4 s.
            3000 ms: A freezes for 4 s.
            7000 ms: A runs again and does not know that it stood still.
            9000 ms: A has computed its write.
            9000 ms: A sends its write, under epoch 1.
            9000 ms: The destination applies A’s write under epoch 1: version 1.
            9000 ms: A concludes that its write was applied.
            9000 ms: A has done its work and gives up ownership.
            9000 ms: A tells the lock service that it gives the lock back.
            9000 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn an_answer_that_reaches_a_frozen_process_is_read_when_it_runs_again() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 100ms\nwork A compute 1s\nfaults\n  A freezes 1500ms after publish\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            100 ms: The lock service grants the lock to A for 1 min: epoch 1.
            200 ms: A learns that it owns the lock under epoch 1.
            200 ms: By its own clock, A expects its lease to end at 1 min.
            200 ms: A reads the row: nothing has been written yet.
            200 ms: A begins to compute.
            1200 ms: A has computed its write.
            1200 ms: A sends its write, under epoch 1.
            1200 ms: A freezes for 1.5 s.
            1300 ms: The destination applies A’s write under epoch 1: version 1.
            1400 ms: An answer to A’s write arrives. A is frozen and cannot read it.
            2700 ms: A runs again and does not know that it stood still.
            2700 ms: A concludes that its write was applied.
            2700 ms: A has done its work and gives up ownership.
            2700 ms: A tells the lock service that it gives the lock back.
            2800 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn patience_that_ends_during_a_freeze_ends_after_the_answer_is_read() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 100ms\nwork A compute 1s\nretry after 1s, 2 attempts\nfaults\n  A freezes 5s \
         after publish\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            100 ms: The lock service grants the lock to A for 1 min: epoch 1.
            200 ms: A learns that it owns the lock under epoch 1.
            200 ms: By its own clock, A expects its lease to end at 1 min.
            200 ms: A reads the row: nothing has been written yet.
            200 ms: A begins to compute.
            1200 ms: A has computed its write.
            1200 ms: A sends its write, under epoch 1.
            1200 ms: A freezes for 5 s.
            1300 ms: The destination applies A’s write under epoch 1: version 1.
            1400 ms: An answer to A’s write arrives. A is frozen and cannot read it.
            6200 ms: A runs again and does not know that it stood still.
            6200 ms: A concludes that its write was applied.
            6200 ms: A has done its work and gives up ownership.
            6200 ms: A tells the lock service that it gives the lock back.
            6300 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn patience_runs_on_the_workers_own_clock() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nretry after 1s, 2 attempts\nclock A ahead 5s fast 250000ppm\nfaults\n  \
         network loses write of A\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 1 min: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 65 s.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            0 ms: A has computed its write.
            0 ms: A sends its write, under epoch 1.
            0 ms: A’s write is lost on its way.
            800 ms: A has no answer to A’s write and waits no longer.
            800 ms: A sends its write again, under epoch 1.
            800 ms: The destination applies A’s write under epoch 1: version 1.
            800 ms: A concludes that its write was applied.
            800 ms: A has done its work and gives up ownership.
            800 ms: A tells the lock service that it gives the lock back.
            800 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_worker_that_waits_for_the_lock_does_not_lose_patience() {
    check(
        "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 8s\nwork B compute 1s\nretry after 1s, 2 attempts\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 10 s: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 10 s.
            0 ms: B asks for the lock.
            0 ms: The lock is taken. B’s request waits its turn.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            8000 ms: A has computed its write.
            8000 ms: A sends its write, under epoch 1.
            8000 ms: The destination applies A’s write under epoch 1: version 1.
            8000 ms: A concludes that its write was applied.
            8000 ms: A has done its work and gives up ownership.
            8000 ms: A tells the lock service that it gives the lock back.
            8000 ms: The lock under epoch 1 is free again.
            8000 ms: The lock service grants the lock to B for 10 s: epoch 2.
            8000 ms: B learns that it owns the lock under epoch 2.
            8000 ms: By its own clock, B expects its lease to end at 18 s.
            8000 ms: B reads the row at version 1.
            8000 ms: B begins to compute.
            9000 ms: B has computed its write.
            9000 ms: B sends its write, under epoch 2.
            9000 ms: The destination applies B’s write under epoch 2: version 2.
            9000 ms: B concludes that its write was applied.
            9000 ms: B has done its work and gives up ownership.
            9000 ms: B tells the lock service that it gives the lock back.
            9000 ms: The lock under epoch 2 is free again.
        "#]],
    );
}

#[test]
fn a_standby_is_not_called_while_the_owner_gives_the_lock_back_by_itself() {
    check(
        "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 1s\nwork B compute 1s\nstart B on expiry\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 10 s: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 10 s.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            1000 ms: A has computed its write.
            1000 ms: A sends its write, under epoch 1.
            1000 ms: The destination applies A’s write under epoch 1: version 1.
            1000 ms: A concludes that its write was applied.
            1000 ms: A has done its work and gives up ownership.
            1000 ms: A tells the lock service that it gives the lock back.
            1000 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_lease_ends_before_a_message_of_the_same_instant_arrives() {
    check(
        "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 10s\nwork B compute 1s\nguard client-check\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 10 s: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 10 s.
            0 ms: B asks for the lock.
            0 ms: The lock is taken. B’s request waits its turn.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            10000 ms: The lease under epoch 1 ends by the lock service’s clock. A is not told.
            10000 ms: The lock service grants the lock to B for 10 s: epoch 2.
            10000 ms: B learns that it owns the lock under epoch 2.
            10000 ms: By its own clock, B expects its lease to end at 20 s.
            10000 ms: A has computed its write.
            10000 ms: A asks the lock service whether it still owns the lock. It does not.
            10000 ms: A does not send its write.
            10000 ms: A no longer believes that it is the owner, and stops.
            10000 ms: B reads the row: nothing has been written yet.
            10000 ms: B begins to compute.
            11000 ms: B has computed its write.
            11000 ms: B asks the lock service whether it still owns the lock. It does, now.
            11000 ms: B sends its write, under epoch 2.
            11000 ms: The destination applies B’s write under epoch 2: version 1.
            11000 ms: B concludes that its write was applied.
            11000 ms: B has done its work and gives up ownership.
            11000 ms: B tells the lock service that it gives the lock back.
            11000 ms: The lock under epoch 2 is free again.
        "#]],
    );
}

#[test]
fn a_lost_grant_is_asked_for_again_and_is_the_same_grant() {
    check(
        "scenario s\nworkers A\nlease 10s\nlatency 100ms\nretry after 1s, 2 attempts\nfaults\n  network loses reply to acquire \
         of A\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            100 ms: The lock service grants the lock to A for 10 s: epoch 1.
            200 ms: The answer to A’s request for the lock is lost on its way.
            1100 ms: A has no answer to A’s request for the lock and waits no longer.
            1100 ms: A asks again for the lock.
            1200 ms: A owns the lock already: the lock service repeats epoch 1.
            1300 ms: A learns that it owns the lock under epoch 1.
            1300 ms: By its own clock, A expects its lease to end at 10 s.
            1300 ms: A reads the row: nothing has been written yet.
            1300 ms: A begins to compute.
            1300 ms: A has computed its write.
            1300 ms: A sends its write, under epoch 1.
            1400 ms: The destination applies A’s write under epoch 1: version 1.
            1500 ms: A concludes that its write was applied.
            1500 ms: A has done its work and gives up ownership.
            1500 ms: A tells the lock service that it gives the lock back.
            1600 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_worker_without_an_answer_to_its_last_try_does_not_know_and_keeps_the_lock() {
    check(
        "scenario s\nworkers A\nlease 10s\nlatency 100ms\nretry after 1s, 1 attempts\nfaults\n  network loses reply to write of \
         A\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            100 ms: The lock service grants the lock to A for 10 s: epoch 1.
            200 ms: A learns that it owns the lock under epoch 1.
            200 ms: By its own clock, A expects its lease to end at 10 s.
            200 ms: A reads the row: nothing has been written yet.
            200 ms: A begins to compute.
            200 ms: A has computed its write.
            200 ms: A sends its write, under epoch 1.
            300 ms: The destination applies A’s write under epoch 1: version 1.
            400 ms: The answer to A’s write is lost on its way.
            1200 ms: A has no answer to A’s write and waits no longer.
            1200 ms: A cannot tell whether its write was applied.
            1200 ms: A has asked as often as it ever does, and stops.
            10100 ms: The lease under epoch 1 ends by the lock service’s clock. A is not told.
        "#]],
    );
}

#[test]
fn a_second_operation_reads_what_the_first_has_written() {
    check(
        "scenario s\nworkers A\nlease 10s\nlatency 0s\nwork A compute 1s operations 2\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 10 s: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 10 s.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            1000 ms: A has computed its write 1.
            1000 ms: A sends its write 1, under epoch 1.
            1000 ms: The destination applies A’s write 1 under epoch 1: version 1.
            1000 ms: A concludes that its write 1 was applied.
            1000 ms: A reads the row at version 1.
            1000 ms: A begins to compute.
            2000 ms: A has computed its write 2.
            2000 ms: A sends its write 2, under epoch 1.
            2000 ms: The destination applies A’s write 2 under epoch 1: version 2.
            2000 ms: A concludes that its write 2 was applied.
            2000 ms: A has done its work and gives up ownership.
            2000 ms: A tells the lock service that it gives the lock back.
            2000 ms: The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_delayed_registration_is_refused_once_a_newer_one_is_recognized() {
    check(
        "scenario s\nworkers A B\nlease 2s\nlatency 0s\nwork A compute 1s\nwork B compute 1s\nstart B on expiry\nretry after 9s, \
         1 attempts\nguard registered\nfaults\n  network delays register of A by 3s\n",
        &expect![[r#"
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 2 s: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 2 s.
            0 ms: A asks the destination to recognize epoch 1.
            2000 ms: The lease under epoch 1 ends by the lock service’s clock. A is not told.
            2000 ms: B asks for the lock.
            2000 ms: The lock service grants the lock to B for 2 s: epoch 2.
            2000 ms: B learns that it owns the lock under epoch 2.
            2000 ms: By its own clock, B expects its lease to end at 4 s.
            2000 ms: B asks the destination to recognize epoch 2.
            2000 ms: The destination recognizes epoch 2: from now on it takes writes under no other.
            2000 ms: B reads the row: nothing has been written yet.
            2000 ms: B begins to compute.
            3000 ms: The destination does not recognize epoch 1: epoch 1 is lower than 2.
            3000 ms: A now knows that it is no longer the owner, and stops.
            3000 ms: B has computed its write.
            3000 ms: B sends its write, under epoch 2.
            3000 ms: The destination applies B’s write under epoch 2: version 1.
            3000 ms: B concludes that its write was applied.
            3000 ms: B has done its work and gives up ownership.
            3000 ms: B tells the lock service that it gives the lock back.
            3000 ms: The lock under epoch 2 is free again.
        "#]],
    );
}

#[test]
fn a_standby_that_is_frozen_when_the_lease_expires_asks_when_it_runs_again() {
    check(
        "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 15s\nwork B compute 1s\nstart B on expiry\nfaults\n  B \
         freezes 20s at 0s\n",
        &expect![[r#"
            0 ms: B freezes for 20 s.
            0 ms: A asks for the lock.
            0 ms: The lock service grants the lock to A for 10 s: epoch 1.
            0 ms: A learns that it owns the lock under epoch 1.
            0 ms: By its own clock, A expects its lease to end at 10 s.
            0 ms: A reads the row: nothing has been written yet.
            0 ms: A begins to compute.
            10000 ms: The lease under epoch 1 ends by the lock service’s clock. A is not told.
            15000 ms: A has computed its write.
            15000 ms: A sends its write, under epoch 1.
            15000 ms: The destination applies A’s write under epoch 1: version 1.
            15000 ms: A concludes that its write was applied.
            15000 ms: A has done its work and gives up ownership.
            15000 ms: A tells the lock service that it gives the lock back.
            15000 ms: The lease under epoch 1 had ended before. Its release changes nothing.
            20000 ms: B runs again and does not know that it stood still.
            20000 ms: B asks for the lock.
            20000 ms: The lock service grants the lock to B for 10 s: epoch 2.
            20000 ms: B learns that it owns the lock under epoch 2.
            20000 ms: By its own clock, B expects its lease to end at 30 s.
            20000 ms: B reads the row at version 1.
            20000 ms: B begins to compute.
            21000 ms: B has computed its write.
            21000 ms: B sends its write, under epoch 2.
            21000 ms: The destination applies B’s write under epoch 2: version 2.
            21000 ms: B concludes that its write was applied.
            21000 ms: B has done its work and gives up ownership.
            21000 ms: B tells the lock service that it gives the lock back.
            21000 ms: The lock under epoch 2 is free again.
        "#]],
    );
}

#[test]
fn a_run_that_needs_more_grants_than_there_are_says_so() {
    let text = "scenario s\nworkers A B C\nlease 10s\nwork A compute 1s\nwork B compute 1s\nwork C compute 1s\nstart B at 3s\n\
                start C at 6s\nretry after 1s, 2 attempts\nfaults\n  network delays acquire of A by 20s\n  network delays acquire \
                of B by 30s\n  network delays acquire of C by 40s\n";
    let comparison = compare(&parse(text).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(comparison.runs[0].stopped_at, Some(Limit::Grants));
    expect![
        "The run ends before its time: the lock would be granted more than 4 times, which is as far as the model goes."
    ]
    .assert_eq(&headline(&comparison).split_once(". ").map_or_else(String::new, |(_, verdict)| verdict.to_owned()));
}

/// A's second grant begins when the destination's clock has shown the end of its lease already.
#[test]
fn a_deadline_that_has_passed_before_its_lease_begins_passes_at_once() {
    let text = "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 12s\nstart B at 20s\nclock destination \
                ahead 30s\nguard deadline\n";
    let comparison = compare(&parse(text).unwrap_or_else(|error| panic!("{error}")));
    let facts = &comparison.runs[0].facts;
    assert!(facts.is_sorted_by_key(|entry| entry.at), "time goes back: {facts:?}");
    let passed = |grant| {
        let passes = |fact: &Fact| matches!(*fact, Fact::DeadlinePassed { claim } if claim.grant == GrantId(grant));
        facts.iter().find(|entry| passes(&entry.fact)).map(|entry| entry.at.micros())
    };
    assert_eq!((passed(0), passed(1)), (Some(0), Some(20_000_000)));
}

/// Each renewal opens a term with a deadline of its own.
#[test]
fn deadlines_of_a_renewed_lease_pass_term_by_term() {
    let text = "scenario s\nworkers A\nlease 10s\nlatency 0s\nrenewal thread\nrenew every 6s\nwork A compute 25s\non-loss \
                ignore\nguard deadline\n";
    let comparison = compare(&parse(text).unwrap_or_else(|error| panic!("{error}")));
    let facts = &comparison.runs[0].facts;
    let at = |wanted: fn(&Fact) -> bool| -> Vec<u64> {
        facts.iter().filter(|entry| wanted(&entry.fact)).map(|entry| entry.at.micros() / 1_000_000).collect()
    };
    assert_eq!(at(|fact| matches!(fact, Fact::Renewed { .. })), [6, 12, 18, 24]);
    assert_eq!(at(|fact| matches!(fact, Fact::DeadlinePassed { .. })), [10, 16, 22]);
    assert_eq!(at(|fact| matches!(fact, Fact::Applied { .. })), [25]);
}

/// Its thread goes on as long as the worker is slow to stop, and has nothing left to renew.
#[test]
fn who_has_heard_that_its_lease_is_lost_renews_no_more() {
    let text = "scenario s\nworkers A B\nlease 10s\nlatency 0s\nrenewal thread\nrenew every 3s\non-loss slow\nstop after \
                20s\nwork A compute 1h\nwork B compute 1s\nstart B on expiry\nfaults\n  A freezes 15s at 1s\n";
    let comparison = compare(&parse(text).unwrap_or_else(|error| panic!("{error}")));
    let run = &comparison.runs[0];
    assert_eq!(run.stopped_at, None);
    assert!(run.reached(Situation::LeaseLost), "{:?}", run.facts);
    // A renews once it runs again, at 16 s, and hears that it is no owner.
    let renews = |fact: &Fact| match fact {
        Fact::Sent { message: Message::Request(request) } => {
            request.worker == WorkerId(0) && matches!(request.call, Call::Renew { .. })
        }
        _ => false,
    };
    let renewed = run.facts.iter().filter(|entry| renews(&entry.fact));
    assert_eq!(renewed.map(|entry| entry.at.micros() / 1_000_000).collect::<Vec<_>>(), [16]);
}

/// What happens while it waits for a change is no other change, unless the other replica changes once more.
#[test]
fn a_replica_hears_of_each_change_once() {
    for (operations, occurrence, strikes) in [(1, 1, true), (1, 2, false), (2, 2, true), (2, 3, false)] {
        let text = format!(
            "scenario s\nworkers A\nlease 10s\nwork A compute 1s operations {operations}\nreplicate after 5s\nreplicas \
             last-write\nfaults\n  network delays replication to replica-2 occurrence {occurrence} by 1m\n"
        );
        let comparison = compare(&parse(&text).unwrap_or_else(|error| panic!("{error}")));
        assert_eq!(comparison.runs[0].struck, [strikes], "occurrence {occurrence} of {operations}");
    }
}

/// The last term that can be counted has to end as well.
#[test]
fn a_lease_that_is_renewed_more_often_than_can_be_counted_ends_the_run() {
    let text = "scenario s\nworkers A\nlease 15s\nrenew every 2s\nrenewal thread\nwork A compute 1h\n";
    let comparison = compare(&parse(text).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(comparison.runs[0].stopped_at, Some(Limit::Renewals));
}
