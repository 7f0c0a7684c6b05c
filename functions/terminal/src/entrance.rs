//! Decides whether a new connection came by the route that this stack requires.
//!
//! A stack with a domain of its own sends browsers and sandboxes to `/ws` of its site. There, CloudFront's firewall looks
//! at each new connection, and CloudFront adds the proof that the REST functions ask for as well. A connection without
//! the proof dialed API Gateway's address, which is public, and is refused.
//!
//! A stack without a domain sends both to API Gateway's address. Sandboxes need an address in the environment of the
//! functions that start them, and CloudFront's own name for the site is known only after the functions exist. There, no
//! connection can carry a proof, and the single-use ticket or token alone decides (`docs/security/sessions.md`).

use axum::http::HeaderMap;
use http_kit::Edge;
use settings::ConfigError;

/// The way that new connections have to come.
#[derive(Clone)]
pub(crate) struct Entrance {
    /// `None` if clients dial API Gateway itself.
    edge: Option<Edge>,
}

impl Entrance {
    /// Reads the address that clients dial and API Gateway's own, and the proofs of the edge.
    pub fn from_env() -> Result<Self, ConfigError> {
        let dialed = settings::var("WEBSOCKET_URL")?;
        let own = settings::var("WEBSOCKET_MANAGEMENT_URL")?;
        Ok(Self { edge: (!is_same(&dialed, &own)).then(Edge::from_env) })
    }

    /// Whether a connection with these headers came another way.
    pub fn is_evaded(&self, headers: &HeaderMap) -> bool {
        self.edge.as_ref().is_some_and(|edge| edge.is_evaded(headers))
    }
}

/// Whether clients dial API Gateway's own address: the two differ only in their schemes. Any other difference counts as
/// the edge, so that a mistake closes the way around it instead of opening it.
fn is_same(dialed: &str, own: &str) -> bool {
    let behind = |url: &'static str, address: &str| {
        address.strip_prefix(url).map(|rest| rest.trim_end_matches('/').to_owned())
    };
    let dialed = behind("wss://", dialed).or_else(|| behind("ws://", dialed));
    let own = behind("https://", own).or_else(|| behind("http://", own));
    dialed.is_some() && dialed == own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stack_that_hands_out_api_gateways_own_address_lets_connections_in_there() {
        let own = "https://f6g7.execute-api.eu-central-1.amazonaws.com/ws";
        assert!(is_same("wss://f6g7.execute-api.eu-central-1.amazonaws.com/ws", own));
        assert!(is_same("ws://10.0.0.1:4566/_aws/f6g7/ws", "http://10.0.0.1:4566/_aws/f6g7/ws/"));
        for dialed in [
            "wss://groundcrew.example/ws",
            "wss://groundcrew.example/f6g7.execute-api.eu-central-1.amazonaws.com/ws",
            "wss://f6g7.execute-api.eu-central-1.amazonaws.com",
            "https://f6g7.execute-api.eu-central-1.amazonaws.com/ws",
            "",
        ] {
            assert!(!is_same(dialed, own), "{dialed}");
        }
        assert!(!is_same("", ""));
    }
}
