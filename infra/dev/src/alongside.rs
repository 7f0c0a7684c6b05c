//! Runs sections next to another one.
//!
//! The stories in the browser mostly wait, for pages, sandboxes and timeouts, and so do a deployment and the third-party
//! counterparts. The other sections run next to the stories, those of each lane one after the other, and use the time that
//! they leave. Lints and documentation keep every processor busy, so Linux runs them in its idle scheduling class: they run
//! only while a processor is otherwise idle, and hardly slow the other tests down. The output of these sections is kept and
//! shown in one piece after the section that they ran next to.

use crate::count::Count;
use crate::sections::{Class, Concurrency, Lane, Section};
use crate::step::{duration, output};
use anyhow::Result;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

/// Runs a section and hands its output to a function.
type Runner = fn(&Path, &Section, &(dyn Fn(&[u8]) + Sync), bool) -> Result<Count>;

/// A section that ran next to others.
pub struct Ended {
    /// The section.
    pub section: &'static Section,
    /// The output of all its commands.
    pub output: Vec<u8>,
    /// How long it took.
    pub took: String,
    /// Its result.
    pub outcome: Result<Count>,
}

/// Sections that run next to the main ones.
pub struct Alongside {
    sender: Sender<Ended>,
    ended: Receiver<Ended>,
}

impl Alongside {
    /// No sections yet.
    pub fn new() -> Self {
        let (sender, ended) = channel();
        Self { sender, ended }
    }

    /// Starts sections.
    pub fn start(&self, root: &Path, sections: &[&'static Section], run: Runner) {
        for lane in [Lane::Containers, Lane::Others] {
            let of_lane = |section: &&Section| matches!(section.concurrency, Concurrency::Alongside(_, own) if own == lane);
            let sections: Vec<_> = sections.iter().copied().filter(of_lane).collect();
            let (root, sender) = (root.to_owned(), self.sender.clone());
            thread::spawn(move || in_turn(&root, &sections, &sender, run));
        }
    }

    /// The sections that have ended since the last call.
    pub fn ended(&self) -> impl Iterator<Item = Ended> + '_ {
        self.ended.try_iter()
    }

    /// The remaining sections, as they end.
    pub fn rest(self) -> impl Iterator<Item = Ended> {
        drop(self.sender);
        self.ended.into_iter()
    }
}

/// Runs sections one after the other.
fn in_turn(root: &Path, sections: &[&'static Section], sender: &Sender<Ended>, run: Runner) {
    for section in sections {
        let (begun, kept) = (Instant::now(), std::sync::Mutex::new(Vec::new()));
        let keep = |line: &[u8]| {
            if let Ok(mut kept) = kept.lock() {
                kept.extend_from_slice(line);
            }
        };
        let idle = matches!(section.concurrency, Concurrency::Alongside(Class::Idle, _));
        let outcome = run(root, section, &keep, idle);
        let (took, output) = (duration(begun), kept.into_inner().unwrap_or_default());
        if sender.send(Ended { section, output, took, outcome }).is_err() {
            return;
        }
    }
}

/// A command that runs only while a processor is otherwise idle.
pub fn idle(command: &Command) -> Command {
    let class = ["--idle", "0"];
    let possible = output("chrt", &[class[0], class[1], "true"]).is_some();
    let (program, arguments) =
        if possible { ("chrt", &class[..]) } else { ("nice", &["-n", "19"][..]) };
    let mut idle = Command::new(program);
    idle.args(arguments).arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        idle.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => idle.env(name, value),
            None => idle.env_remove(name),
        };
    }
    idle
}

#[cfg(test)]
mod tests {
    use super::*;

    static FIRST: Section = section("first", Class::Idle, Lane::Others);
    static SECOND: Section = section("second", Class::Normal, Lane::Others);
    static THIRD: Section = section("third", Class::Idle, Lane::Containers);

    const fn section(name: &'static str, class: Class, lane: Lane) -> Section {
        Section {
            name,
            title: "",
            needs: &[],
            fetches: &[],
            concurrency: Concurrency::Alongside(class, lane),
            commands: none,
        }
    }

    fn none(_: &Path) -> Result<Vec<Command>> {
        Ok(Vec::new())
    }

    fn named(
        _: &Path,
        section: &Section,
        say: &(dyn Fn(&[u8]) + Sync),
        idle: bool,
    ) -> Result<Count> {
        say(section.name.as_bytes());
        say(b"\n");
        anyhow::ensure!(idle, "{} failed", section.name);
        Ok(Count { passed: u64::from(idle), ..Count::default() })
    }

    #[test]
    fn sections_of_a_lane_run_in_order_and_return_their_output_and_result() {
        let beside = Alongside::new();
        assert_eq!(beside.ended().count(), 0, "sections run only once they are started");
        beside.start(Path::new("."), &[&FIRST, &SECOND, &THIRD], named);
        let ended = beside.rest();
        let (other, ended): (Vec<_>, Vec<_>) =
            ended.partition(|ended| ended.section.name == "third");
        assert_eq!(other.len(), 1, "the other lane runs, too");
        let [first, second] = &ended[..] else { panic!("{} ended", ended.len()) };
        assert_eq!((first.section.name, &first.output[..]), ("first", &b"first\n"[..]));
        assert_eq!(first.outcome.as_ref().unwrap().passed, 1, "it ran as idle work");
        assert_eq!(second.outcome.as_ref().unwrap_err().to_string(), "second failed");
    }

    #[test]
    fn without_sections_there_are_no_results() {
        let beside = Alongside::new();
        beside.start(Path::new("."), &[], named);
        assert_eq!(beside.rest().count(), 0);
    }

    #[test]
    fn idle_work_has_the_commands_folder_arguments_and_environment() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.current_dir(folder.path()).env("WORD", "heard").env_remove("HOME");
        command.args(["-c", "echo $WORD ${HOME-none} $0; pwd -P", "zero"]);
        let said = idle(&command).output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let here = folder.path().canonicalize().unwrap();
        assert_eq!(said, format!("heard none zero\n{}\n", here.display()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_runs_it_in_the_idle_class() {
        if !crate::machine::is_there("chrt") {
            return;
        }
        // The field `policy` of /proc/self/stat; SCHED_IDLE is 5.
        let mut command = Command::new("sh");
        command.args(["-c", "cut -d' ' -f41 /proc/$$/stat"]);
        let said = idle(&command).output().unwrap();
        assert_eq!(String::from_utf8(said.stdout).unwrap().trim(), "5");
    }
}
