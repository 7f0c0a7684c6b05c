//! Runs the README's first commands as written: a reader who copies them gets what the README says.

use crate::root;
use anyhow::{Context, Result, bail, ensure};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long `cargo dev up` may take if everything is built already.
const UP: Duration = Duration::from_secs(300);
/// How long it may take to end after SIGTERM.
const END: Duration = Duration::from_secs(30);

/// Runs `cargo dev up`, requests the site's page and its health, and ends it. `cargo dev test` calls this.
pub fn check() -> Result<()> {
    let root = root();
    let readme = std::fs::read_to_string(root.join("README.md"))?;
    let commands = commands(&readme);
    let [up, test] = commands.as_slice() else {
        bail!("README.md must begin with two commands but has {}: {commands:?}", commands.len())
    };
    ensure!(test == "cargo dev test", "README.md's second command is `{test}`");
    let (port, engines) = ports()?;
    let data = root.join(format!("target/dev/readme-{port}"));
    let mut stack = start(&root, up, (port, engines), &data)?;
    let answered = answers(&mut stack, port);
    let ended = end(&mut stack);
    let _ = std::fs::remove_dir_all(&data);
    answered?;
    ended?;
    println!("`{up}` serves the site and ends on SIGTERM.\n1 passed, 0 failed");
    Ok(())
}

/// The commands of the first shell block, without their comments.
fn commands(markdown: &str) -> Vec<String> {
    let block = markdown.lines().skip_while(|line| *line != "```sh").skip(1);
    let lines = block.take_while(|line| *line != "```");
    let command = |line: &str| line.split(" #").next().unwrap_or_default().trim().to_owned();
    lines.map(command).filter(|line| !line.is_empty()).collect()
}

/// Two free ports. The port after a free one would not do: Linux gives listeners odd ports and connections even ones, and
/// keeps an even one for a minute after its connection has ended.
fn ports() -> Result<(u16, u16)> {
    let (site, engines) = (TcpListener::bind("127.0.0.1:0")?, TcpListener::bind("127.0.0.1:0")?);
    Ok((site.local_addr()?.port(), engines.local_addr()?.port()))
}

fn start(root: &Path, command: &str, ports: (u16, u16), data: &Path) -> Result<Child> {
    let mut shell = Command::new("bash");
    // Avoids the usual ports, which may be in use, and starts without data from an earlier run.
    let (port, engines) = ports;
    let line = format!(
        "exec {command} --port {port} --engines-port {engines} --data-dir '{}'",
        data.display()
    );
    shell.current_dir(root).args(["-c", &line]).stdin(Stdio::null());
    // cargo and the processes it starts are ended together.
    shell.process_group(0);
    shell.spawn().with_context(|| format!("cannot run `{command}`"))
}

fn answers(stack: &mut Child, port: u16) -> Result<()> {
    let deadline = Instant::now() + UP;
    while get(port, "/api/health").is_none_or(|answer| !answer.starts_with("HTTP/1.1 200")) {
        if let Some(status) = stack.try_wait()? {
            bail!("the stack ended with {status} before the site answered");
        }
        ensure!(Instant::now() < deadline, "the site did not answer within {UP:?}");
        std::thread::sleep(Duration::from_millis(250));
    }
    let page =
        get(port, "/").context("the site answered the health check but not the next request")?;
    ensure!(page.contains("<title>"), "the site's answer is not a page: {page:.300}");
    Ok(())
}

fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

fn end(stack: &mut Child) -> Result<()> {
    // Uses the shell's built-in kill: a bare Debian has no such program.
    let group = stack.id();
    let signal =
        |name| Command::new("bash").args(["-c", &format!("kill -{name} -- -{group}")]).status();
    signal("TERM")?;
    let deadline = Instant::now() + END;
    while stack.try_wait()?.is_none() {
        if Instant::now() > deadline {
            signal("KILL")?;
            bail!("the stack did not end within {END:?} of SIGTERM");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ports_are_free_even_if_the_next_ones_are_taken() {
        let (site, engines) = ports().unwrap();
        let beside = |port: u16| TcpListener::bind(("127.0.0.1", port + 1)).ok();
        let taken = (beside(site), beside(engines));
        let bound = [site, engines].map(|port| TcpListener::bind(("127.0.0.1", port)).is_ok());
        assert_eq!((site != engines, bound), (true, [true, true]));
        drop(taken);
    }

    #[test]
    fn commands_are_those_of_the_first_block_without_their_comments() {
        let text = "# T\n\n```text\na # b\n```\n\n```sh\ncargo dev up   # serve it\n\ncargo dev test\n```\n\n```sh\nrm x\n```\n";
        assert_eq!(commands(text), ["cargo dev up", "cargo dev test"]);
        assert_eq!(commands("# Title"), [""; 0]);
    }
}
