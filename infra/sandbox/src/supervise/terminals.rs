//! One terminal: a PTY and a login shell.
//!
//! The PTY is read only as far as the agent has granted. A program that prints faster than its viewers can display then
//! blocks in its `write`, as it would on a slow serial line: no memory grows, and Ctrl-C, which travels the other way,
//! takes effect at once.

use std::io;
use std::os::fd::AsFd;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl, open as open_file};
use rustix::process::{Pid, Signal, kill_process_group};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::{mpsc, oneshot};

use super::home::Home;
use super::prompt::{Prompt, Word};
use super::{Events, send};
use crate::pipe::{Event, Part};
use crate::process::{Children, Exit};

/// How many keys may wait to be read by a program; pasted text beyond that is dropped, as on a full tty.
const TYPED_BYTES: usize = 1024 * 1024;

/// How much of a terminal's output is read at once, in bytes.
const READ_BYTES: usize = 16 * 1024;

/// The key that runs a line.
const ENTER: &[u8] = b"\r";

/// An order for a terminal.
pub enum Order {
    /// Type these keys; if they are a part of a command that an agent types, only at the shell's prompt.
    Type(Vec<u8>, Option<Part>),
    /// Press Enter if the shell's prompt holds exactly this text.
    Run(String),
    Resize(u16, u16),
    Grant(usize),
}

/// An open terminal.
pub struct Handle(mpsc::UnboundedSender<Order>);

impl Handle {
    /// Sends the terminal an order; a closed one ignores it.
    pub fn tell(&self, order: Order) {
        let _ = self.0.send(order);
    }

    /// Whether the shell has ended.
    pub fn is_over(&self) -> bool {
        self.0.is_closed()
    }
}

/// Opens a terminal of `(rows, cols)` with a login shell that also has these variables.
pub fn open(
    name: &str,
    size: (u16, u16),
    (home, variables): (&Home, Vec<(&'static str, String)>),
    children: &mut Children,
    events: Events,
) -> io::Result<Handle> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    resize(&master, size)?;
    let path = ptsname(&master, Vec::new())?;
    let slave = open_file(path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    fcntl_setfl(&master, fcntl_getfl(&master)? | OFlags::NONBLOCK)?;
    let word = Word::random()?;
    // `setsid --ctty` makes the terminal the shell's controlling one; this program itself could do so only in code
    // between fork and exec, which Rust calls unsafe.
    let mut command = home.command("setsid");
    command
        .args(["--ctty", "bash", "-l"])
        .env("TERM", "xterm-256color")
        .env("COLORTERM", "truecolor")
        .envs(variables)
        .envs([word.variable()])
        .stdin(Stdio::from(slave.try_clone()?))
        .stdout(Stdio::from(slave.try_clone()?))
        .stderr(Stdio::from(slave));
    let (session, exit) = children.start(&mut command)?;
    drop(command);
    let (orders, incoming) = mpsc::unbounded_channel();
    let terminal = Terminal {
        name: name.to_owned(),
        output: Receiver::from_owned_fd_unchecked(master.try_clone()?)?,
        input: Sender::from_owned_fd_unchecked(master)?,
        session,
        granted: 0,
        typed: Vec::new(),
        prompt: Prompt::new(word),
    };
    tokio::spawn(terminal.serve(incoming, exit, events));
    Ok(Handle(orders))
}

fn resize(terminal: impl AsFd, (rows, cols): (u16, u16)) -> io::Result<()> {
    let size = Winsize { ws_row: rows.max(1), ws_col: cols.max(2), ws_xpixel: 0, ws_ypixel: 0 };
    Ok(tcsetwinsize(terminal, size)?)
}

struct Terminal {
    name: String,
    /// The PTY's two directions. It is not a pipe, but it is read and written like one.
    output: Receiver,
    input: Sender,
    session: Pid,
    granted: usize,
    typed: Vec<u8>,
    prompt: Prompt,
}

impl Terminal {
    async fn serve(
        mut self,
        mut incoming: mpsc::UnboundedReceiver<Order>,
        mut exit: oneshot::Receiver<Exit>,
        events: Events,
    ) {
        let mut hung_up = false;
        let exit = loop {
            tokio::select! {
                biased;
                order = incoming.recv() => match order {
                    Some(order) => {
                        if let Some(part) = self.obey(order) {
                            let terminal = self.name.clone();
                            send(&events, Event::NotTyped { terminal, part }, Vec::new()).await;
                        }
                    }
                    // The supervisor is shutting down; the hangup ends the shell.
                    None => return,
                },
                exit = &mut exit => break exit.map_or(1, Exit::shell_code),
                written = write_some(&self.input, &self.typed), if !self.typed.is_empty() => {
                    let done = written.unwrap_or(self.typed.len());
                    self.typed.drain(..done);
                }
                read = read_some(&self.output, self.granted), if self.granted > 0 && !hung_up => match read {
                    Ok(data) if !data.is_empty() => self.print(data, &events).await,
                    // EIO: no process has the terminal open; the shell's exit follows.
                    _ => hung_up = true,
                }
            }
        };
        // The shell's remaining output is in the terminal's buffer, which is smaller than this.
        if let Ok(data) = try_read(&self.output, READ_BYTES) {
            self.print(data, &events).await;
        }
        let _ = kill_process_group(self.session, Signal::HUP);
        let closed = Event::Closed { terminal: self.name, exit_code: exit };
        send(&events, closed, Vec::new()).await;
    }

    /// Follows an order; returns the part of an agent's command that must not be typed now. Programs that take single
    /// keys, such as `less`, a full-screen editor or a question, would obey it as their user's own keys.
    fn obey(&mut self, order: Order) -> Option<Part> {
        match order {
            Order::Type(_, Some(part)) if !self.stands(&part.after) => return Some(part),
            Order::Type(data, _) => {
                if self.typed.len() + data.len() <= TYPED_BYTES {
                    self.prompt.typed(&data);
                    self.typed.extend(data);
                }
            }
            Order::Run(command) => {
                if self.stands(&command) {
                    self.prompt.typed(ENTER);
                    self.typed.extend(ENTER);
                }
            }
            Order::Resize(rows, cols) => {
                let _ = resize(&self.input, (rows, cols));
            }
            Order::Grant(bytes) => self.granted += bytes,
        }
        None
    }

    /// Whether the shell is at its prompt and the line there holds exactly this text.
    fn stands(&self, text: &str) -> bool {
        self.prompt.stands(text, &self.input, self.session)
    }

    async fn print(&mut self, data: Vec<u8>, events: &Events) {
        self.prompt.printed(&data);
        self.granted = self.granted.saturating_sub(data.len());
        let terminal = self.name.clone();
        send(events, Event::Printed { terminal }, data).await;
    }
}

/// Reads at most `most` bytes, once there are any.
async fn read_some(output: &Receiver, most: usize) -> io::Result<Vec<u8>> {
    loop {
        output.readable().await?;
        match try_read(output, most.min(READ_BYTES)) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
            read => return read,
        }
    }
}

fn try_read(output: &Receiver, most: usize) -> io::Result<Vec<u8>> {
    let mut data = vec![0; most];
    let n = output.try_read(&mut data)?;
    data.truncate(n);
    Ok(data)
}

/// Writes some of the keys, once there is room for any.
async fn write_some(input: &Sender, typed: &[u8]) -> io::Result<usize> {
    loop {
        input.writable().await?;
        match input.try_write(typed) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
            written => return written,
        }
    }
}
