//! Costs of the functions in Lambda: each function's start time, package size and memory, compared with a function that
//! does nothing on the same runtime (`src/bin/hello.rs`).
//!
//! A function counts as started when it asks Lambda's runtime interface for its first event. This module simulates that
//! interface.

use crate::Bench;
use crate::figure::{Figure, Unit, show};
use crate::machine::resident;
use crate::report::Report;
use crate::samples::Samples;
use api_tests::{App, Settings, binaries};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio::time::timeout;
use zip::write::SimpleFileOptions;

/// Starts in a round.
const STARTS: usize = 31;
/// A start that takes longer counts as failed.
const LONGEST: Duration = Duration::from_secs(20);
const START_MS: f64 = 5.0;
const ZIP_MB: f64 = 4.0;
const RESIDENT_MB: f64 = 12.0;
const HELLO: &str = "hello";

/// The measurements of one function.
struct Function {
    name: String,
    starts: Vec<Samples>,
    resident: Vec<f64>,
    zip: f64,
}

/// Measures every function that has been built.
pub async fn measure(bench: &Bench, report: &mut Report) {
    let built = binaries::program(HELLO).parent().expect("a folder").to_owned();
    let (there, missing): (Vec<_>, Vec<_>) =
        names().into_iter().partition(|name| built.join(name).is_file());
    if !missing.is_empty() {
        report.skip(&missing.join(", "), "not built in release mode");
    }
    let app = App::start(Settings::default()).await;
    let environment = environment(&app);
    let mut functions = Vec::new();
    for name in there {
        functions.push(Function::measured(bench, &built, name, &environment).await);
    }
    let Some(hello) = functions.iter().position(|function| function.name == HELLO) else { return };
    let hello = functions.remove(hello);
    functions.sort_by(|a, b| b.start(0.5).value().total_cmp(&a.start(0.5).value()));
    report.table(table(&hello, &functions));
    for figure in worst(&hello, &functions) {
        report.add(figure);
    }
}

/// The functions of the workspace, and the one that does nothing.
fn names() -> Vec<String> {
    let folder = binaries::repository().join("functions");
    let entries = std::fs::read_dir(folder).expect("the folder of functions");
    let folders = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<_> = folders.collect();
    names.sort();
    names.push(HELLO.to_owned());
    names
}

/// The environment that the template gives functions. The outside parties are AWS's own, as in the cloud; none of them
/// is called.
fn environment(app: &App) -> BTreeMap<String, String> {
    let file = std::fs::read_to_string(app.data().join("engines.env")).expect("engines.env");
    let pairs = file.lines().filter_map(|line| line.split_once('='));
    let ours = pairs.filter(|(name, _)| !name.starts_with("AWS_ENDPOINT_URL"));
    ours.map(|(name, value)| (name.to_owned(), value.replace("http://", "https://"))).collect()
}

impl Function {
    async fn measured(
        bench: &Bench,
        built: &Path,
        name: String,
        environment: &BTreeMap<String, String>,
    ) -> Self {
        let program = built.join(&name);
        let (mut starts, mut memory) = (Vec::new(), Vec::new());
        for _ in 0..bench.rounds {
            let (mut taken, mut held) = (Vec::new(), Vec::new());
            for _ in 0..STARTS {
                let (took, resident) = start(&program, environment).await;
                taken.push(took);
                held.push(resident);
            }
            starts.push(Samples::of(taken));
            memory.push(Samples::new(held).median());
        }
        Self { name, starts, resident: memory, zip: zipped(&program) }
    }

    fn start(&self, share: f64) -> Figure {
        Figure::quantile(&self.name, share, &self.starts)
    }

    fn resident(&self) -> Figure {
        Figure::new(&self.name, Unit::Megabytes, self.resident.clone())
    }

    fn zip(&self) -> Figure {
        Figure::new(&self.name, Unit::Megabytes, vec![self.zip])
    }
}

/// The time from starting a program to its first request for an event, and the memory that it uses then.
async fn start(program: &Path, environment: &BTreeMap<String, String>) -> (Duration, f64) {
    let lambda = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = lambda.local_addr().expect("bound").to_string();
    let mut command = Command::new(program);
    command.env_clear().envs(environment).env("AWS_LAMBDA_RUNTIME_API", address);
    command.env("AWS_LAMBDA_FUNCTION_NAME", "bench").env("AWS_LAMBDA_FUNCTION_VERSION", "1");
    command.env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let begin = Instant::now();
    let mut function = command.spawn().expect("a program that starts");
    let asked = timeout(LONGEST, asks(&lambda)).await;
    let took = begin.elapsed();
    let asked = asked.unwrap_or_else(|_| panic!("{} never asks for an event", program.display()));
    let memory = function.id().and_then(resident).expect("it runs");
    function.kill().await.expect("it ends");
    drop(asked);
    (took, memory)
}

/// Waits for `GET …/invocation/next`. The function exits when this connection closes.
async fn asks(lambda: &TcpListener) -> TcpStream {
    let (mut socket, _) = lambda.accept().await.expect("a connection");
    let mut head = Vec::new();
    while !String::from_utf8_lossy(&head).contains("/invocation/next") {
        assert!(socket.read_buf(&mut head).await.expect("a request") > 0, "no request");
    }
    socket
}

/// The size of the package that Lambda takes, in megabytes.
fn zipped(program: &Path) -> f64 {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("bootstrap", SimpleFileOptions::default()).expect("a new file");
    let mut file = File::open(program).expect("the program");
    std::io::copy(&mut file, &mut archive).expect("a copy");
    archive.flush().expect("written");
    let bytes = archive.finish().expect("an archive").into_inner().len();
    #[allow(clippy::cast_precision_loss, reason = "a size in megabytes")]
    let megabytes = bytes as f64 / 1e6;
    megabytes
}

/// The worst results among the functions, with their targets.
fn worst(hello: &Function, functions: &[Function]) -> Vec<Figure> {
    let pick = |what: &str, most: Option<f64>, figure: &dyn Fn(&Function) -> Figure| {
        let figures = functions.iter().map(figure);
        let worst = figures.max_by(|a, b| a.value().total_cmp(&b.value()))?;
        let what = format!("functions: {what} ({}, the worst of {})", worst.what, functions.len());
        let worst = worst.named(what);
        let worst = most.map_or(worst.clone(), |most| worst.at_most(most));
        Some(worst.beside(HELLO, Some(figure(hello))))
    };
    let figures = [
        pick("start to first event, p50", Some(START_MS), &|function| function.start(0.5)),
        pick("start to first event, p95", None, &|function| function.start(0.95)),
        pick("zip", Some(ZIP_MB), &Function::zip),
        pick("resident memory", Some(RESIDENT_MB), &Function::resident),
    ];
    figures.into_iter().flatten().collect()
}

fn table(hello: &Function, functions: &[Function]) -> String {
    let mut text = "| function | start, p50 | noise | start, p95 | zip | resident |\n".to_owned();
    text += "|---|---|---|---|---|---|\n";
    for function in functions.iter().chain([hello]) {
        let (p50, p95) = (function.start(0.5), function.start(0.95));
        let cell = |figure: &Figure| show(figure.value(), figure.unit);
        text += &format!(
            "| {} | {} | ± {} | {} | {} | {} |\n",
            function.name,
            cell(&p50),
            show(p50.noise(), p50.unit),
            cell(&p95),
            cell(&function.zip()),
            cell(&function.resident()),
        );
    }
    text
}
