//! The App's private key, which GitHub gives to the App's owner once.

use anyhow::{Context, Result};
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The lines around the key in PEM.
const LABEL: &str = "PRIVATE KEY";

/// Reads the key in `pem`.
pub fn read(pem: &str) -> Result<KeyPair> {
    let body = pem.lines().filter(|line| !line.starts_with("-----")).collect::<String>();
    KeyPair::from_pkcs8(&STANDARD.decode(body)?).ok().context("the App's key cannot be read")
}

/// Makes a key, in PEM. That takes a tenth of a second of a processor, so stacks can share one.
pub fn make() -> Result<String> {
    let key = KeyPair::generate(KeySize::Rsa2048).context("cannot make the App's key")?;
    let der = AsDer::<Pkcs8V1Der<'_>>::as_der(&key).context("the App's key")?;
    let body = STANDARD.encode(der.as_ref());
    Ok(format!("-----BEGIN {LABEL}-----\n{body}\n-----END {LABEL}-----\n"))
}
