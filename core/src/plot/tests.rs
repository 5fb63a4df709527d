//! What must be true of every figure, tried on the whole corpus with each parameter swept over its range.

use expect_test::expect_file;

use super::layout::{area_of, bounds_of};
use super::timeline::{Ending, Fate, HaltKind, LeaseEnd, Sign};
use super::*;
use crate::compare::{Comparison, compare};
use crate::event::Process;
use crate::fact::Fact;
use crate::invariant::Invariant;
use crate::message::{Call, Message};
use crate::scenario::{self, CORPUS, Scenario, parse};
use crate::story::story;
use crate::time::{Duration, Instant};
use crate::words::{Narrator, Tone};

const WIDTHS: [u32; 4] = [360, 600, 768, 1280];

fn corpus() -> impl Iterator<Item = Scenario> {
    CORPUS.iter().map(|entry| scenario_of(entry.text))
}

fn scenario_of(text: &str) -> Scenario {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn report_job(pause: u64) -> Comparison {
    let entry = scenario::find("paused-owner").expect("the report job is in the corpus");
    let mut scenario = scenario_of(entry.text);
    scenario.parameters[0].value = Duration::from_secs(pause);
    compare(&scenario)
}

/// The scenario with each of its parameters, one by one, at several values of its range.
fn swept(scenario: &Scenario) -> Vec<Scenario> {
    let mut all = vec![scenario.clone()];
    for (index, parameter) in scenario.parameters.iter().enumerate() {
        let (least, greatest) = parameter.range.unwrap_or((parameter.value, parameter.value));
        for part in 0..=12 {
            let length = greatest.micros() - least.micros();
            let mut other = scenario.clone();
            other.parameters[index].value = Duration::from_micros(least.micros() + length * part / 12);
            all.push(other);
        }
    }
    all
}

/// Scenarios that stretch a figure: many lanes, long names, times of milliseconds and of hours.
fn hard() -> Vec<Scenario> {
    let crowded = "scenario crowded
workers  Wolfgang-Amadeus Bartholomew-The-Second Christina-Of-Sweden
lease    4s
epochs   from 9007199254740993
result   quarterly-report
retry    after 500ms, 3 attempts
work     Wolfgang-Amadeus compute 1s operations 2
work     Bartholomew-The-Second compute 1s operations 2
start    Bartholomew-The-Second at 100ms
start    Christina-Of-Sweden on expiry
faults
  Wolfgang-Amadeus freezes 9s before publish
  network loses reply to write of Bartholomew-The-Second
  network loses reply to acquire of Bartholomew-The-Second
compare
  nothing-at-all-is-checked-here  guard none
  highest-epoch  guard max-seen
  epoch-only     guard registered
  everything     guard registered, operation-ids in-transaction
";
    let quick = "scenario quick
workers  A B
lease    300us
latency  1us
work     A compute 50us
work     B compute 90us
start    B on expiry
faults
  A freezes 500us before publish
";
    let slow = "scenario slow
workers  A B
lease    100h
latency  20ms
work     A compute 50h
work     B compute 90h
start    B on expiry
faults
  A freezes 200h before publish
";
    let storm = "scenario storm
workers  A B C
lease    10s
epochs   from 33
work     A compute 3s operations 2
work     B compute 4s
work     C compute 2s
start    B on expiry
start    C at 200h
retry    after 2s, 3 attempts
renew    every 4s
faults
  A suspends 15s before publish
  B sticks 9s after compute
  B clock jumps ahead 8760h at 6s
  C crashes 100h before publish
  destination crashes at 25s
  destination freezes 6s before apply of A
  destination clock jumps behind 8760h at 26s
  lock-service crashes at 2s
  lock-service clock jumps behind 8760h at 5s
  lock-service forgets grant 1 at 50s
  provider forgets key of A at 40s
  network loses reply to renew of A
compare
  split-and-mortal  guard registered, transaction split, operation-ids in-transaction, control-row fails-open, issuer fails-over, renewal thread, effect mail
  paid-with-a-key   guard registered, issuer fails-over, renewal thread, effect payment, key pruned
";
    [crowded, quick, slow, storm].map(scenario_of).to_vec()
}

fn all_scenes() -> impl Iterator<Item = (String, Timeline, Scene)> {
    let scenarios = corpus().flat_map(|scenario| swept(&scenario)).chain(hard());
    scenarios.flat_map(|scenario| {
        let values: Vec<String> = scenario.parameters.iter().map(|one| format!("{} {}", one.name, one.value)).collect();
        let name = format!("{} {}", scenario.name, values.join(" "));
        let timeline = timeline(&compare(&scenario));
        WIDTHS.map(|width| (format!("{name} at {width}"), timeline.clone(), layout(&timeline, Options::width(width))))
    })
}

#[test]
fn texts_never_overlap() {
    for (name, _, scene) in all_scenes() {
        let texts: Vec<_> = scene.items.iter().filter_map(|item| Some((item, area_of(item)?))).collect();
        for (index, (item, area)) in texts.iter().enumerate() {
            for (other, other_area) in &texts[index + 1..] {
                assert!(!area.overlaps(other_area), "{name}: {:?} and {:?} overlap", item.shape, other.shape);
            }
        }
    }
}

#[test]
fn everything_is_inside() {
    for (name, _, scene) in all_scenes() {
        for item in &scene.items {
            let Some(area) = bounds_of(item) else { continue };
            let inside =
                area.left >= Px(0) && area.top >= Px(0) && area.right <= scene.width && area.bottom <= scene.height;
            assert!(inside, "{name}: {:?} is outside", item.shape);
        }
        for handle in &scene.handles {
            let x = scene.axis.x(handle.zero + handle.value);
            assert!(x <= scene.axis.right, "{name}: the handle of {} is outside", handle.parameter);
            assert!((0..=scene.height.0).contains(&handle.y.0));
        }
    }
}

/// What a figure is for must be in it, at any width.
#[test]
fn verdicts_are_written() {
    for (name, timeline, scene) in all_scenes().filter(|(name, ..)| !name.starts_with("crowded")) {
        for row in &timeline.rows {
            if row.verdict.fact.is_some() {
                let wanted = timeline.rows.iter().filter(|other| other.verdict.label == row.verdict.label).count();
                let label = |item: &&Item| {
                    item.class.contains("fp-verdict")
                        && matches!(&item.shape, Shape::Text { text, .. } if *text == row.verdict.label)
                };
                assert_eq!(scene.items.iter().filter(label).count(), wanted, "{name}: {:?}", row.verdict.label);
            }
        }
    }
}

/// What goes out into the world is drawn, and harm is drawn where there is some.
#[test]
fn effects_are_drawn_and_red_is_harm() {
    let mut drawn = 0;
    for scenario in corpus() {
        let comparison = compare(&scenario);
        for (row, run) in timeline(&comparison).rows.iter().zip(&comparison.runs) {
            let effects = run.facts.iter().filter(|entry| {
                matches!(
                    entry.fact,
                    Fact::Effected { .. }
                        | Fact::EffectRepeated { .. }
                        | Fact::EffectRefused { .. }
                        | Fact::EffectLookedUp { .. }
                )
            });
            let marks: Vec<_> = row.outside.iter().flat_map(|outside| &outside.marks).collect();
            assert_eq!(marks.len(), effects.count(), "{} {}", scenario.name, row.name);
            drawn += marks.len();
            let red = row.marks.iter().chain(marks).any(|mark| mark.fate == Fate::Violating)
                || row.events.iter().any(|event| event.sign == Sign::Broken);
            assert!(!red || row.verdict.tone == Tone::Broken, "{} {}: {:?}", scenario.name, row.name, row.verdict);
        }
    }
    assert!(drawn > 0, "the corpus has effects");
}

/// A step of a drag changes few nodes because there are few.
#[test]
fn figures_are_small() {
    for (name, _, scene) in all_scenes() {
        assert!(scene.items.len() < 250, "{name} has {} items", scene.items.len());
    }
}

#[test]
fn classes_are_in_the_style_sheet() {
    for (_, _, scene) in all_scenes() {
        for class in scene.items.iter().flat_map(|item| item.class.split(' ')) {
            assert!(
                CSS.contains(&format!(".{class}")) || class == "fp-small" || class == "fp-sub" || class == "fp-tick"
            );
        }
    }
}

#[test]
fn bars_end_where_their_facts_are() {
    for scenario in corpus() {
        let comparison = compare(&scenario);
        let Timeline { leases, workers, rows, arrows, .. } = timeline(&comparison);
        let facts = |run: usize| comparison.runs[run].facts.iter();
        let main = leases.first().map_or(0, |lease| lease.fact.run);
        let happened = |at: Instant, wanted: &dyn Fn(&Fact) -> bool| {
            facts(main).any(|entry| entry.at == at && wanted(&entry.fact))
        };
        for lease in leases {
            assert!(happened(lease.from, &|fact| matches!(fact, Fact::Granted { .. })));
            match lease.end {
                LeaseEnd::Expired => assert!(happened(lease.to, &|fact| matches!(fact, Fact::LeaseExpired { .. }))),
                LeaseEnd::Released => assert!(happened(lease.to, &|fact| matches!(fact, Fact::Released { .. }))),
                LeaseEnd::TakenAway => {
                    assert!(happened(lease.to, &|fact| matches!(fact, Fact::ReleasedByAnother { .. })));
                }
                LeaseEnd::Forgotten => assert!(happened(lease.to, &|fact| matches!(fact, Fact::IssuerRestored { .. }))),
                LeaseEnd::Open => assert_eq!(lease.to, comparison.runs[main].end()),
            }
            for renewal in lease.renewals {
                assert!(happened(renewal.at, &|fact| matches!(fact, Fact::Renewed { .. })));
                assert!(lease.from < renewal.at && renewal.at <= lease.to);
            }
        }
        for lane in workers {
            for belief in lane.beliefs {
                assert!(happened(belief.from, &|fact| matches!(fact, Fact::Acquired { .. })));
                if belief.stop.is_some() {
                    assert!(happened(belief.to, &|fact| matches!(fact, Fact::Stopped { .. })));
                }
                if let Some(end) = belief.outlasts {
                    assert!(happened(end, &|fact| matches!(
                        fact,
                        Fact::LeaseExpired { .. } | Fact::ReleasedByAnother { .. } | Fact::IssuerRestored { .. }
                    )));
                }
                // Who has crashed believes nothing.
                let gone = lane.halts.iter().filter(|halt| halt.kind == HaltKind::Crash);
                for halt in gone {
                    assert!(belief.to <= halt.from || halt.to <= belief.from, "{}: {belief:?}", scenario.name);
                }
            }
            for compute in lane.computes {
                let ends = happened(compute.to, &|fact| {
                    matches!(fact, Fact::ComputeEnded { .. } | Fact::Stopped { .. } | Fact::Crashed { .. })
                });
                assert!(ends || compute.to == comparison.runs[main].end(), "{}: {compute:?}", scenario.name);
                let broken_off = facts(main).find(|entry| {
                    let (Fact::Stopped { worker: of, .. } | Fact::Crashed { process: Process::Worker { worker: of } }) =
                        entry.fact
                    else {
                        return false;
                    };
                    of == lane.worker && entry.at >= compute.from
                });
                assert!(broken_off.is_none_or(|entry| compute.to <= entry.at), "{}: {compute:?}", scenario.name);
            }
            for halt in lane.halts {
                assert!(happened(halt.from, &|fact| match halt.kind {
                    HaltKind::Freeze => matches!(fact, Fact::Froze { .. }),
                    HaltKind::Suspend => matches!(fact, Fact::Suspended { .. }),
                    HaltKind::Stick => matches!(fact, Fact::Stuck { .. }),
                    HaltKind::Crash => matches!(fact, Fact::Crashed { .. }),
                }));
                let cut = lane_crashes(&comparison, main, halt.to);
                assert!(
                    cut || happened(halt.to, &|fact| match halt.kind {
                        HaltKind::Freeze => matches!(fact, Fact::Thawed { .. }),
                        HaltKind::Suspend => matches!(fact, Fact::Resumed { .. }),
                        HaltKind::Stick => matches!(fact, Fact::Unstuck { .. }),
                        HaltKind::Crash => matches!(fact, Fact::Sent { .. }),
                    })
                );
            }
        }
        for mark in rows.into_iter().flat_map(|row| row.marks) {
            assert_eq!(comparison.runs[mark.fact.run].facts[mark.fact.fact].at, mark.at);
        }
        for way in arrows.into_iter().flat_map(|arrow| arrow.ways) {
            let Some(entry) = facts(way.row).nth(way.fact.fact) else { panic!("a way ends with a fact") };
            assert_eq!(entry.at, way.ended);
            assert_eq!(matches!(entry.fact, Fact::Lost { .. }), way.end == Ending::Lost);
        }
    }
}

/// Whether the run ends at `at`, or somebody crashes then: what stands still does so no longer.
fn lane_crashes(comparison: &Comparison, run: usize, at: Instant) -> bool {
    let run = &comparison.runs[run];
    run.end() == at || run.facts.iter().any(|entry| entry.at == at && matches!(entry.fact, Fact::Crashed { .. }))
}

/// Why no item of a figure stands for a fact that the story tells; nothing if one must.
fn needs_no_item(fact: &Fact, main: bool) -> Option<&'static str> {
    match fact {
        Fact::LeaseExpired { .. } | Fact::Released { .. } => Some("the end of its bar"),
        Fact::Stopped { .. } | Fact::Thawed { .. } | Fact::Resumed { .. } | Fact::Unstuck { .. } => {
            Some("the end of its bar")
        }
        Fact::ComputeEnded { .. } => Some("the end of its bar"),
        Fact::Queued { .. } => Some("the line of its wait"),
        Fact::Reckoned { .. } => Some("a tick where it differs from the true end, and a place on the bar where not"),
        Fact::Extended { .. } => Some("the notch of the renewal"),
        Fact::Concluded { .. } => Some("the mark of the write, and the words at the arrow of its answer"),
        Fact::TimedOut { .. } => Some("the point of what the worker does then"),
        Fact::Lost { .. } | Fact::Held { .. } | Fact::ReplyIgnored { .. } | Fact::Duplicated { .. } => {
            Some("the arrow of a message, where it is worth one")
        }
        Fact::Admitted { .. } | Fact::Recorded { .. } => Some("the sleeve of its write, where its steps lie apart"),
        Fact::ClockSkewed => Some("the sign of the clock that is set"),
        Fact::Sent { message: Message::Request(request) } => match request.call {
            Call::Mint { .. } | Call::Acquire { .. } | Call::Renew { .. } => {
                Some("what the lock service makes of it: drawn itself where it is late or lost")
            }
            _ if main => None,
            _ => Some("lock service and workers are drawn as one row has them"),
        },
        Fact::Recognized { .. } => None,
        _ if main => None,
        Fact::Applied { .. }
        | Fact::Rejected { .. }
        | Fact::Replayed { .. }
        | Fact::Effected { .. }
        | Fact::EffectRepeated { .. }
        | Fact::EffectRefused { .. }
        | Fact::EffectLookedUp { .. }
        | Fact::OutboxCleared { .. }
        | Fact::KeyPruned { .. }
        | Fact::RegistrationRefused { .. }
        | Fact::ReadRefused { .. }
        | Fact::RecognizedAgain { .. }
        | Fact::LookedUp { .. }
        | Fact::DeadlinePassed { .. }
        | Fact::Merged { .. }
        | Fact::ControlRowLost
        | Fact::Crashed { process: Process::Destination } => None,
        _ => Some("lock service and workers are drawn as one row has them"),
    }
}

/// From when to when that work took which began with `fact`.
fn compute_of(timeline: &Timeline, fact: FactRef) -> Option<(Instant, Instant)> {
    let mut computes = timeline.workers.iter().flat_map(|lane| &lane.computes);
    computes.find(|compute| compute.fact == fact).map(|compute| (compute.from, compute.to))
}

/// Whatever the story tells is drawn: an item stands for it alone, or with what happens beside it, and says so.
#[test]
fn what_the_story_tells_is_drawn() {
    let mut missing = Vec::new();
    for scenario in corpus() {
        let comparison = compare(&scenario);
        let timeline = timeline(&comparison);
        let main = timeline.leases.first().map_or(0, |lease| lease.fact.run);
        for width in WIDTHS {
            let scene = layout(&timeline, Options::width(width));
            for line in story(&comparison) {
                // The lanes above tell it as one row has it; of those below each must.
                for &fact in &line.facts {
                    let what = &comparison.runs[fact.run].facts[fact.fact].fact;
                    if needs_no_item(what, fact.run == main).is_some() {
                        continue;
                    }
                    let said = Narrator::new(&scenario, &comparison.runs[fact.run]).fact(fact.fact);
                    let shown = scene.items.iter().any(|item| {
                        item.fact == Some(fact) || item.label.as_ref().is_some_and(|label| label.contains(&said))
                    });
                    // A notch may stand for many, and work of no time has no bar.
                    let (renewed, computes) =
                        (matches!(what, Fact::Renewed { .. }), matches!(what, Fact::ComputeBegan { .. }));
                    let length = computes.then(|| compute_of(&timeline, fact)).flatten();
                    let unseen = length.is_some_and(|(from, to)| scene.axis.x(to) - scene.axis.x(from) < Px(20));
                    if !shown && !renewed && !unseen {
                        missing.push(format!("{} at {width}: {said}", scenario.name));
                    }
                }
            }
        }
    }
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "{} are not drawn:\n{}", missing.len(), missing.join("\n"));
}

/// Each way of standing still, and each part of what belongs to bars, has a pattern of its own.
#[test]
fn ways_of_standing_still_do_not_look_alike() {
    let text = "scenario s
workers A
lease 5m
work A compute 100s
faults
  A freezes 10s at 10s
  A suspends 10s at 30s
  A sticks 10s at 50s
  A crashes 10s at 70s
";
    let scene = layout(&timeline(&compare(&scenario_of(text))), Options::width(1280));
    let mut patterns = Vec::new();
    for (index, item) in scene.items.iter().enumerate() {
        if item.class == "fp-hatch" {
            let Shape::Path { d } = &scene.items[index].shape else { panic!("a hatch is a path") };
            // The strokes as they go on from where each begins.
            let strokes: String = d
                .split('M')
                .filter_map(|part| part.split_once('L').or(part.split_once('l')))
                .take(1)
                .map(|(from, to)| {
                    let place =
                        |text: &str| -> Vec<f64> { text.split([' ', 'm']).filter_map(|n| n.parse().ok()).collect() };
                    let (from, to) = (place(from), place(to));
                    format!("{} {}", to[0] == from[0], to.get(1) == from.get(1))
                })
                .collect();
            patterns.push((scene.items[index - 1].class, strokes));
        }
    }
    let classes: Vec<&str> = patterns.iter().map(|(class, _)| *class).collect();
    assert_eq!(classes, ["fp-freeze", "fp-suspended", "fp-stuck", "fp-down"]);
    assert_eq!(patterns[0].1, "false false", "rising");
    assert_eq!(patterns[1].1, "false true", "along");
    assert_eq!(patterns[2].1, "true false", "across");
}

/// On a broken axis places and times still belong together, and everything keeps its order.
#[test]
fn a_broken_axis_goes_there_and_back() {
    let text = "scenario s
workers A B
lease 1h
work A compute 2s
work B compute 2s
start B at 1s
faults
  A crashes 30s before publish
";
    for width in WIDTHS {
        let axis = layout(&timeline(&compare(&scenario_of(text))), Options::width(width)).axis;
        let gaps: Vec<Break> = axis.breaks.into_iter().flatten().collect();
        let [gap] = gaps.as_slice() else { panic!("an hour in which nothing happens is left out") };
        assert!(gap.to.since(gap.from) > Duration::from_secs(3000));
        let after = gap.to + Duration::from_secs(1);
        let instants = [Instant::START, gap.from, gap.from + Duration::from_secs(900), gap.to, after, axis.end];
        for pair in instants.windows(2) {
            assert!(axis.x(pair[0]) < axis.x(pair[1]), "{pair:?}");
        }
        assert_eq!(axis.x(gap.to) - axis.x(gap.from), BREAK);
        for at in instants {
            let x = axis.x(at);
            let there = axis.x(axis.at(f64::from(x.0) / 10.0));
            assert!((there.0 - x.0).abs() <= 1, "{at:?} stands at {x}, and {there} comes back");
        }
    }
    let whole = layout(&timeline(&report_job(15)), Options::width(720)).axis;
    assert_eq!(whole.breaks, [None; MAX_BREAKS], "what takes seconds is drawn to scale");
}

/// An effect that is based on an old read is unmistakable at any width.
#[test]
fn stale_effects_are_marked() {
    let mut seen = 0;
    for scenario in corpus() {
        let comparison = compare(&scenario);
        let stale: Vec<FactRef> = comparison
            .runs
            .iter()
            .enumerate()
            .flat_map(|(run, of)| of.violations.iter().map(move |violation| (run, violation)))
            .filter(|(_, violation)| violation.evidence.invariant == Invariant::NoStaleEffect)
            .map(|(run, violation)| FactRef { run, fact: violation.fact })
            .collect();
        seen += stale.len();
        let timeline = timeline(&comparison);
        for width in WIDTHS {
            let scene = layout(&timeline, Options::width(width));
            for fact in &stale {
                let mark = scene.items.iter().find(|item| item.class == "fp-violating" && item.fact == Some(*fact));
                assert!(mark.is_some(), "{} at {width}: {fact:?}", scenario.name);
            }
        }
    }
    assert!(seen >= 4);
}

/// The regimes of the report job, as a figure tells them: what became of each write, row by row.
#[test]
fn fates_in_the_three_regimes() {
    use Fate::{Applied, Asked, Late, Rejected, Violating};
    let fates = |pause| {
        let rows = timeline(&report_job(pause)).rows;
        rows.iter().map(|row| row.marks.iter().map(|mark| mark.fate).collect()).collect::<Vec<Vec<Fate>>>()
    };
    let expected = [
        (5, [vec![Applied], vec![Asked, Applied], vec![Applied]]),
        (9, [vec![Late, Violating], vec![Asked, Late, Violating], vec![Rejected, Applied]]),
        (15, [vec![Applied, Violating], vec![Asked, Applied, Violating], vec![Applied, Rejected]]),
    ];
    for (pause, expected) in expected {
        assert_eq!(fates(pause), expected, "with a pause of {pause} s");
    }
}

#[test]
fn every_parameter_of_the_report_job_has_its_handle() {
    let scene = layout(&timeline(&report_job(15)), Options::width(1080));
    let [handle] = scene.handles.as_slice() else { panic!("one parameter, one handle") };
    assert_eq!((handle.parameter.as_str(), handle.value), ("pause", Duration::from_secs(15)));
    assert_eq!(handle.label, "how long A is frozen");
    let end = scene.items.iter().find_map(|item| match (item.class, &item.shape) {
        ("fp-freeze", Shape::Rect { x, width, .. }) => Some(Px(x.0 + width.0)),
        _ => None,
    });
    assert_eq!(end, Some(scene.axis.x(handle.zero + handle.value)), "the handle stands at the end of the freeze");
}

/// While a handle is dragged, the axis can be held.
#[test]
fn the_axis_reaches_as_far_as_asked() {
    let long = layout(&timeline(&report_job(15)), Options::width(720)).axis;
    let held = layout(&timeline(&report_job(5)), Options { width: 720, held: Some(long) }).axis;
    assert_eq!((held.left, held.right, held.end), (long.left, long.right, long.end));
}

#[test]
fn the_same_figure_has_the_same_bytes() {
    let draw = |width| svg(&layout(&timeline(&report_job(15)), Options::width(width)), Style::Embedded);
    for width in WIDTHS {
        assert_eq!(draw(width), draw(width));
    }
}

#[test]
fn the_svg_is_plain_and_closed() {
    let mut comparison = report_job(15);
    comparison.scenario.workers[0].name = "<A & \"B\">\u{1}".to_owned();
    for style in [Style::Embedded, Style::Page] {
        let text = svg(&layout(&timeline(&comparison), Options::width(720)), style);
        for forbidden in [" style=", " id=", "var(", "url(", "script", "<A", "\u{1}", "light-dark"] {
            assert!(!text.contains(forbidden), "{forbidden} in\n{text}");
        }
        assert!(text.contains("&lt;A &amp; &quot;B&quot;&gt;"));
        assert!(text.contains("role=\"img\"") && text.contains("<title>") && text.contains("<desc>"));
        assert_eq!(text.matches("<text").count(), text.matches("</text>").count());
    }
}

/// Widths beyond reason do no harm.
#[test]
fn any_width_is_laid_out() {
    let timeline = timeline(&report_job(15));
    for width in [0, 1, 279, 599, 8_000, u32::MAX] {
        let scene = layout(&timeline, Options::width(width));
        assert!(scene.axis.right > scene.axis.left);
    }
}

#[test]
fn snapshots() {
    for pause in [5, 9, 15] {
        let scene = layout(&timeline(&report_job(pause)), Options::width(1080));
        expect_file![format!("{}/src/plot/snapshots/report-job-{pause}s.svg", env!("CARGO_MANIFEST_DIR"))]
            .assert_eq(&svg(&scene, Style::Embedded));
    }
}
