//! Repeats the recorded requests without a model: no result may be worse than the recorded one.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use eval::request::{Needs, Request, requests};
use eval::run::{Answerer, Recording, Stop, converse, run};
use eval::score::Outcome;
use futures::StreamExt;
use std::collections::BTreeSet;
use std::time::Duration;

/// How many requests run at once.
const AT_ONCE: usize = 2;
/// Accepted, but not yet carried out on a server. Remove an entry with `cargo dev eval --only ID --record`.
const NOT_CARRIED_OUT: &[&str] = &[];
/// Requests that today's blueprint model accepts, although it builds only the server of what they ask for, and says so. It
/// should refuse them, as it did when they were recorded.
const ACCEPTED_NOW: &[&str] = &["encrypted-backup"];
/// Least number of requests.
const LEAST: usize = 30;
/// How long the replay of all recordings may take, so that it stays a part of each test run.
const LONGEST: Duration = Duration::from_mins(5);

fn request(id: &str) -> Request {
    requests().into_iter().find(|request| request.id == id).unwrap()
}

#[tokio::test]
async fn no_recorded_request_gets_a_worse_result() {
    let walks = requests().into_iter().map(async |request| {
        let mut before = Recording::of(&request.id).unwrap().score;
        if request.needs != Needs::Sandbox {
            before = before.without_servers();
        }
        let (score, _) = run(request.clone(), Answerer::Recording, false).await;
        let worse = score.worse_than(&before);
        worse.into_iter().map(|what| format!("{}: {what}", request.id)).collect::<Vec<_>>()
    });
    let replay = futures::stream::iter(walks).buffered(AT_ONCE).collect::<Vec<_>>();
    let worse = tokio::time::timeout(LONGEST, replay).await.expect("the replay is too slow");
    let worse = worse.concat();
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}

/// Recordings repeat what the blueprint model once said, so they would hide that it now refuses what it built.
#[tokio::test]
async fn todays_blueprint_model_accepts_what_the_recorded_one_accepted() {
    let conversations = requests().into_iter().map(async |request| {
        let before = Recording::of(&request.id).unwrap().score.outcome == Outcome::Refused;
        let before = before && !ACCEPTED_NOW.contains(&request.id.as_str());
        let (stop, _) = converse(&request).await;
        match stop {
            None if before => Some(format!("{}: the blueprint model now accepts this", request.id)),
            Some(Stop(Outcome::Refused, _)) if before => None,
            None => None,
            Some(Stop(outcome, why)) => Some(format!("{}: now {outcome:?}: {why}", request.id)),
        }
    });
    let changed = futures::stream::iter(conversations).buffered(AT_ONCE).collect::<Vec<_>>().await;
    let changed: Vec<String> = changed.into_iter().flatten().collect();
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn each_request_has_a_unique_id_and_a_recording_that_passes() {
    let requests = requests();
    assert!(requests.len() >= LEAST, "{}", requests.len());
    let ids: BTreeSet<&str> = requests.iter().map(|request| request.id.as_str()).collect();
    assert_eq!(ids.len(), requests.len());
    for request in &requests {
        let recording = Recording::of(&request.id).unwrap_or_else(|| panic!("{}", request.id));
        assert!(recording.score.passes(), "{}: {}", request.id, recording.score.why);
        let outcome = recording.score.outcome;
        let ran = recording.score.steps > 0;
        let lacks = request.lacks.is_some() && request.until.is_none();
        let could = request.needs == Needs::Server && outcome != Outcome::Refused && !lacks;
        let open = NOT_CARRIED_OUT.contains(&request.id.as_str());
        assert!(
            !could || ran != open,
            "{}: NOT_CARRIED_OUT is wrong about this request",
            request.id
        );
        assert!(could || !open, "{} cannot be carried out", request.id);
        assert!(outcome == Outcome::Built || request.suite != "sandbox", "{}", request.id);
        let wanted = request.checks.len() + usize::from(request.tears_down);
        let checked = recording.score.checks.len() == wanted;
        assert!(!(ran || outcome == Outcome::Built) || checked, "{}", request.id);
    }
}

#[tokio::test]
async fn a_loop_with_more_calls_than_were_recorded_fails() {
    let recording = Recording::of("haproxy").unwrap();
    let mut replies = recording.exchanges;
    let last = replies.iter().rposition(|reply| reply.tools.contains("write_implementation_plan"));
    replies.remove(last.unwrap());
    let (score, _) = run(request("haproxy"), Answerer::Replies(replies), false).await;
    assert_eq!(score.outcome, Outcome::Failed, "{}", score.why);
    assert!(!score.worse_than(&recording.score.without_servers()).is_empty());
}

#[tokio::test]
async fn a_request_that_loses_a_word_counts_as_dropped_and_new_instructions_are_reported() {
    let mut replies = Recording::of("old-version").unwrap().exchanges;
    for reply in &mut replies {
        reply.text = reply.text.replace("5.7", "8.4");
        for (_, _, arguments) in &mut reply.calls {
            *arguments = arguments.replace("5.7", "8.4");
        }
        reply.instructions = "other".to_owned();
    }
    let (score, _) = run(request("old-version"), Answerer::Replies(replies), false).await;
    assert_eq!((score.outcome, score.why.as_str()), (Outcome::Dropped, "not named: 5.7"));
    assert_eq!(score.drift, ["update_requirements"]);
}

#[tokio::test]
async fn failed_checks_and_changed_files_are_noticed() {
    let mut request = request("web-service-plain");
    request.checks.truncate(1);
    request.checks[0].run = "false".to_owned();
    let replies = Recording::of(&request.id).unwrap().exchanges;
    let mut touched = replies.clone();
    for (_, name, arguments) in touched.iter_mut().flat_map(|reply| &mut reply.calls) {
        if name == "propose_command" {
            *arguments =
                arguments.replacen("\\nset -euo", "\\ndate +%N > moment.txt\\nset -euo", 1);
        }
    }
    assert_ne!(serde_json::to_string(&touched).unwrap(), serde_json::to_string(&replies).unwrap());
    let (score, _) = run(request, Answerer::Replies(touched), false).await;
    assert_eq!(score.outcome, Outcome::Built, "{}", score.why);
    assert!(!score.checks[0].holds && !score.passes());
    assert_eq!(score.changed.unwrap(), ["moment.txt"]);
}
