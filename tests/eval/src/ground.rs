//! The cloud in which plans for servers are carried out: `ground/ground.py`, a stand-in for Hetzner, as a process.

use crate::request::{Request, folder};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// Lists the state of a server, which two runs of the same steps must leave equal. The resolver of the container's engine
/// listens at 127.0.0.11 and has other ports after each restart.
const INVENTORY: &str = r"
dpkg-query --show --showformat 'package ${Package} ${Version} ${db:Status-Abbrev}\n'
cd /etc && find . -type f ! -name '*-' ! -name ld.so.cache ! -name .updated \
  -exec stat --format 'setting %n %A %U %G' {} \; -exec sha256sum {} \;
find /etc -type l -printf 'link %p %l\n'
ss --listening --tcp --udp --numeric --no-header | awk '{ print $1, $5 }' | sed '/ 127[.]0[.]0[.]11:/d; s/^/port /'
systemctl list-unit-files --no-legend --plain | sed 's/^/unit /'
systemctl list-units --state=failed --no-legend --plain | sed 's/^/failed /'
find /opt /srv /usr/local -type f -exec sha256sum {} \;
getent passwd | sed 's/^/login /'
ufw show added
";

/// A cloud whose servers are containers. Dropping this ends the cloud and its servers.
pub struct Ground {
    /// The process ends when its input does; it is killed only if this process breaks off.
    _child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    /// The cloud's address, for sandboxes and servers.
    pub address: String,
    /// The value that it accepts for `HCLOUD_TOKEN`.
    pub token: String,
}

impl Ground {
    /// Starts a cloud without servers, whose servers will have what the request's steps get from the Internet; returns
    /// the reason if that is impossible.
    pub async fn start(request: &Request) -> Result<Self, String> {
        let mut command = Command::new("python3");
        command.arg(folder().join("ground/ground.py"));
        command.args(request.images.then_some("images"));
        command.args(request.releases.then_some("releases"));
        command.args(request.domain.iter().map(|name| format!("name={name}")));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // In a separate process group, Ctrl-C reaches it only as the end of its input, and it removes its containers.
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| format!("python3: {error}"))?;
        let input = child.stdin.take().expect("a pipe");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut ground =
            Self { _child: child, input, lines, address: String::new(), token: String::new() };
        let said = ground.next_answer().await?;
        let word = |name: &str| said[name].as_str().map(str::to_owned);
        if let Some(reason) = word("skipped") {
            return Err(reason);
        }
        ground.address = word("address").unwrap_or_default();
        ground.token = word("token").unwrap_or_default();
        Ok(ground)
    }

    async fn next_answer(&mut self) -> Result<Value, String> {
        let line = self.lines.next_line().await.map_err(|error| error.to_string())?;
        let line = line.ok_or("ground.py ended; its output is above")?;
        serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))
    }

    async fn order(&mut self, order: Value) -> Result<Value, String> {
        let written = self.input.write_all(format!("{order}\n").as_bytes()).await;
        written.map_err(|error| format!("ground.py: {error}"))?;
        self.next_answer().await
    }

    /// The servers that exist, and their addresses.
    pub async fn servers(&mut self) -> Result<BTreeMap<String, String>, String> {
        let said = self.order(json!({"servers": true})).await?;
        serde_json::from_value(said["servers"].clone()).map_err(|error| error.to_string())
    }

    /// The resources that exist, each as its kind and name.
    pub async fn left(&mut self) -> Result<Vec<String>, String> {
        let said = self.order(json!({"left": true})).await?;
        serde_json::from_value(said["left"].clone()).map_err(|error| error.to_string())
    }

    /// Runs a command as root on a server; returns its output and its exit code.
    pub async fn run(&mut self, server: &str, command: &str) -> Result<(String, String), String> {
        let said = self.order(json!({"on": server, "run": command})).await?;
        let output = said["output"].as_str().unwrap_or_default().to_owned();
        Ok((output, said["code"].to_string()))
    }

    /// Restarts a server, and waits until it accepts logins.
    pub async fn restart(&mut self, server: &str) -> Result<(), String> {
        let said = self.order(json!({"restart": server})).await?;
        match said["code"] == 0 {
            true => Ok(()),
            false => Err(format!("the restart of {server}: {}", said["output"])),
        }
    }

    /// The state of all servers, by the name of each item.
    pub async fn inventory(&mut self) -> Result<BTreeMap<String, String>, String> {
        let mut all = BTreeMap::new();
        for server in self.servers().await?.into_keys() {
            let (lines, _) = self.run(&server, INVENTORY).await?;
            all.extend(lines.lines().map(|line| (format!("{server}: {line}"), String::new())));
        }
        Ok(all)
    }
}
