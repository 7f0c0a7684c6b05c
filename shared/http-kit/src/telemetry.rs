//! Logs one JSON line per event, with the spans in which it happened; never a secret or a body.

use tracing::Subscriber;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// Starts logging as `RUST_LOG` says, `info` by default.
pub fn init() {
    let lines = lines(std::io::stdout).with_filter(wanted());
    // It fails only if a logger is already installed, which logs as well.
    let _ = tracing_subscriber::registry().with(lines).try_init();
}

/// The form of the lines. The template's alarms count lines by their fields; a test of the deployment reads real lines.
pub fn lines<S, W>(writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    fmt::layer().json().with_target(false).with_writer(writer)
}

fn wanted() -> EnvFilter {
    EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"))
}
