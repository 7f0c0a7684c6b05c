//! terminado, Jupyter's terminal server, from PyPI.

use super::wire::Wire;
use api_tests::{Socket, binaries};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The running server; ends when dropped.
pub struct Terminado {
    address: String,
    _server: Child,
}

impl Terminado {
    /// Starts it, or says why it is unavailable.
    pub async fn start() -> Result<Self, String> {
        let root = binaries::repository();
        let python = root.join("target/bench-venv/bin/python");
        if !python.is_file() {
            return Err(format!("{} is missing", python.display()));
        }
        let mut command = Command::new(python);
        command.arg(root.join("tests/bench/terminado_server.py"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut server = command.spawn().map_err(|error| error.to_string())?;
        let out = server.stdout.take().ok_or("terminado has no output")?;
        let line = BufReader::new(out).lines().next_line().await;
        let Ok(Some(address)) = line else { return Err("terminado ended immediately".to_owned()) };
        Ok(Self { address, _server: server })
    }

    /// Opens a shell.
    pub async fn open(&self) -> Wire {
        let socket = Socket::open(&self.address).await.expect("terminado takes a socket");
        Wire::Terminado { socket: Box::new(socket), shown: String::new() }
    }
}
