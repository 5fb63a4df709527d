//! What must be true of every figure, tried on the whole corpus with each parameter swept over its range.

use expect_test::expect_file;

use super::layout::{area_of, bounds_of};
use super::timeline::{Ending, Fate, LeaseEnd, OutwardFate};
use super::*;
use crate::compare::{Comparison, compare};
use crate::event::Process;
use crate::fact::Fact;
use crate::scenario::{self, CORPUS, Scenario, parse};
use crate::time::{Duration, Instant};
use crate::words::Tone;

const WIDTHS: [u32; 4] = [328, 600, 720, 1080];

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
    [crowded, quick, slow].map(scenario_of).to_vec()
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
                matches!(entry.fact, Fact::Effected { .. } | Fact::EffectRepeated { .. } | Fact::EffectRefused { .. })
            });
            assert_eq!(row.effects.len(), effects.count(), "{} {}", scenario.name, row.name);
            drawn += row.effects.len();
            let red = row.marks.iter().any(|mark| mark.fate == Fate::Violating)
                || row.effects.iter().any(|effect| effect.fate == OutwardFate::Amiss);
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
        let happened =
            |at: Instant, wanted: &dyn Fn(&Fact) -> bool| facts(0).any(|entry| entry.at == at && wanted(&entry.fact));
        for lease in leases {
            assert!(happened(lease.from, &|fact| matches!(fact, Fact::Granted { .. })));
            match lease.end {
                LeaseEnd::Expired => assert!(happened(lease.to, &|fact| matches!(fact, Fact::LeaseExpired { .. }))),
                LeaseEnd::Released => assert!(happened(lease.to, &|fact| matches!(fact, Fact::Released { .. }))),
                LeaseEnd::Open => assert_eq!(lease.to, comparison.runs[0].end()),
            }
        }
        for lane in workers {
            for belief in lane.beliefs {
                assert!(happened(belief.from, &|fact| matches!(fact, Fact::Acquired { .. })));
                if belief.stop.is_some() {
                    assert!(happened(belief.to, &|fact| matches!(fact, Fact::Stopped { .. })));
                }
                if let Some(end) = belief.outlasts {
                    assert!(happened(end, &|fact| matches!(fact, Fact::LeaseExpired { .. })));
                }
            }
            for compute in lane.computes {
                let ends = happened(compute.to, &|fact| {
                    matches!(fact, Fact::ComputeEnded { .. } | Fact::Stopped { .. } | Fact::Crashed { .. })
                });
                assert!(ends || compute.to == comparison.runs[0].end(), "{}: {compute:?}", scenario.name);
                let broken_off = facts(0).find(|entry| {
                    let (Fact::Stopped { worker: of, .. } | Fact::Crashed { process: Process::Worker { worker: of } }) =
                        entry.fact
                    else {
                        return false;
                    };
                    of == lane.worker && entry.at >= compute.from
                });
                assert!(broken_off.is_none_or(|entry| compute.to <= entry.at), "{}: {compute:?}", scenario.name);
            }
            for crash in lane.crashes {
                assert!(happened(crash.at, &|fact| matches!(fact, Fact::Crashed { .. })));
            }
            for freeze in lane.freezes {
                assert!(happened(freeze.from, &|fact| matches!(fact, Fact::Froze { .. })));
                assert!(happened(freeze.to, &|fact| matches!(fact, Fact::Thawed { .. })));
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
    let held = layout(&timeline(&report_job(5)), Options { width: 720, until: Some(long.end) }).axis;
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
