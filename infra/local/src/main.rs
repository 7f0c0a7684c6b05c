//! The local stack's process: sets the environment up, binds listeners, runs the stack, and ends it.

use anyhow::Result;
use clap::Parser;
use local_stack::{Functions, Listeners, Options, Stack, environment};
use std::io::IsTerminal;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// The default log filter: this program's own messages, and warnings from others.
const LOG: &str = "warn,local_stack=info";

fn main() -> ExitCode {
    let options = Options::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOG));
    let colors = std::io::stderr().is_terminal();
    let lines = fmt::layer().with_ansi(colors).with_writer(std::io::stderr).with_filter(filter);
    tracing_subscriber::registry().with(lines).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let result = environment::enter(&options).and_then(|ports| {
        let runtime = runtime?;
        let result = runtime.block_on(run(&options, ports));
        // Does not wait for the streams of clients that stay connected.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("local-stack: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options, ports: environment::Ports) -> Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let listeners = match Listeners::bind(ports).await {
        Ok(listeners) => listeners,
        Err(error) => return environment::retry(options, error).map(|_| ()),
    };
    let starting = Stack::start(options, listeners, async |_| Functions::from_env().await);
    let stack = tokio::select! {
        stack = starting => stack?,
        _ = interrupt.recv() => return Ok(()),
        _ = terminate.recv() => return Ok(()),
    };
    match options.engines_only {
        true => println!(
            "The outside parties are ready; their addresses are in {}/engines.env",
            options.data_dir.display()
        ),
        false => println!("Groundcrew is ready at http://localhost:{}", stack.ports.site),
    }
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    stack.shut_down().await;
    Ok(())
}
