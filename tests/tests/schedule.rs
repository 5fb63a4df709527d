//! What the timed driver does with a schedule: freezes, timers, clocks, standbys, ties.

use expect_test::{Expect, expect};
use fencepost_core::compare::compare;
use fencepost_core::scenario::parse;
use fencepost_core::story::story;

/// Tells the story of a scenario, milliseconds first.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let lines = story(&compare(&scenario));
    let told: String = lines.iter().map(|line| format!("{:>6} {}\n", line.at.micros() / 1_000, line.text)).collect();
    expected.assert_eq(&told);
}

#[test]
fn a_freeze_in_the_middle_of_the_work_leaves_the_rest_of_it_to_be_done() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nwork A compute 3s\nfaults\n  A freezes 10s at 1s\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 1 min: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 1 min.
                 0 A reads the row: nothing has been written yet.
                 0 A begins to compute.
              1000 A freezes for 10 s.
             11000 A runs again and does not know that it stood still.
             13000 A has computed its write.
             13000 A sends its write, under epoch 1.
             13000 The destination applies A’s write under epoch 1: version 1.
             13000 A concludes that its write was applied.
             13000 A has done its work and gives up ownership.
             13000 A tells the lock service that it gives the lock back.
             13000 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_freeze_before_the_work_delays_all_of_it() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nwork A compute 3s\nfaults\n  A freezes 10s before compute\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 1 min: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 1 min.
                 0 A reads the row: nothing has been written yet.
                 0 A freezes for 10 s.
             10000 A runs again and does not know that it stood still.
             10000 A begins to compute.
             13000 A has computed its write.
             13000 A sends its write, under epoch 1.
             13000 The destination applies A’s write under epoch 1: version 1.
             13000 A concludes that its write was applied.
             13000 A has done its work and gives up ownership.
             13000 A tells the lock service that it gives the lock back.
             13000 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn two_freezes_that_overlap_end_with_the_later() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nwork A compute 3s\nfaults\n  A freezes 4s at 1s\n  A freezes 4s at 3s\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 1 min: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 1 min.
                 0 A reads the row: nothing has been written yet.
                 0 A begins to compute.
              1000 A freezes for 4 s.
              3000 A freezes for 4 s.
              7000 A runs again and does not know that it stood still.
              9000 A has computed its write.
              9000 A sends its write, under epoch 1.
              9000 The destination applies A’s write under epoch 1: version 1.
              9000 A concludes that its write was applied.
              9000 A has done its work and gives up ownership.
              9000 A tells the lock service that it gives the lock back.
              9000 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn an_answer_that_reaches_a_frozen_process_is_read_when_it_runs_again() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 100ms\nwork A compute 1s\nfaults\n  A freezes 1500ms after publish\n",
        &expect![[r#"
                 0 A asks for the lock.
               100 The lock service grants the lock to A for 1 min: epoch 1.
               200 A learns that it owns the lock under epoch 1.
               200 By its own clock, A expects its lease to end at 1 min.
               200 A reads the row: nothing has been written yet.
               200 A begins to compute.
              1200 A has computed its write.
              1200 A sends its write, under epoch 1.
              1200 A freezes for 1.5 s.
              1300 The destination applies A’s write under epoch 1: version 1.
              1400 An answer to A’s write arrives. A is frozen and cannot read it.
              2700 A runs again and does not know that it stood still.
              2700 A concludes that its write was applied.
              2700 A has done its work and gives up ownership.
              2700 A tells the lock service that it gives the lock back.
              2800 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn patience_that_ends_during_a_freeze_ends_after_the_answer_is_read() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 100ms\nwork A compute 1s\nretry after 1s, 2 attempts\nfaults\n  A freezes 5s \
         after publish\n",
        &expect![[r#"
                 0 A asks for the lock.
               100 The lock service grants the lock to A for 1 min: epoch 1.
               200 A learns that it owns the lock under epoch 1.
               200 By its own clock, A expects its lease to end at 1 min.
               200 A reads the row: nothing has been written yet.
               200 A begins to compute.
              1200 A has computed its write.
              1200 A sends its write, under epoch 1.
              1200 A freezes for 5 s.
              1300 The destination applies A’s write under epoch 1: version 1.
              1400 An answer to A’s write arrives. A is frozen and cannot read it.
              6200 A runs again and does not know that it stood still.
              6200 A concludes that its write was applied.
              6200 A has done its work and gives up ownership.
              6200 A tells the lock service that it gives the lock back.
              6300 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn patience_runs_on_the_workers_own_clock() {
    check(
        "scenario s\nworkers A\nlease 60s\nlatency 0s\nretry after 1s, 2 attempts\nclock A ahead 5s fast 250000ppm\nfaults\n  \
         network loses write of A\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 1 min: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 65 s.
                 0 A reads the row: nothing has been written yet.
                 0 A begins to compute.
                 0 A has computed its write.
                 0 A sends its write, under epoch 1.
                 0 A’s write is lost on its way.
               800 A has no answer to A’s write and waits no longer.
               800 A sends its write again, under epoch 1.
               800 The destination applies A’s write under epoch 1: version 1.
               800 A concludes that its write was applied.
               800 A has done its work and gives up ownership.
               800 A tells the lock service that it gives the lock back.
               800 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_worker_that_waits_for_the_lock_does_not_lose_patience() {
    check(
        "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 8s\nwork B compute 1s\nretry after 1s, 2 attempts\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 10 s: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 10 s.
                 0 B asks for the lock.
                 0 The lock is taken. B waits for it.
                 0 A reads the row: nothing has been written yet.
                 0 A begins to compute.
              8000 A has computed its write.
              8000 A sends its write, under epoch 1.
              8000 The destination applies A’s write under epoch 1: version 1.
              8000 A concludes that its write was applied.
              8000 A has done its work and gives up ownership.
              8000 A tells the lock service that it gives the lock back.
              8000 The lock under epoch 1 is free again.
              8000 The lock service grants the lock to B for 10 s: epoch 2.
              8000 B learns that it owns the lock under epoch 2.
              8000 By its own clock, B expects its lease to end at 10 s.
              8000 B reads the row at version 1.
              8000 B begins to compute.
              9000 B has computed its write.
              9000 B sends its write, under epoch 2.
              9000 The destination applies B’s write under epoch 2: version 2.
              9000 B concludes that its write was applied.
              9000 B has done its work and gives up ownership.
              9000 B tells the lock service that it gives the lock back.
              9000 The lock under epoch 2 is free again.
        "#]],
    );
}

#[test]
fn a_standby_is_not_called_while_the_owner_gives_the_lock_back_by_itself() {
    check(
        "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 1s\nwork B compute 1s\nstart B on expiry\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 10 s: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 10 s.
                 0 A reads the row: nothing has been written yet.
                 0 A begins to compute.
              1000 A has computed its write.
              1000 A sends its write, under epoch 1.
              1000 The destination applies A’s write under epoch 1: version 1.
              1000 A concludes that its write was applied.
              1000 A has done its work and gives up ownership.
              1000 A tells the lock service that it gives the lock back.
              1000 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_lease_ends_before_a_message_of_the_same_instant_arrives() {
    check(
        "scenario s\nworkers A B\nlease 10s\nlatency 0s\nwork A compute 10s\nwork B compute 1s\nguard client-check\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 10 s: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 10 s.
                 0 B asks for the lock.
                 0 The lock is taken. B waits for it.
                 0 A reads the row: nothing has been written yet.
                 0 A begins to compute.
             10000 The lease under epoch 1 ends by the lock service’s clock. A is not told.
             10000 The lock service grants the lock to B for 10 s: epoch 2.
             10000 B learns that it owns the lock under epoch 2.
             10000 By its own clock, B expects its lease to end at 10 s.
             10000 A has computed its write.
             10000 A asks the lock service whether it still owns the lock. It does not.
             10000 A does not send its write.
             10000 A no longer believes that it is the owner, and stops.
             10000 B reads the row: nothing has been written yet.
             10000 B begins to compute.
             11000 B has computed its write.
             11000 B asks the lock service whether it still owns the lock. It does, now.
             11000 B sends its write, under epoch 2.
             11000 The destination applies B’s write under epoch 2: version 1.
             11000 B concludes that its write was applied.
             11000 B has done its work and gives up ownership.
             11000 B tells the lock service that it gives the lock back.
             11000 The lock under epoch 2 is free again.
        "#]],
    );
}

#[test]
fn a_lost_grant_is_asked_for_again_and_is_the_same_grant() {
    check(
        "scenario s\nworkers A\nlease 10s\nlatency 100ms\nretry after 1s, 2 attempts\nfaults\n  network loses reply to acquire \
         of A\n",
        &expect![[r#"
                 0 A asks for the lock.
               100 The lock service grants the lock to A for 10 s: epoch 1.
               200 The answer to A’s request for the lock is lost on its way.
              1100 A has no answer to A’s request for the lock and waits no longer.
              1100 A asks again for the lock.
              1200 A owns the lock already: the lock service repeats epoch 1.
              1300 A learns that it owns the lock under epoch 1.
              1300 By its own clock, A expects its lease to end at 11.1 s.
              1300 A reads the row: nothing has been written yet.
              1300 A begins to compute.
              1300 A has computed its write.
              1300 A sends its write, under epoch 1.
              1400 The destination applies A’s write under epoch 1: version 1.
              1500 A concludes that its write was applied.
              1500 A has done its work and gives up ownership.
              1500 A tells the lock service that it gives the lock back.
              1600 The lock under epoch 1 is free again.
        "#]],
    );
}

#[test]
fn a_worker_without_an_answer_to_its_last_try_does_not_know_and_keeps_the_lock() {
    check(
        "scenario s\nworkers A\nlease 10s\nlatency 100ms\nretry after 1s, 1 attempts\nfaults\n  network loses reply to write of \
         A\n",
        &expect![[r#"
                 0 A asks for the lock.
               100 The lock service grants the lock to A for 10 s: epoch 1.
               200 A learns that it owns the lock under epoch 1.
               200 By its own clock, A expects its lease to end at 10 s.
               200 A reads the row: nothing has been written yet.
               200 A begins to compute.
               200 A has computed its write.
               200 A sends its write, under epoch 1.
               300 The destination applies A’s write under epoch 1: version 1.
               400 The answer to A’s write is lost on its way.
              1200 A has no answer to A’s write and waits no longer.
              1200 A cannot tell whether its write was applied.
              1200 A has asked as often as it ever does, and stops.
             10100 The lease under epoch 1 ends by the lock service’s clock. A is not told.
        "#]],
    );
}

#[test]
fn a_second_operation_reads_what_the_first_has_written() {
    check(
        "scenario s\nworkers A\nlease 10s\nlatency 0s\nwork A compute 1s operations 2\n",
        &expect![[r#"
             0 A asks for the lock.
             0 The lock service grants the lock to A for 10 s: epoch 1.
             0 A learns that it owns the lock under epoch 1.
             0 By its own clock, A expects its lease to end at 10 s.
             0 A reads the row: nothing has been written yet.
             0 A begins to compute.
          1000 A has computed its write 1.
          1000 A sends its write 1, under epoch 1.
          1000 The destination applies A’s write 1 under epoch 1: version 1.
          1000 A concludes that its write 1 was applied.
          1000 A reads the row at version 1.
          1000 A begins to compute.
          2000 A has computed its write 2.
          2000 A sends its write 2, under epoch 1.
          2000 The destination applies A’s write 2 under epoch 1: version 2.
          2000 A concludes that its write 2 was applied.
          2000 A has done its work and gives up ownership.
          2000 A tells the lock service that it gives the lock back.
          2000 The lock under epoch 1 is free again.
    "#]],
    );
}

#[test]
fn a_delayed_registration_is_refused_once_a_newer_one_is_recognized() {
    check(
        "scenario s\nworkers A B\nlease 2s\nlatency 0s\nwork A compute 1s\nwork B compute 1s\nstart B on expiry\nretry after 9s, \
         1 attempts\nguard registered\nfaults\n  network delays register of A by 3s\n",
        &expect![[r#"
                 0 A asks for the lock.
                 0 The lock service grants the lock to A for 2 s: epoch 1.
                 0 A learns that it owns the lock under epoch 1.
                 0 By its own clock, A expects its lease to end at 2 s.
                 0 A asks the destination to recognize epoch 1.
              2000 The lease under epoch 1 ends by the lock service’s clock. A is not told.
              2000 B asks for the lock.
              2000 The lock service grants the lock to B for 2 s: epoch 2.
              2000 B learns that it owns the lock under epoch 2.
              2000 By its own clock, B expects its lease to end at 4 s.
              2000 B asks the destination to recognize epoch 2.
              2000 The destination recognizes epoch 2: from now on it takes writes under no other.
              2000 B reads the row: nothing has been written yet.
              2000 B begins to compute.
              3000 The destination does not recognize epoch 1: epoch 1 is lower than 2.
              3000 A now knows that it is no longer the owner, and stops.
              3000 B has computed its write.
              3000 B sends its write, under epoch 2.
              3000 The destination applies B’s write under epoch 2: version 1.
              3000 B concludes that its write was applied.
              3000 B has done its work and gives up ownership.
              3000 B tells the lock service that it gives the lock back.
              3000 The lock under epoch 2 is free again.
        "#]],
    );
}
