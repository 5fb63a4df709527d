use fencepost_core::scenario::CORPUS;
use fencepost_core::words::Narrator;

use super::*;

fn titles() -> Vec<String> {
    CORPUS.iter().map(|entry| entry.title().to_owned()).collect()
}

fn open() -> Rc<Session> {
    Rc::new(Session::open(titles(), CORPUS[0].text, None, 1072))
}

fn after(session: &Rc<Session>, actions: impl IntoIterator<Item = Action>) -> Rc<Session> {
    actions.into_iter().fold(session.clone(), |session, action| session.reduce(action))
}

fn pause(seconds: u64) -> Action {
    Action::Type { name: "pause".into(), text: seconds.to_string() }
}

fn hold(session: &Session) -> Action {
    Action::Hold { name: "pause".into(), x: place(session, 15) }
}

/// Where the handle of the pause stands for so many seconds.
fn place(session: &Session, seconds: u64) -> f64 {
    let axis = session.scene.axis;
    f64::from(axis.x(session.scene.handles[0].zero + Duration::from_secs(seconds)).0) / 10.0
}

fn arrive(question: usize) -> Action {
    Action::Arrive { question, text: CORPUS[question].text.into(), kept: None, opened: None }
}

#[test]
fn it_opens_at_the_first_difference_of_the_report_job() {
    let session = open();
    assert_eq!(CORPUS[session.question].name(), "paused-owner");
    assert_eq!(session.mistake, None);
    let line = &session.outcome.lines[session.line().unwrap()];
    assert!(line.facts.len() < session.outcome.comparison.runs.len(), "{line:?} is no difference");
}

#[test]
fn every_question_opens_without_a_mistake() {
    let first = open();
    for question in 1..CORPUS.len() {
        let session = after(&first, [Action::Choose(question), arrive(question)]);
        assert_eq!((session.question, &session.mistake), (question, &None));
        assert!(!session.outcome.headline.is_empty());
    }
}

#[test]
fn the_cursor_stays_at_the_first_difference_while_the_pause_changes() {
    let session = open();
    let short = after(&session, [hold(&session), Action::Drag(place(&session, 3))]);
    assert_eq!(short.outcome.difference, None, "no handover, no difference");
    assert_eq!(short.at(), short.outcome.end);
    assert_eq!(short.scene.axis, session.scene.axis, "the time under the pointer does not move");
    let long = after(&short, [Action::Drag(place(&session, 20)), Action::LetGo]);
    assert_eq!(long.line(), long.outcome.difference);
    assert!(long.line().is_some());
}

#[test]
fn a_parameter_is_set_in_the_text_and_run_at_once() {
    let session = after(&open(), [pause(9)]);
    assert!(session.text().contains("pause = 9s in"));
    assert_eq!(session.outcome.comparison.scenario.parameter("pause").unwrap().value, Duration::from_secs(9));
    assert!(session.is_edited());
    assert!(!after(&session, [pause(15)]).is_edited());
}

#[test]
fn a_value_outside_the_range_changes_nothing() {
    let session = open();
    let typed = after(&session, [pause(31)]);
    assert!(Rc::ptr_eq(&session.drafts, &typed.drafts));
    assert_eq!(typed.typed("pause"), Some("31"), "but it stays in its field");
    assert_eq!(after(&typed, [Action::Leave("pause".into())]).typed("pause"), Some("31"));
    let nudged = after(&typed, [Action::Nudge { name: "pause".into(), by: Nudge::Steps(1) }]);
    assert_eq!(nudged.typed("pause"), None, "until another value comes from elsewhere");
}

#[test]
fn half_a_number_stays_in_its_field_until_that_is_left() {
    let typed = after(&open(), [Action::Type { name: "pause".into(), text: "9.".into() }]);
    assert_eq!(typed.typed("pause"), Some("9."));
    assert!(typed.text().contains("pause = 9s in"));
    assert_eq!(after(&typed, [Action::Leave("pause".into())]).typed("pause"), None);
}

#[test]
fn keys_go_to_the_ends_of_the_range() {
    let nudged = |by| after(&open(), [Action::Nudge { name: "pause".into(), by }]).text().to_string();
    assert!(nudged(Nudge::Least).contains("pause = 0s in"));
    assert!(nudged(Nudge::Most).contains("pause = 30s in"));
}

#[test]
fn a_handle_that_is_not_held_does_not_move() {
    let session = open();
    assert!(Rc::ptr_eq(&session, &after(&session, [Action::Drag(9.0), Action::LetGo])));
}

#[test]
fn a_mistake_keeps_the_last_good_figure_and_the_text() {
    let session = after(&open(), [pause(9)]);
    let broken = after(&session, [Action::Edit("scenario\nnonsense".into())]);
    assert!(broken.mistake.is_some());
    assert_eq!(&**broken.text(), "scenario\nnonsense");
    assert!(Rc::ptr_eq(&session.outcome, &broken.outcome));
    assert!(Rc::ptr_eq(&broken, &after(&broken, [pause(3), hold(&broken)])), "there is no line to change");
    let mended = after(&broken, [Action::Edit(CORPUS[0].text.into())]);
    assert_eq!(mended.mistake, None);
}

#[test]
fn a_text_that_is_too_long_is_a_mistake_like_any_other() {
    let session = after(&open(), [Action::Edit("#\n".repeat(10_000))]);
    assert!(session.mistake.is_some());
    assert_eq!(session.text().len(), 20_000);
}

#[test]
fn every_question_keeps_its_own_text() {
    let session = after(&open(), [Action::Edit("broken".into()), Action::Choose(3), arrive(3)]);
    assert!(!session.is_edited());
    assert_eq!(session.mistake, None);
    let back = after(&session, [Action::Choose(0)]);
    assert_eq!(&**back.text(), "broken");
    assert!(back.mistake.is_some());
    assert_eq!(back.outcome.comparison.scenario.name, "paused-owner", "the figure is that of the question");
}

#[test]
fn what_restoring_takes_away_can_be_brought_back() {
    let session = after(&open(), [Action::Edit("broken".into()), Action::Restore]);
    assert!(!session.is_edited() && session.can_reinstate());
    assert_eq!(session.mistake, None);
    let back = after(&session, [Action::Reinstate]);
    assert_eq!(&**back.text(), "broken");
    assert!(!back.can_reinstate());
}

#[test]
fn an_earlier_visit_is_taken_up() {
    let kept = || Some("broken".to_owned());
    let first = Rc::new(Session::open(titles(), CORPUS[0].text, kept(), 1072));
    let second = after(
        &first,
        [Action::Choose(1), Action::Arrive { question: 1, text: CORPUS[1].text.into(), kept: kept(), opened: None }],
    );
    for (question, session) in [first, second].iter().enumerate() {
        assert_eq!(&**session.text(), "broken");
        assert!(session.mistake.is_some());
        assert_eq!(session.outcome.comparison.scenario.name, CORPUS[question].name());
    }
}

#[test]
fn a_question_is_shown_when_its_text_is_here() {
    let session = after(&open(), [pause(9), Action::Choose(2)]);
    assert_eq!((session.question, session.wanted(), session.awaited()), (0, 2, Some(2)));
    let early = after(&session, [arrive(3)]);
    assert_eq!((early.question, early.awaited()), (0, Some(2)), "another one came first");
    let shown = after(&early, [pause(8), arrive(2)]);
    assert_eq!((shown.question, shown.wanted(), shown.awaited()), (2, 2, None));
    assert_eq!(after(&shown, [Action::Choose(3)]).question, 3, "it is here already");
    assert!(after(&shown, [Action::Choose(0)]).text().contains("pause = 8s in"), "nothing is lost meanwhile");
}

#[test]
fn whoever_goes_back_waits_no_more() {
    let session = after(&open(), [Action::Choose(2), Action::Choose(0), arrive(2)]);
    assert_eq!((session.question, session.coming.clone()), (0, None));
    assert_eq!(after(&session, [Action::Choose(2)]).question, 2);
}

#[test]
fn a_text_that_does_not_come_can_be_asked_for_again() {
    let fail = || Action::Fail { question: 2, why: "404".into() };
    let session = after(&open(), [Action::Choose(2), fail()]);
    assert_eq!((session.question, session.wanted(), session.awaited()), (0, 2, None));
    assert!(session.announcement.contains("404"));
    let again = after(&session, [Action::TryAgain]);
    assert_eq!(again.awaited(), Some(2));
    assert_eq!(after(&again, [arrive(2)]).question, 2);
    assert_eq!(after(&again, [Action::Choose(0), fail()]).coming, None, "it is wanted no more");
}

#[test]
fn what_comes_in_place_of_a_text_is_a_failure() {
    let page = Action::Arrive { question: 2, text: "<!doctype html>".into(), kept: None, opened: None };
    let session = after(&open(), [Action::Choose(2), page]);
    assert_eq!((session.question, session.mistake.clone()), (0, None));
    assert!(session.coming.as_ref().is_some_and(|coming| coming.failure.is_some()));
    assert_eq!(after(&session, [Action::TryAgain, arrive(2)]).question, 2);
}

#[test]
fn steps_go_from_line_to_line_and_stop_at_both_ends() {
    let session = after(&open(), [Action::Start]);
    assert_eq!(session.line(), Some(0));
    assert!(session.announcement.ends_with(&*session.outcome.lines[0].text));
    assert_eq!(after(&session, [Action::Back]).line(), Some(0));
    let last = session.outcome.lines.len() - 1;
    let walked = after(&session, vec![Action::Forward; last]);
    assert_eq!(walked.line(), Some(last));
    assert_eq!(after(&walked, [Action::Forward]).line(), Some(last));
    assert_eq!(after(&walked, vec![Action::Back; last]).line(), Some(0));
}

#[test]
fn a_step_back_from_between_two_lines_goes_to_the_one_just_passed() {
    let session = open();
    let late = session.outcome.lines.iter().rposition(|line| line.at < session.outcome.end).unwrap();
    let between = session.outcome.lines[late].at + Duration::from_micros(1);
    let session = Rc::new((*session).clone().go(Cursor::At(between)));
    assert_eq!(session.line(), Some(late));
    assert_eq!(after(&session, [Action::Back]).cursor, Cursor::Line(late));
    assert_eq!(after(&session, [Action::Forward]).cursor, Cursor::Line(late + 1));
}

#[test]
fn a_fact_that_no_line_tells_leads_to_the_line_before_it() {
    let session = open();
    let untold =
        session.outcome.comparison.runs[0].facts.iter().position(|entry| !Narrator::is_listed(&entry.fact)).unwrap();
    let session = after(&session, [Action::SeekFact(FactRef { run: 0, fact: untold })]);
    assert!(session.at() <= session.outcome.comparison.runs[0].facts[untold].at);
}

#[test]
fn playing_runs_once_through_and_stops() {
    let frame = Action::Tick { passed: Duration::from_millis(16), glide: true };
    let mut session = after(&open(), [Action::End, Action::TogglePlay]);
    assert_eq!(session.at(), Instant::START, "from the end it begins anew");
    assert_eq!(after(&open(), [Action::TogglePlay]).at(), Instant::START, "and where nobody has moved the cursor");
    let mut frames = 0;
    while session.playing.is_some() {
        let before = session.at();
        session = after(&session, [frame.clone()]);
        assert!(session.at() > before);
        frames += 1;
    }
    assert_eq!(session.at(), session.outcome.end);
    assert!((8_000..10_000).contains(&(frames * 16)), "{frames} frames");
    assert!(session.announcement.contains(&*session.outcome.lines.last().unwrap().text), "not read out while playing");
}

#[test]
fn without_motion_playing_goes_from_line_to_line() {
    let session = after(&open(), [Action::End, Action::TogglePlay]);
    let session = after(&session, vec![Action::Tick { passed: Duration::from_millis(500), glide: false }; 9]);
    assert!(matches!(session.cursor, Cursor::Line(_)));
}

#[test]
fn whoever_takes_the_cursor_stops_playing() {
    let playing = after(&open(), [Action::Start, Action::TogglePlay]);
    for action in [Action::TogglePlay, Action::Forward, Action::Seek(0.0), pause(9)] {
        assert_eq!(after(&playing, [action.clone()]).playing, None, "{action:?}");
    }
}

#[test]
fn words_for_a_mistake_are_taken_while_it_stands() {
    let text = CORPUS[0].text.replacen("guard none", "guard nome", 1);
    let session = after(&open(), [Action::Edit(text.clone())]);
    let explain = |text: &str| Action::Explain { text: text.into(), message: "No.".into() };
    let explained = after(&session, [explain(&text)]);
    let place = |session: &Session| session.mistake.as_ref().map(|mistake| (mistake.line, mistake.column));
    assert_eq!(place(&explained), place(&session));
    assert_eq!(explained.mistake.as_ref().unwrap().message, "No.");
    // What was written on since then has a mistake of its own.
    let written_on = after(&session, [Action::Edit(text.clone() + "x")]);
    assert!(Rc::ptr_eq(&written_on, &after(&written_on, [explain(&text)])));
    assert!(after(&open(), [explain(&text)]).mistake.is_none());
}

/// The scenario with only one row: as good a counterexample as any.
fn counterexample(pause: &str) -> String {
    let text = CORPUS[0].text.replace("pause = 15s", &format!("pause = {pause}"));
    let is_of_another = |line: &&str| ["re-checked", "fenced"].iter().any(|row| line.trim_start().starts_with(row));
    text.lines().filter(|line| !is_of_another(line)).map(|line| format!("{line}\n")).collect()
}

fn open_counterexample(pause: &str) -> Action {
    Action::Open(counterexample(pause))
}

#[test]
fn a_counterexample_stands_in_place_of_the_scenario_and_gives_it_back_as_it_was() {
    let mine = after(&open(), [pause(9)]);
    let found = after(&mine, [open_counterexample("12s")]);
    assert!(found.is_opened() && !found.is_edited());
    assert_eq!(**found.text(), *counterexample("12s"));
    assert_eq!(found.outcome.comparison.runs.len(), 1);
    assert_eq!(found.announcement, found.outcome.headline);

    let back = after(&found, [Action::Return]);
    assert!(!back.is_opened() && back.is_edited());
    assert_eq!(back.text(), mine.text());
    assert_eq!(back.outcome.headline, mine.outcome.headline);
    assert!(Rc::ptr_eq(&back, &after(&back, [Action::Return])), "there is nothing more to go back from");
}

#[test]
fn what_is_made_of_a_counterexample_is_its_own_and_stays_with_it() {
    let session = after(&open(), [pause(9), open_counterexample("12s"), pause(20)]);
    assert!(session.is_edited());
    assert_eq!(session.outcome.comparison.scenario.parameters[0].value, Duration::from_secs(20));

    // Another one does not take its place, and it is as it was left.
    let other = after(&session, [open_counterexample("14s")]);
    assert!(!other.is_edited());
    let again = after(&other, [Action::Return, open_counterexample("12s")]);
    assert_eq!(again.text(), session.text());

    // Restoring gives back what was found, not the question's scenario; and both are still there.
    let restored = after(&again, [Action::Restore]);
    assert_eq!(**restored.text(), *counterexample("12s"));
    assert!(restored.can_reinstate());
    let mine = after(&restored, [Action::Return]);
    assert_eq!(mine.outcome.comparison.scenario.parameters[0].value, Duration::from_secs(9));
    assert!(mine.is_edited() && !mine.can_reinstate());
}

#[test]
fn a_mistake_in_a_counterexample_is_left_behind_with_it() {
    let broken = after(&open(), [open_counterexample("12s"), Action::Edit("scenario".into())]);
    assert!(broken.mistake.is_some());
    let back = after(&broken, [Action::Return]);
    assert_eq!(back.mistake, None);
    assert_eq!(after(&back, [open_counterexample("12s")]).mistake.is_some(), broken.mistake.is_some());
}

#[test]
fn a_counterexample_belongs_to_its_question() {
    let found = after(&open(), [open_counterexample("12s")]);
    let other = after(&found, [Action::Choose(1), arrive(1)]);
    assert!(!other.is_opened());
    let back = after(&other, [Action::Choose(0)]);
    assert!(back.is_opened());
    assert_eq!(back.text(), found.text());
    // And so it does after the page has been loaded again.
    let opened = back.drafts[0].as_ref().unwrap().counterexample().map(str::to_owned);
    let elsewhere = Rc::new(Session::open(titles(), CORPUS[0].text, None, 1072));
    let text = CORPUS[2].text.into();
    let again = after(&elsewhere, [Action::Choose(2), Action::Arrive { question: 2, text, kept: None, opened }]);
    assert!(again.is_opened() && !again.is_edited());
    assert_eq!((again.text(), &again.outcome.headline), (back.text(), &back.outcome.headline));
    assert_eq!(**after(&again, [Action::Return]).text(), *CORPUS[2].text);
    // Of a question that is on its way nothing can be shown yet.
    let waiting = after(&open(), [Action::Choose(1)]);
    assert!(Rc::ptr_eq(&waiting, &after(&waiting, [open_counterexample("12s")])));
}
