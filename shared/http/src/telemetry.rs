//! Logs one JSON line per event, with the spans in which it happened; never a secret or a body.

use tracing::Subscriber;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// Starts logging as `RUST_LOG` says, `info` by default.
pub fn init() {
    let lines = lines(std::io::stdout).with_filter(wanted());
    // It fails only if a logger is already installed, which logs as well.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter_fn(may_log))).try_init();
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

/// Whether this target may log: `genai` logs what a provider answered, so `RUST_LOG` cannot enable it.
pub fn may_log(metadata: &tracing::Metadata<'_>) -> bool {
    let target = metadata.target();
    target != "genai" && !target.starts_with("genai::")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_model_client_library_logs_nothing() {
        let log = Log::default();
        let writer = log.clone();
        let lines = fmt::layer().json().with_writer(move || writer.clone());
        let lines = lines.with_filter(EnvFilter::new("trace")).with_filter(filter_fn(may_log));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
            tracing::error!(target: "genai::adapter::adapters::openai", "canary");
            tracing::warn!(target: "genai", "canary");
            tracing::info!("ours");
        });
        let written = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        assert!(written.contains("ours") && !written.contains("canary"), "{written}");
    }
}
