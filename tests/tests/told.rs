//! What runs are told as, and how they are held against what was expected of them, where that has gone wrong before.

use fencepost_core::compare::compare;
use fencepost_core::expect;
use fencepost_core::fact::Fact;
use fencepost_core::scenario::{Scenario, parse};
use fencepost_core::story::story;
use fencepost_core::time::Duration;
use fencepost_core::words::{Narrator, Tone, headline, span};

fn scenario(lines: &str) -> Scenario {
    let text = format!("scenario told\nworkers A B\nlease 10s\n{lines}");
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Everything that is said of the scenario's runs.
fn told(scenario: &Scenario) -> String {
    let comparison = compare(scenario);
    let mut text = headline(&comparison);
    for run in &comparison.runs {
        text += &format!("\n{}", Narrator::new(scenario, run).verdict().sentence);
    }
    for line in story(&comparison) {
        text += &format!("\n{}", line.text);
    }
    text
}

#[test]
fn data_that_a_replica_brings_back_can_be_told() {
    let text = told(&scenario("work A compute 12s\nreplicate after 5s\nreplicas last-write\n"));
    assert!(text.contains("comes back over"), "{text}");
}

#[test]
fn a_check_says_what_it_asks() {
    for (settings, expected) in [
        ("guard client-check", "A asks the lock service whether"),
        ("guard client-check, asks lock-replica", "A asks a replica of the lock service whether"),
        ("guard client-check, asks destination", "A asks the destination whether it knows a higher epoch"),
        ("guard self-check", "A looks at its own clock"),
    ] {
        let text = told(&scenario(&format!("{settings}\n")));
        assert!(text.contains(expected), "{settings}: {text}");
    }
}

/// The question goes to the provider, and what is said of its answer is what the provider knows by then.
#[test]
fn a_payment_is_asked_about_and_told() {
    let lines = "result booking\nretry after 1s, 2 attempts\neffect payment\nstart B at 9h\n";
    for (outcome, fault, expected) in [
        (
            "looked-up",
            "loses reply to effect of A",
            vec![
                "A asks the provider whether its booking has been paid.",
                "The provider finds that A’s booking has not been paid, as far as it can tell.",
                "A asks the provider again whether its booking has been paid.",
                "The provider finds that A’s booking has been paid.",
            ],
        ),
        (
            "looked-up",
            "loses reply to effect-look-up of A",
            vec![
                "The answer to A’s question about a payment for A’s booking is lost on its way.",
                "A has no answer to A’s question about a payment for A’s booking and waits no longer.",
            ],
        ),
        (
            "failed",
            "delays effect of A by 3s",
            vec![
                "A takes a payment for its booking for failed.",
                "A payment for A’s booking goes out after A has taken it for failed.",
            ],
        ),
        (
            "failed",
            "loses reply to effect of A",
            vec!["A payment for A’s booking has gone out, yet A takes it for failed"],
        ),
    ] {
        let text = told(&scenario(&format!("{lines}effect-outcome {outcome}\nfaults\n  network {fault}\n")));
        for sentence in expected {
            assert!(text.contains(sentence), "{fault}: {sentence}\n{text}");
        }
    }
    // Once it may not pay again, it asks for the last time; the payment arrives later still.
    let lines = lines.replace("2 attempts", "1 attempt");
    let fault = "network delays effect of A by 5s";
    let text = told(&scenario(&format!("{lines}effect-outcome looked-up\nfaults\n  {fault}\n")));
    assert!(text.contains("A asks the provider for the last time whether its booking has been paid."), "{text}");
    assert!(text.contains("A payment for A’s booking goes out, but A does not hear of that."), "{text}");
}

#[test]
fn a_holder_that_is_no_longer_named_does_not_hear_of_an_epoch() {
    let text = told(&scenario("start B on expiry\nguard holder\nfaults\n  A freezes 15s before publish\n"));
    assert!(text.contains("refuses A’s write: the store names another holder, or none."), "{text}");
}

#[test]
fn an_owner_that_is_refused_by_mistake_does_not_hear_that_it_is_none() {
    let text = told(&scenario("start B at 9h\nguard greater-than\nfaults\n  network loses reply to write of A\n"));
    assert!(text.contains("epoch 1 is not higher than 1"), "{text}");
    assert!(text.contains("A is refused, though its grant is the latest, and stops."), "{text}");
}

#[test]
fn what_is_sent_after_a_declaration_is_sent_under_the_declared_epoch() {
    let faults = "work B compute 1s\nstart B on expiry\nfaults\n  A freezes 15s before publish\n";
    for (guard, expected) in [
        ("registered", "A asks the destination to recognize epoch 3."),
        ("max-seen", "A sends its write again, under epoch 3."),
    ] {
        let text = told(&scenario(&format!("guard {guard}, token declared\n{faults}")));
        assert!(text.contains("A declares a higher epoch of its own: 3."), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

/// The destination goes by what the client calls its epoch, and so does what is said of a message.
#[test]
fn a_registration_that_is_lost_is_called_by_the_declared_epoch() {
    let faults = "A freezes 15s before publish\n  network loses register of A occurrence 2\n";
    let lines = format!("work B compute 1s\nstart B on expiry\nguard registered, token declared\nfaults\n  {faults}");
    let text = told(&scenario(&lines));
    assert!(text.contains("A’s registration of epoch 3 is lost on its way."), "{text}");
    assert!(text.contains("A has no answer to A’s registration of epoch 3 and waits no longer."), "{text}");
}

/// The lock service of a record that the candidates judge has no clock that would end anything.
#[test]
fn a_lease_ends_by_the_clock_of_who_judges_it() {
    let faults = "start B at 1s\nfaults\n  A freezes 20s before publish\n";
    for (settings, expected) in [
        ("candidates watch", "B has seen the record under epoch 1 unchanged for a lease by its own clock"),
        ("lease-by written", "By B’s clock, the end that A wrote down for epoch 1 has come. A is not told."),
        ("lease-by written, candidates poll", "By B’s clock, the end that A wrote down for epoch 1 has come."),
        ("lease-by wall", "The lease under epoch 1 ends by the lock service’s clock. A is not told."),
    ] {
        let text = told(&scenario(&format!("{}\n{faults}", settings.replace(", ", "\n"))));
        assert!(text.contains(expected), "{settings}: {text}");
        assert_eq!(text.contains("lock service’s clock"), settings == "lease-by wall", "{settings}: {text}");
    }
}

#[test]
fn an_owner_that_has_crashed_believes_nothing() {
    let faults = "faults\n  network delays write of A by 15s\n  A crashes 1h after publish\n";
    let text = told(&scenario(&format!("retry after 1m, 1 attempt\nstart B on expiry\nguard registered\n{faults}")));
    assert!(text.contains("A’s write was still under way when A crashed."), "{text}");
    assert!(!text.contains("still believes"), "{text}");
    // One that only freezes goes on believing.
    let text = told(&scenario("start B on expiry\nguard registered\nfaults\n  A freezes 15s before publish\n"));
    assert!(text.contains("A still believes that it owns the lock."), "{text}");
}

/// The verdict of each row: its tone and its label.
fn verdicts(scenario: &Scenario) -> Vec<(Tone, String)> {
    let comparison = compare(scenario);
    let verdict = |run| Narrator::new(scenario, run).verdict();
    comparison.runs.iter().map(verdict).map(|verdict| (verdict.tone, verdict.label)).collect()
}

#[test]
fn a_write_that_is_redone_is_not_called_refused() {
    let lines = "work A compute 3s\nwork B compute 4s\nstart B on expiry\nfaults\n  A freezes 9s before publish\ncompare\n  \
                 gives-up guard row-version\n  redone guard row-version, on-conflict redo\n";
    let scenario = scenario(lines);
    let told: Vec<String> = verdicts(&scenario).into_iter().map(|(_, label)| label).collect();
    assert_eq!(told, ["refused: row changed", "refused, then redone"]);
    let run = &compare(&scenario).runs[1];
    let verdict = Narrator::new(&scenario, run).verdict();
    assert!(verdict.fact.is_some_and(|fact| matches!(run.facts[fact].fact, Fact::Applied { .. })), "{verdict:?}");
}

/// Where the numbers are in no order, what counts is what becomes of the data: it is lost; or the newest owner is shut out;
/// or a destination that does without an order keeps all as it should be.
#[test]
fn safe_data_is_not_told_as_lost() {
    let lines = "work A compute 3s\nwork B compute 4s\nstart B on expiry\ntoken random\nfaults\n  A freezes 15s before \
                 publish\ncompare\n  seen guard max-seen\n  registered guard registered\n  holder guard holder\n";
    // Random tokens may happen to increase; these do not.
    let unordered = (0..20).map(|seed| scenario(&format!("seed {seed}\n{lines}"))).find(|scenario| {
        let shut_out =
            |run: &fencepost_core::run::Run| !run.holds(fencepost_core::invariant::Invariant::NewestAdmitted);
        compare(scenario).runs.iter().any(shut_out)
    });
    let scenario = unordered.expect("one of twenty draws is out of order");
    let expected =
        [(Tone::Broken, "applied though stale"), (Tone::Impaired, "newest owner refused"), (Tone::Kept, "refused")];
    assert_eq!(verdicts(&scenario), expected.map(|(tone, label)| (tone, label.to_owned())));
    assert!(told(&scenario).contains(" Meanwhile, epoch "), "what does not hold is said all the same");
}

#[test]
fn a_former_owner_that_writes_last_and_replaces_nothing_does_no_harm() {
    let lines = "work B compute 2s\nstart B on expiry\nguard row-version, on-conflict redo\nfaults\n  A freezes 15s before \
                 publish\n";
    assert_eq!(verdicts(&scenario(lines)), [(Tone::Impaired, "former owner writes last".to_owned())]);
}

#[test]
fn lengths_are_told_as_people_read_them() {
    for (micros, told) in [
        (30_000_391, "30 s"),
        (4_040_000, "4.04 s"),
        (999_999, "999.999 ms"),
        (20_000, "20 ms"),
        (120_000_400, "2 min"),
    ] {
        assert_eq!(span(Duration::from_micros(micros)), told);
    }
}

#[test]
fn a_lease_counts_from_when_its_turn_came_however_its_end_is_told() {
    for setting in ["lease-by written", "lease-by before-call", "lease-by wall", "lease-by monotonic"] {
        let scenario = scenario(&format!("work A compute 5s\nwork B compute 9s\n{setting}\n"));
        let run = &compare(&scenario).runs[0];
        let granted = run.facts.iter().filter(|entry| matches!(entry.fact, Fact::Granted { .. })).nth(1);
        let granted = granted.expect("B has its turn").at;
        let expired =
            run.facts.iter().find(|entry| entry.at > granted && matches!(entry.fact, Fact::LeaseExpired { .. }));
        assert!(expired.is_none(), "{setting}: B is done in time, and yet its lease ends: {expired:?}");
    }
}

#[test]
fn a_deadline_that_is_written_down_is_read_by_a_clock_that_is_set_later() {
    for (jump, ends) in [("ahead", 5), ("behind", 15)] {
        let faults = format!("faults\n  B clock jumps {jump} 5s at 1s\n");
        let scenario = scenario(&format!("work A compute 20s\nstart B at 2s\nlease-by written\n{faults}"));
        let run = &compare(&scenario).runs[0];
        let expired = run.facts.iter().find(|entry| matches!(entry.fact, Fact::LeaseExpired { .. }));
        let at = expired.expect("A works for longer than its lease").at;
        assert_eq!(at.micros() / 1_000_000, ends, "{jump}: A’s clock shows the end at 10 s");
    }
}

#[test]
fn a_run_that_stops_at_a_limit_keeps_nothing() {
    let scenario = scenario(
        "latency 0s\npoll every 1us\nwork A compute 1h\ncandidates poll\nexpect\n  all no-stale-overwrite holds\n  all never handover\n",
    );
    let comparison = compare(&scenario);
    assert!(comparison.runs[0].stopped_at.is_some());
    assert_eq!(expect::failures(&comparison).len(), 2);
}

#[test]
fn expectations_of_all_rows_and_of_one_do_not_contradict() {
    let text = "scenario told\nworkers A B\nlease 10s\nexpect\n  all applied-once holds\n  run applied-once violated\n";
    let error = parse(text).expect_err("they contradict");
    assert_eq!((error.line, error.column), (6, 3), "{error}");
}
