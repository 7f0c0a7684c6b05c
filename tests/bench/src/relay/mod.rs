//! A model's words on their way to the reader: through Groundcrew, through LiteLLM's proxy, and directly.
//!
//! Provider and readers share this process and its clock, so a word's delay is measured from the moment the provider
//! sends it to the moment the reader receives it. The overhead of a relay is that delay less the same quantile of the
//! direct way, in the same round and on the same busy machine.

mod litellm;
mod provider;
mod reader;

use crate::Bench;
use crate::figure::{Figure, Unit};
use crate::report::Report;
use crate::samples::Samples;
use api_tests::{App, Project, Settings, World};
use litellm::LiteLlm;
use provider::{Provider, question};
use reader::Passage;
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many streams run at once.
const LEVELS: [usize; 3] = [1, 16, 128];
/// How many words a stream has if only few streams run, and the fewest if many do.
const WORDS: usize = 300;
const FEWEST_WORDS: usize = 50;
/// The most words at 128 streams for LiteLLM's proxy, in all rounds together: a million would take it half an hour.
const PEERS_WORDS: usize = 120_000;
/// The time between the starts of two streams: the work at a turn's start must not interfere with the measurement. It is not a
/// multiple of the pace, or all streams would send their words within the same few milliseconds, as independent ones do
/// not.
const BEGIN_EVERY: Duration = Duration::from_millis(43);
/// The delay, in milliseconds, that Nagle's algorithm and delayed acknowledgments cause for words that wait for each
/// other, and the width of the bands next to it. A slow machine fills all three bands alike.
const NAGLE: f64 = 40.0;
const BAND: f64 = 10.0;
const NAME: &str = "LiteLLM";

/// A way from the provider to a reader.
#[derive(Clone)]
enum Way {
    Straight(reqwest::Client),
    Ours(Arc<[Project]>),
    LiteLlm(Arc<LiteLlm>),
}

/// The result of one round over one way.
#[derive(Default)]
struct Round {
    request: Samples,
    first: Samples,
    later: Samples,
    wrong: usize,
}

/// Measures each way at each level, round by round.
pub async fn measure(bench: &Bench, report: &mut Report) {
    let provider = Provider::start().await;
    let straight = reqwest::Client::builder().no_proxy().build().expect("a client");
    let settings = Settings {
        model: Some(provider.url()),
        // Covers the holds of that many concurrent calls, at a dollar and a half each.
        variables: vec![("OPENING_CREDIT", "1000000".to_owned())],
        ..Settings::default()
    };
    let World { owner, app, .. } = World::with_settings(settings).await;
    let mut projects = Vec::new();
    for _ in 0..LEVELS[LEVELS.len() - 1] {
        projects.push(owner.project("bench").await);
    }
    let ours = Way::Ours(projects.into());
    let straight = Way::Straight(straight);
    let litellm = match LiteLlm::start(&provider.url()).await {
        Ok(proxy) => Some(Way::LiteLlm(Arc::new(proxy))),
        Err(why) => {
            report.skip("LiteLLM's proxy", &why);
            None
        }
    };
    for level in LEVELS {
        let each = |chunks: usize| match level {
            128 => (chunks / level / bench.rounds).max(FEWEST_WORDS),
            _ => WORDS,
        };
        let (words, theirs) = (each(bench.chunks), each(bench.chunks.min(PEERS_WORDS)));
        let mut rounds = [vec![], vec![], vec![]];
        for _ in 0..bench.rounds {
            let ways = [(Some(&straight), words), (Some(&ours), words), (litellm.as_ref(), theirs)];
            for ((way, words), rounds) in ways.into_iter().zip(&mut rounds) {
                if let Some(way) = way {
                    rounds.push(round(&provider, way, level, words).await);
                }
            }
        }
        let [plain, through, peers] = rounds;
        let peers = (!peers.is_empty()).then(|| figures(level, theirs, &plain, &peers));
        let mut peers = peers.map(IntoIterator::into_iter);
        for figure in figures(level, words, &plain, &through) {
            report.add(figure.beside(NAME, peers.as_mut().and_then(Iterator::next)));
        }
    }
    drop::<App>(app);
}

/// All streams of one level over one way.
async fn round(provider: &Provider, way: &Way, level: usize, words: usize) -> Round {
    let streams =
        (0..level).map(|number| tokio::spawn(stream(provider.clone(), way.clone(), number, words)));
    // Each in a separate task: in a single task they would wait for each other.
    let passages = futures::future::try_join_all(streams).await.expect("no stream breaks");
    Round::of(&passages)
}

/// One stream over one way.
async fn stream(provider: Provider, way: Way, number: usize, words: usize) -> Passage {
    static STREAMS: AtomicU64 = AtomicU64::new(0);
    tokio::time::sleep(BEGIN_EVERY * u32::try_from(number).unwrap_or_default()).await;
    let stream = STREAMS.fetch_add(1, Ordering::Relaxed);
    let called = Instant::now();
    let response = way.ask(&provider, number, &question(stream, words)).await;
    assert!(response.status().is_success(), "{}", response.text().await.unwrap_or_default());
    let heard = reader::read(response.bytes_stream()).await;
    heard.beside(called, &provider.speech(stream).expect("the provider received a request"))
}

impl Round {
    fn of(passages: &[Passage]) -> Self {
        Self {
            request: Samples::of(passages.iter().map(|passage| passage.request)),
            first: Samples::of(passages.iter().map(|passage| passage.first)),
            later: Samples::of(passages.iter().flat_map(|passage| passage.later.clone())),
            wrong: passages.iter().map(|passage| passage.wrong).sum(),
        }
    }
}

impl Way {
    async fn ask(&self, provider: &Provider, number: usize, text: &str) -> reqwest::Response {
        match self {
            Self::Straight(http) => {
                ask(http, &format!("{}/chat/completions", provider.url()), "none", text).await
            }
            Self::Ours(projects) => {
                let call = projects[number].call(Method::POST, "/planning/requirements-gatherer");
                call.json(&json!({"message": text})).response().await
            }
            Self::LiteLlm(proxy) => proxy.ask(text).await,
        }
    }
}

/// Requests a stream from an OpenAI-compatible server.
async fn ask(http: &reqwest::Client, url: &str, key: &str, text: &str) -> reqwest::Response {
    let body = json!({"model": "blueprint-1", "stream": true, "stream_options": {"include_usage": true},
        "messages": [{"role": "user", "content": text}]});
    http.post(url).bearer_auth(key).json(&body).send().await.expect("an answer")
}

/// How many more words took about 40 ms than 10 ms less or more, in percent.
fn mode(round: &Round) -> f64 {
    let share =
        |middle: f64| round.later.share_between(middle - BAND / 2.0, middle + BAND / 2.0) * 100.0;
    (share(NAGLE) - share(NAGLE - BAND).max(share(NAGLE + BAND))).max(0.0)
}

fn figures(level: usize, words: usize, straight: &[Round], way: &[Round]) -> [Figure; 6] {
    let added = |what: &str, share: f64, samples: fn(&Round) -> &Samples| {
        let quantile = |round: &Round| samples(round).quantile(share);
        let pairs = way.iter().zip(straight);
        let rounds = pairs.map(|(way, straight)| (quantile(way) - quantile(straight)).max(0.0));
        Figure::new(format!("relay, {level} streams: {what}"), Unit::Milliseconds, rounds.collect())
    };
    let (mut first, mut later) = (
        added("added to the first word, p99", 0.99, |round| &round.first),
        added("added to each later word, p99", 0.99, |round| &round.later),
    );
    if level == LEVELS[LEVELS.len() - 1] {
        (first, later) = (first.at_most(1.0), later.at_most(0.25));
    }
    #[allow(clippy::cast_precision_loss, reason = "a count of words")]
    let wrong = way.iter().map(|round| round.wrong as f64).sum();
    let said = level * words * way.len();
    [
        added("call to provider, p50", 0.5, |round| &round.request),
        first,
        added("added to each later word, p50", 0.5, |round| &round.later),
        later,
        Figure::new(
            format!("relay, {level} streams: more words at 40 ms than beside it"),
            Unit::Percent,
            way.iter().map(mode).collect(),
        )
        .at_most(0.1),
        Figure::new(
            format!("relay, {level} streams: lost, swapped or merged of {said} words"),
            Unit::Count,
            vec![wrong],
        )
        .at_most(0.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_at_40_ms_stands_out_from_its_neighbors_and_slowness_does_not() {
        let round = |later: Vec<f64>| Round { later: Samples::new(later), ..Round::default() };
        assert_eq!(mode(&round(vec![0.1, 0.1, 0.2, 40.0])), 25.0);
        assert_eq!(mode(&round(vec![0.1, 28.0, 40.0, 51.0])), 0.0);
        assert_eq!(mode(&round(vec![0.1; 4])), 0.0);
    }
}
