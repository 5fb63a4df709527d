//! What runs are told as, and how they are held against what was expected of them, where that has gone wrong before.

use fencepost_core::compare::compare;
use fencepost_core::expect;
use fencepost_core::fact::Fact;
use fencepost_core::scenario::{Scenario, parse};
use fencepost_core::story::story;
use fencepost_core::words::{Narrator, headline};

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
