//! Logs: one JSON line per event, with the spans it happened in; never a secret or a body.

use tracing_subscriber::EnvFilter;

/// Starts logging as `RUST_LOG` says, `info` by default.
pub fn init() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    // Fails only when a logger is there already, which is as good.
    let _ = tracing_subscriber::fmt().json().with_env_filter(filter).with_target(false).try_init();
}
