//! Engines that others wrote, under the product.
//!
//! `AWS_COUNTERPART` names moto's server (`moto_server`). Each stack then gets its own server, so that the tests
//! share nothing, and passes on to it what it would answer by its own DynamoDB, S3, SQS, Secrets Manager and KMS.

use crate::waiting::soon;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Environment variable with the counterpart's address.
const VARIABLE: &str = "AWS_COUNTERPART";
/// How moto's line begins that says where it listens.
const RUNNING: &str = " * Running on ";

/// A running server; it ends with this value.
pub struct Counterpart {
    address: String,
    _process: Child,
}

impl Counterpart {
    /// Starts the server, on a port that it takes itself, if the environment names one.
    pub async fn start() -> Option<Self> {
        let program = std::env::var_os(VARIABLE)?;
        let mut command = Command::new(program);
        command.args(["--host", "127.0.0.1", "--port", "0"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = loop {
            let line = soon("moto's start", lines.next_line()).await.unwrap();
            let line = line.expect("moto ended before it listened");
            if let Some((_, address)) = line.split_once(RUNNING) {
                break address.trim_end_matches(|c: char| !c.is_ascii_digit()).to_owned();
            }
        };
        // It writes a line for each call, and must not wait for a reader.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Some(Self { address, _process: process })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.address
    }
}
