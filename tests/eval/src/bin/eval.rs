//! `cargo dev eval`: walks requests through the product and writes a report.
#![allow(clippy::expect_used, reason = "a program for one's own machine")]

use clap::Parser;
use eval::report;
use eval::request::{Request, requests};
use eval::run::{Answerer, Recording, run};
use eval::score::Outcome;
use futures::StreamExt;
use std::path::PathBuf;
use std::process::ExitCode;

/// Walks requests through Groundcrew with a model, scores the results and writes a report in HTML
#[derive(Parser)]
#[command(name = "cargo dev eval")]
struct Eval {
    /// `blueprint`, `recorded`, or the name of a model at MODEL_BASE_URL, which speaks OpenAI's protocol
    #[arg(long, default_value = "blueprint")]
    model: String,
    /// Only requests of this suite; can be given several times
    #[arg(long)]
    suite: Vec<String>,
    /// Only this request; can be given several times
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Record the model's replies in tests/eval/transcripts
    #[arg(long)]
    record: bool,
    /// End with the plan if a server is needed to carry it out
    #[arg(long)]
    no_servers: bool,
    /// Number of requests to run at once
    #[arg(long, default_value_t = 2)]
    at_once: usize,
    /// File for the report
    #[arg(long, default_value = "target/eval/report.html")]
    report: PathBuf,
}

#[tokio::main]
async fn main() -> ExitCode {
    let eval = Eval::parse();
    let answerer = match eval.answerer() {
        Ok(answerer) => answerer,
        Err(error) => {
            eprintln!("cargo dev eval: {error}");
            return ExitCode::FAILURE;
        }
    };
    let chosen: Vec<Request> = requests().into_iter().filter(|one| eval.wants(one)).collect();
    if chosen.is_empty() {
        eprintln!("cargo dev eval: no request has these names");
        return ExitCode::FAILURE;
    }
    let walks = chosen.into_iter().map(|request| {
        let (answerer, record, model) = (answerer.clone(), eval.record, eval.model.clone());
        // A recording has what a model said, not what a server did.
        let servers = !eval.no_servers && !matches!(answerer, Answerer::Recording);
        async move {
            let (score, exchanges) = run(request.clone(), answerer, servers).await;
            let outcome = format!("{:?}", score.outcome);
            println!("{outcome:<8} {:<24} {:>5.0} s  {}", request.id, score.seconds, score.why);
            if record {
                Recording { model, score: score.clone(), exchanges }.write(&request.id);
            }
            (request, score)
        }
    });
    let scored: Vec<_> = futures::stream::iter(walks).buffered(eval.at_once.max(1)).collect().await;
    let passed = scored.iter().filter(|(_, score)| score.passes()).count();
    // A model that refuses everything passes as well, so refusals have a count of their own.
    let refused = scored.iter().filter(|(_, score)| score.outcome == Outcome::Refused).count();
    if let Some(folder) = eval.report.parent() {
        std::fs::create_dir_all(folder).expect("a folder for the report");
    }
    std::fs::write(&eval.report, report::page(&eval.model, &scored)).expect("a writable report");
    let report = eval.report.display();
    println!("\n{passed} of {} pass, {refused} by refusing; the report is {report}", scored.len());
    if passed == scored.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Eval {
    fn wants(&self, request: &Request) -> bool {
        let named = |list: &[String], name: &String| list.is_empty() || list.contains(name);
        named(&self.suite, &request.suite) && named(&self.only, &request.id)
    }

    fn answerer(&self) -> Result<Answerer, String> {
        match self.model.as_str() {
            "blueprint" => Ok(Answerer::Blueprint),
            "recorded" if self.record => Err("a recording cannot be recorded again".to_owned()),
            "recorded" => Ok(Answerer::Recording),
            name => {
                let var = |variable: &str| {
                    std::env::var(variable).map_err(|_| format!("{variable} is not set"))
                };
                if std::env::var("MODEL_PROVIDER").is_ok_and(|provider| provider != "openai") {
                    return Err(
                        "a model of another protocol is reached through a proxy such as LiteLLM"
                            .to_owned(),
                    );
                }
                Ok(Answerer::Model {
                    base_url: var("MODEL_BASE_URL")?,
                    name: name.to_owned(),
                    key: var("MODEL_API_KEY")?,
                })
            }
        }
    }
}
