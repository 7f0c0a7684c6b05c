//! Third-party engines underneath the product.
//!
//! `AWS_COUNTERPART` is the path of moto's server (`moto_server`). Each stack then gets its own server, so that the
//! tests share nothing, and passes on the calls that its own DynamoDB, S3, SQS, Secrets Manager and KMS would answer.

use crate::waiting::soon;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The environment variable with the counterpart's program.
const VARIABLE: &str = "AWS_COUNTERPART";
/// The beginning of the line in which moto prints its address.
const RUNNING: &str = " * Running on ";

/// A running server; dropping this value stops it.
pub struct Counterpart {
    address: String,
    _process: Child,
}

impl Counterpart {
    /// Starts the server on a free port if the environment variable is set.
    pub async fn start() -> Option<Self> {
        let program = std::env::var_os(VARIABLE)?;
        let mut command = Command::new(program);
        command.args(["--host", "127.0.0.1", "--port", "0"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = loop {
            let line = soon("moto's start", lines.next_line()).await.unwrap();
            let line = line.expect("moto ended before it was listening");
            if let Some((_, address)) = line.split_once(RUNNING) {
                break address.trim_end_matches(|c: char| !c.is_ascii_digit()).to_owned();
            }
        };
        // The server writes a line for each call and must not block on a missing reader.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Some(Self { address, _process: process })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.address
    }
}
