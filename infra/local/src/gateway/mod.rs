//! The gateways in front of the functions: REST, WebSocket and the site.

pub mod elsewhere;
pub mod previews;
pub mod rest;
pub mod site;
pub mod websocket;
