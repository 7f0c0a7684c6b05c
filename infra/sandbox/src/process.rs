//! Child processes: started here, and reaped here whatever their parent was.

use std::collections::{HashMap, HashSet};
use std::process::Command;
use std::{fs, io};

use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, kill_process_group,
    set_child_subreaper, wait,
};
use tokio::sync::oneshot;

/// The processes whose end a task waits for.
#[derive(Default)]
pub struct Children {
    waiting: HashMap<Pid, oneshot::Sender<Exit>>,
}

/// How a process ended: its exit code, or the signal that killed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

impl Exit {
    /// The exit code as a shell reports it: a signal is 128 plus its number.
    pub fn shell_code(self) -> i32 {
        match self {
            Exit::Code(code) => code,
            Exit::Signal(signal) => 128 + signal,
        }
    }
}

/// Makes orphans below this process its children, so that it can reap and kill them. PID 1 gets them anyway.
pub fn adopt_orphans() -> io::Result<()> {
    if getpid() != Pid::INIT {
        set_child_subreaper(Some(getpid()))?;
    }
    Ok(())
}

impl Children {
    /// Starts a process that leads its own process group or session.
    pub fn start(&mut self, command: &mut Command) -> io::Result<(Pid, oneshot::Receiver<Exit>)> {
        // The handle is dropped at once: `reap` waits for every child, and only one can wait.
        let pid = command.spawn()?.id();
        let pid = i32::try_from(pid)
            .ok()
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("a process without an id"))?;
        let (exit, ended) = oneshot::channel();
        self.waiting.insert(pid, exit);
        Ok((pid, ended))
    }

    /// Collects the status of every ended process; drops those of orphans.
    pub fn reap(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if let (Some(exit), Some(waiting)) = (exit(status), self.waiting.remove(&pid)) {
                let _ = waiting.send(exit);
            }
        }
    }

    /// Signals the group of every child.
    pub fn signal_all(&self, signal: Signal) {
        for pid in self.waiting.keys() {
            let _ = kill_process_group(*pid, signal);
        }
    }

    /// Whether no task waits for a process.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

fn exit(status: WaitStatus) -> Option<Exit> {
    let code = status.exit_status().map(Exit::Code);
    code.or_else(|| status.terminating_signal().map(Exit::Signal))
}

/// How often the remaining processes are killed again: each round adopts the children of those that just died.
const ROUNDS: usize = 1000;

/// Kills every descendant. If this is PID 1, the kernel does so when it ends.
pub fn end_descendants() {
    if getpid() == Pid::INIT {
        return;
    }
    for _ in 0..ROUNDS {
        let children = children_of_this_process();
        if children.is_empty() {
            return;
        }
        for pid in children {
            let _ = kill_process(pid, Signal::KILL);
        }
        if !matches!(wait(WaitOptions::empty()), Ok(Some(_))) {
            return;
        }
    }
}

/// Kills every descendant and keeps running; they are reaped like all others.
///
/// A process may have been forked between the listing and the kill of its parent, so this repeats until none is alive.
pub fn kill_descendants() {
    for _ in 0..ROUNDS {
        let living = living_descendants();
        if living.is_empty() {
            return;
        }
        for pid in living {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// The living processes below this one.
pub fn living_descendants() -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((pid, parent(&stat)?.parse::<i32>().ok()?, is_over(&stat)))
    });
    let all: Vec<_> = stats.collect();
    let mut below = HashSet::from([getpid().as_raw_nonzero().get()]);
    loop {
        let more: Vec<_> = all.iter().filter(|(_, parent, _)| below.contains(parent)).collect();
        let before = below.len();
        below.extend(more.iter().map(|(pid, ..)| *pid));
        if below.len() == before {
            let living = more.into_iter().filter(|(.., over)| !over);
            return living.filter_map(|(pid, ..)| Pid::from_raw(*pid)).collect();
        }
    }
}

/// Whether a line of `/proc/<pid>/stat` describes a zombie.
fn is_over(stat: &str) -> bool {
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
}

fn children_of_this_process() -> Vec<Pid> {
    let me = getpid().as_raw_nonzero().to_string();
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &i32| {
            fs::read_to_string(format!("/proc/{pid}/stat"))
                .is_ok_and(|stat| parent(&stat) == Some(&me))
        })
        .filter_map(Pid::from_raw)
        .collect()
}

/// The parent's id in a line of `/proc/<pid>/stat`, whose second field may contain anything, including spaces and
/// brackets.
fn parent(stat: &str) -> Option<&str> {
    stat.rsplit_once(") ")?.1.split(' ').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_found_whatever_the_process_is_called() {
        assert_eq!(parent("12 (a) b) S 7 12 12 0"), Some("7"));
        assert!(is_over("12 (a) b) Z 7 12 12 0") && !is_over("12 (Z) Z) S 7 12 12 0"));
    }
}
