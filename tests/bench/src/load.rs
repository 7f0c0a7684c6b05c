//! The local stack under many users for a while: each signs in, chats and polls as a page does, and every tenth types
//! into a terminal. Memory is sampled throughout, and must not grow once all users are active.
//!
//! A conversation ends after a few messages, and its user goes on in a new project, so that conversations do not get
//! longer than people's: a call that reads a longer one needs more memory, which would seem to leak.

use crate::Bench;
use crate::figure::{Figure, Unit};
use crate::machine::resident;
use crate::report::Report;
use crate::samples::Samples;
use api_tests::{Actor, App, Project, Settings};
use futures::future::join_all;
use reqwest::Method;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How often a page polls.
const POLL_EVERY: Duration = Duration::from_secs(2);
/// A user sends an agent a message once in this many polls, which is once a minute: replies are long, and people read them.
const POLLS_PER_CHAT: usize = 30;
/// How many messages a user sends about one project.
const CHATS_PER_PROJECT: usize = 6;
/// One in this many users has a terminal open.
const USERS_PER_TERMINAL: usize = 10;
/// The time between two keys.
const KEY_EVERY: Duration = Duration::from_millis(250);
/// How often memory is sampled.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The highest growth of memory from the middle third to the last, in percent.
const GROWTH: f64 = 10.0;

/// All waiting times of all users.
#[derive(Default)]
struct Waits {
    sign_in: Vec<Duration>,
    first_text: Vec<Duration>,
    poll: Vec<Duration>,
    key: Vec<Duration>,
}

type Shared = Arc<Mutex<Waits>>;

pub async fn measure(bench: &Bench, report: &mut Report) {
    let app = App::start(Settings { paced: true, ..Settings::default() }).await;
    let waits = Shared::default();
    let pause = Duration::from_secs(bench.seconds) / 4 / u32::try_from(bench.users).unwrap_or(1);
    let begin = Instant::now();
    let end = begin + Duration::from_secs(bench.seconds);
    let users = (0..bench.users).map(|number| {
        let arrives = pause * u32::try_from(number).unwrap_or_default();
        user(app.clone(), number, arrives, end, waits.clone())
    });
    let (_, memory) = tokio::join!(join_all(users), memory(&app, end));
    let waits = std::mem::take(&mut *waits.lock().expect("unpoisoned"));
    let who = format!("load, {} users for {} s", bench.users, bench.seconds);
    let figure = |what: &str, taken: Vec<Duration>| {
        Figure::quantile(format!("{who}: {what}, p99"), 0.99, &[Samples::of(taken)])
    };
    report.add(figure("sign-in", waits.sign_in));
    report.add(figure("first text of a chat", waits.first_text));
    report.add(figure("poll", waits.poll));
    if waits.key.is_empty() {
        report.skip("load: terminals", "fewer users than one in ten is one");
    } else {
        report.add(figure("key to echo", waits.key));
    }
    let (most, growth) = grown(&memory);
    report.add(Figure::new(
        format!("{who}: memory of the stack, most"),
        Unit::Megabytes,
        vec![most],
    ));
    let what = format!("{who}: growth of memory, last third over the middle third");
    report.add(Figure::new(what, Unit::Percent, vec![growth]).at_most(GROWTH));
}

/// The stack's memory from now until the end, in megabytes.
async fn memory(app: &App, end: Instant) -> Vec<f64> {
    let mut looks = Vec::new();
    while Instant::now() < end {
        looks.extend(app.pid().and_then(resident));
        sleep(LOOK_EVERY).await;
    }
    looks
}

/// The maximum, and the growth of the median from the middle third to the last, in percent.
fn grown(memory: &[f64]) -> (f64, f64) {
    let third = memory.len() / 3;
    let median = |part: &[f64]| Samples::new(part.to_vec()).median();
    let (middle, last) = (median(&memory[third..2 * third]), median(&memory[2 * third..]));
    let most = memory.iter().copied().fold(0.0, f64::max);
    (most, (last / middle - 1.0) * 100.0)
}

async fn user(app: App, number: usize, arrives: Duration, end: Instant, waits: Shared) {
    sleep(arrives).await;
    let begin = Instant::now();
    let actor = Actor::signed_in(&app, &format!("user-{number}")).await;
    waits.lock().expect("unpoisoned").sign_in.push(begin.elapsed());
    let project = actor.project("bench").await;
    if number % USERS_PER_TERMINAL == USERS_PER_TERMINAL - 1 {
        types(&project, end, &waits).await;
    } else {
        works(&actor, project, end, &waits).await;
    }
}

/// Polls, and talks to an agent from time to time.
async fn works(actor: &Actor, mut project: Project, end: Instant, waits: &Shared) {
    let mut polls = 0;
    while Instant::now() < end {
        if polls > 0 && polls % (POLLS_PER_CHAT * CHATS_PER_PROJECT) == 0 {
            project = actor.project("bench").await;
        }
        if polls % POLLS_PER_CHAT == 0 {
            let begin = Instant::now();
            let path = "/planning/requirements-gatherer";
            let mut events = project.says(path, "A small web service, use the defaults").await;
            events.text_begins().await;
            waits.lock().expect("unpoisoned").first_text.push(begin.elapsed());
            events.all().await;
        }
        polls += 1;
        let begin = Instant::now();
        project.call(Method::GET, "/planning/requirements").send().await.is(200);
        waits.lock().expect("unpoisoned").poll.push(begin.elapsed());
        sleep(POLL_EVERY).await;
    }
}

/// Types into a terminal.
async fn types(project: &Project, end: Instant, waits: &Shared) {
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("stty -echoctl; PS1=''; cat\r").await;
    terminal.shows("cat\r\n").await;
    for key in (b'a'..=b'z').cycle().map(char::from) {
        if Instant::now() >= end {
            return;
        }
        terminal.shown.clear();
        let begin = Instant::now();
        terminal.types(&key.to_string()).await;
        terminal.shows(&key.to_string()).await;
        waits.lock().expect("unpoisoned").key.push(begin.elapsed());
        sleep(KEY_EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_measured_in_the_last_third() {
        let memory: Vec<_> = [[10.0; 4], [100.0; 4], [120.0; 4]].concat();
        let (most, growth) = grown(&memory);
        assert_eq!(most, 120.0);
        assert!((growth - 20.0).abs() < 1e-9, "{growth}");
    }
}
