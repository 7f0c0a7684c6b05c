//! Logs one JSON line per event, with the spans in which it happened; never a secret or a body.

use domain::security;
use settings::var_or;
use tracing::Subscriber;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// The target of a call's span.
pub(crate) const CALL: &str = "call";

/// Starts logging as `RUST_LOG` says, `info` by default.
pub fn init() {
    let lines = lines(std::io::stdout).with_filter(filter(&var_or("RUST_LOG", "info")));
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

/// Lets `wanted` through, and always the security log with the calls in which its lines were written: alarms count them.
fn filter(wanted: &str) -> EnvFilter {
    EnvFilter::new(format!("{wanted},{}=info,{CALL}=info", security::TARGET))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::InstallationId;
    use domain::security::{About, SecurityEvent, record};
    use serde_json::Value;
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

    fn written(wanted: &str, act: impl FnOnce()) -> Vec<Value> {
        let log = Log::default();
        let writer = log.clone();
        let lines = lines(move || writer.clone()).with_filter(filter(wanted));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), act);
        let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn no_filter_leaves_out_the_security_log() {
        for wanted in ["info", "warn", "error", "off", "store=debug", "", "security=off", "=,="] {
            let lines = written(wanted, || {
                tracing::info_span!(target: CALL, "call", request_id = "7").in_scope(|| {
                    record(
                        SecurityEvent::WebhookForged,
                        About::installation(InstallationId(7)),
                        "github",
                    );
                });
            });
            assert_eq!(lines.len(), 1, "{wanted}: {lines:?}");
            assert_eq!(lines[0]["fields"]["security"], "webhook.forged", "{wanted}");
            assert_eq!(lines[0]["span"]["request_id"], "7", "{wanted}");
        }
    }

    #[test]
    fn other_lines_are_logged_as_wanted() {
        let lines = |wanted| {
            written(wanted, || {
                tracing::info!("told");
                tracing::error!("failed");
            })
        };
        assert_eq!(["info", "warn", "off"].map(|wanted| lines(wanted).len()), [2, 1, 0]);
    }
}
