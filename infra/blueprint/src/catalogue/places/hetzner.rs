//! The places of Hetzner.

use super::Places;

/// Names of places as people use them, with Hetzner's name of each.
pub const HETZNER: Places = &[
    ("nuremberg", "nbg1"),
    ("nürnberg", "nbg1"),
    ("germany", "nbg1"),
    ("europe", "nbg1"),
    ("european union", "nbg1"),
    ("eu", "nbg1"),
    ("falkenstein", "fsn1"),
    ("helsinki", "hel1"),
    ("finland", "hel1"),
    ("ashburn", "ash"),
    ("virginia", "ash"),
    ("us east", "ash"),
    ("hillsboro", "hil"),
    ("oregon", "hil"),
    ("us west", "hil"),
    ("the us", "ash"),
    ("usa", "ash"),
    ("united states", "ash"),
    ("singapore", "sin"),
    ("asia", "sin"),
];
