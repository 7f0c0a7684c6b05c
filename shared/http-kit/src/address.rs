//! Finds the address of a caller, and refuses callers that go around the edge.
//!
//! API Gateway puts the address of its peer into the request's context, where no caller can write. Behind CloudFront,
//! the peer is one of CloudFront's machines. The visitor's address is then in `X-Forwarded-For`, to which both append:
//! the last entry but one is the address that CloudFront saw. That entry counts only if the call carries the proof that
//! CloudFront adds and keeps secret. Without the proof, anyone could call API Gateway directly and claim any address.
//!
//! API Gateway's own address is public, and CloudFront's firewall does not stand before it. So where the environment names
//! a proof, a call without it is refused before anything is read or counted. The function of the WebSocket API does the
//! same with new connections.
//!
//! There are two proofs, and either is accepted. CloudFront takes minutes to deploy a new one everywhere, and until
//! then, calls with the previous one must be served.

use axum::http::HeaderMap;
use axum::http::request::Parts;
use domain::secret_token::sha256_hex;
use lambda_http::request::RequestContext;
use settings::var;
use std::net::{IpAddr, Ipv6Addr};

/// The header with which CloudFront proves that a call came through it.
const PROOF: &str = "x-groundcrew-edge";
/// The network part of an IPv6 address, in bits: a subscriber owns all addresses below it.
const NETWORK_BITS: u32 = 64;

/// Recognizes the calls that came through our own edge.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    proofs: Vec<String>,
}

impl Edge {
    /// Reads `EDGE_PROOF` and `EDGE_PROOF_SPARE`; without them no header is trusted.
    pub fn from_env() -> Self {
        Self::of([var("EDGE_PROOF").ok(), var("EDGE_PROOF_SPARE").ok()])
    }

    pub(crate) fn of(proofs: impl IntoIterator<Item = Option<String>>) -> Self {
        Self { proofs: proofs.into_iter().flatten().filter(|proof| !proof.is_empty()).collect() }
    }

    fn passed(&self, headers: &HeaderMap) -> bool {
        // Digests, because comparing the texts would take longer for a better guess.
        let shown = headers.get(PROOF).map(|value| sha256_hex(value.as_bytes()));
        shown.is_some_and(|shown| {
            self.proofs.iter().any(|proof| sha256_hex(proof.as_bytes()) == shown)
        })
    }

    /// Whether a call with these headers came around our own edge; never without one.
    pub fn is_evaded(&self, headers: &HeaderMap) -> bool {
        !self.proofs.is_empty() && !self.passed(headers)
    }
}

/// The network of a call, as one caller. All calls of unknown origin count as one caller.
pub(crate) fn client_address(parts: &Parts, edge: &Edge) -> String {
    let connected = || match parts.extensions.get::<RequestContext>()? {
        RequestContext::ApiGatewayV1(context) => context.identity.source_ip.clone(),
        RequestContext::ApiGatewayV2(context) => context.http.source_ip.clone(),
        _ => None,
    };
    let address = match edge.passed(&parts.headers) {
        true => forwarded(&parts.headers),
        false => connected(),
    };
    let address = address.and_then(|text| text.trim().parse().ok());
    address.map_or_else(|| "unknown".to_owned(), network)
}

fn forwarded(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok());
    let all: Vec<_> = lines.flat_map(|line| line.split(',')).collect();
    all.iter().rev().nth(1).map(|address| (*address).to_owned())
}

fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let mask = u128::MAX << (128 - NETWORK_BITS);
            Ipv6Addr::from(u128::from(address) & mask).to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn call(headers: &[(&str, &str)], connected: Option<&str>) -> Parts {
        let mut request = Request::new(());
        if let Some(address) = connected {
            let context =
                serde_json::json!({"httpMethod": "GET", "identity": {"sourceIp": address}});
            let context = RequestContext::ApiGatewayV1(serde_json::from_value(context).unwrap());
            request.extensions_mut().insert(context);
        }
        for (name, value) in headers {
            let name: axum::http::HeaderName = name.parse().unwrap();
            request.headers_mut().append(name, value.parse().unwrap());
        }
        request.into_parts().0
    }

    fn edge() -> Edge {
        Edge::of(["proof", "spare"].map(|proof| Some(proof.to_owned())))
    }

    #[test]
    fn a_header_that_anyone_can_write_is_not_trusted() {
        let forged = [("x-forwarded-for", "192.0.2.1, 192.0.2.2"), (PROOF, "guessed")];
        let parts = call(&forged, Some("198.51.100.7"));
        assert_eq!(client_address(&parts, &edge()), "198.51.100.7");
        // Without an edge, even an empty proof does not open the header.
        for none in [Edge::default(), Edge::of([None, Some(String::new())])] {
            let parts = call(&[forged[0], (PROOF, "")], Some("198.51.100.7"));
            assert_eq!(client_address(&parts, &none), "198.51.100.7");
        }
    }

    #[test]
    fn through_our_edge_the_visitor_is_the_peer_that_the_edge_saw() {
        let through = [("x-forwarded-for", "6.6.6.6, 203.0.113.9, 130.176.1.77"), (PROOF, "proof")];
        let parts = call(&through, Some("130.176.1.77"));
        assert_eq!(client_address(&parts, &edge()), "203.0.113.9");
    }

    #[test]
    fn both_proofs_count_during_a_rotation_and_a_replaced_one_does_not() {
        let of = |proof, edge: &Edge| {
            let through = [("x-forwarded-for", "203.0.113.9, 130.176.1.77"), (PROOF, proof)];
            client_address(&call(&through, Some("130.176.1.77")), edge)
        };
        let (visitor, machine) = ("203.0.113.9", "130.176.1.77");
        assert_eq!([of("proof", &edge()), of("spare", &edge())], [visitor; 2]);
        let rotated = Edge::of([Some("newer".to_owned()), Some("spare".to_owned())]);
        assert_eq!([of("newer", &rotated), of("spare", &rotated)], [visitor; 2]);
        assert_eq!([of("proof", &rotated), of("proof spare", &rotated)], [machine; 2]);
    }

    #[test]
    fn a_subscribers_ipv6_addresses_are_one_caller_and_unknown_ones_another() {
        let of = |address| client_address(&call(&[], Some(address)), &edge());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(client_address(&call(&[], None), &edge()), "unknown");
    }
}
