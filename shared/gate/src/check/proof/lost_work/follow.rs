//! Follows the failure of one command through a script.

use super::super::commands::{ends_well, fails, only_tells};
use super::super::says;
use super::fate::{Fate, Shell};
use super::passes;
use crate::bash::tree::{Chain, List, Node, Pipeline};
use crate::bash::{Command, Script, assignment};
use std::collections::{BTreeMap, BTreeSet};

/// How deeply functions that call functions are followed.
const DEPTH: usize = 4;

/// Assumes that one command fails, and that every other one succeeds.
pub(super) struct Follower<'a> {
    script: &'a Script,
    text: &'a str,
    functions: BTreeMap<&'a str, &'a Node>,
    failing: usize,
    /// The functions that run the failing command, themselves or by others that they call.
    running: BTreeSet<&'a str>,
}

impl<'a> Follower<'a> {
    pub(super) fn new(script: &'a Script, text: &'a str, list: &'a List, failing: usize) -> Self {
        let mut functions = BTreeMap::new();
        for chain in &list.0 {
            if let [Node::Function(name, body)] = chain.first.parts.as_slice() {
                functions.insert(name.as_str(), body.as_ref());
            }
        }
        let running = running(script, &functions, failing);
        Self { script, text, functions, failing, running }
    }

    pub(super) fn list(&self, list: &List, mut shell: Shell, depth: usize) -> Fate {
        for (at, chain) in list.0.iter().enumerate() {
            if let Some(heeds) = self.sets(chain) {
                shell.heeds = heeds;
                shell.because = says::SWITCHED_OFF;
            }
            let after = &list.0[at + 1..];
            let fate = match self.chain(chain, shell, depth) {
                Fate::Absent => continue,
                Fate::Fails { ignored } => self.failed(ignored, shell, after),
                fate => fate,
            };
            return match fate {
                Fate::Lost { surely: false, .. } if self.may_notice(after) => Fate::Noticed,
                fate => fate,
            };
        }
        Fate::Absent
    }

    /// What follows when a chain has failed.
    fn failed(&self, ignored: Option<&'static str>, shell: Shell, after: &[Chain]) -> Fate {
        let ends = shell.heeds && !shell.ignores && ignored.is_none();
        if ends || after.first().is_some_and(|next| self.reads_status(next)) {
            return Fate::Noticed;
        }
        if after.is_empty() {
            return Fate::Fails { ignored };
        }
        let because = ignored.unwrap_or(shell.because);
        Fate::Lost { because, surely: ignored.is_none() && !shell.ignores }
    }

    fn chain(&self, chain: &Chain, shell: Shell, depth: usize) -> Fate {
        let rest = chain.rest.iter().map(|(_, part)| part);
        let parts: Vec<&Pipeline> = std::iter::once(&chain.first).chain(rest).collect();
        for (at, part) in parts.iter().enumerate() {
            let last = at + 1 == parts.len();
            let inner = if last { shell } else { shell.in_condition() };
            let ignored = match self.pipeline(part, inner, depth) {
                Fate::Absent => continue,
                Fate::Fails { ignored } => ignored,
                fate => return fate,
            };
            if chain.background {
                return self.in_background();
            }
            if last {
                return Fate::Fails { ignored };
            }
            let behind = &chain.rest[at..];
            return match behind.iter().find(|(or, _)| *or) {
                Some((_, part)) => self.handled(part, &parts[at + 1..]),
                None if shell.ignores || behind.iter().all(|(_, part)| self.only_passes(part)) => {
                    Fate::Fails { ignored: Some(says::AND) }
                }
                // What would have followed is missing later.
                None => Fate::Noticed,
            };
        }
        Fate::Absent
    }

    /// Other rules look at what runs in the background, unless the shell forgets it.
    fn in_background(&self) -> Fate {
        let has = |name| self.script.commands.iter().any(|one| one.program() == Some(name));
        if has("disown") && !has("wait") {
            return Fate::Lost { because: says::BACKGROUND, surely: true };
        }
        Fate::Noticed
    }

    /// What a pipeline behind `||` does about the failure; `behind` are all that follow the failure.
    fn handled(&self, part: &Pipeline, behind: &[&Pipeline]) -> Fate {
        let commands = self.commands(&part.parts);
        // Another rule finds `work || true`.
        let found =
            |command: &Command| matches!(command.program(), Some("true" | ":" | "echo" | "printf"));
        let next = behind.first().is_some_and(|next| std::ptr::eq(*next, part));
        let alone = matches!(part.parts.as_slice(), [Node::Simple(_)]);
        if (next && alone && commands.iter().all(|command| found(command)))
            || self.may_mind(&commands)
        {
            return Fate::Noticed;
        }
        let turns = behind.iter().flat_map(|part| self.commands(&part.parts)).any(|command| {
            command.program().is_some_and(|program| ["break", "continue"].contains(&program))
        });
        Fate::Lost { because: says::SWALLOWED, surely: !turns }
    }

    fn pipeline(&self, pipeline: &Pipeline, shell: Shell, depth: usize) -> Fate {
        let shell = if pipeline.negated { shell.in_condition() } else { shell };
        let fate = self.parts(pipeline, shell, depth);
        match fate {
            Fate::Fails { .. } if pipeline.negated => {
                Fate::Lost { because: says::NEGATED, surely: true }
            }
            fate => fate,
        }
    }

    fn parts(&self, pipeline: &Pipeline, shell: Shell, depth: usize) -> Fate {
        let fates = pipeline.parts.iter().map(|node| self.node(node, shell, depth));
        fates.into_iter().find(|fate| !matches!(fate, Fate::Absent)).unwrap_or(Fate::Absent)
    }

    fn node(&self, node: &Node, shell: Shell, depth: usize) -> Fate {
        match node {
            Node::Simple(at) if *at == self.failing => Fate::Fails { ignored: None },
            Node::Simple(at) => {
                let name = self.script.commands[*at].program().unwrap_or_default();
                match self.functions.get(name) {
                    Some(body) if depth < DEPTH && self.running.contains(name) => {
                        self.node(body, shell, depth + 1)
                    }
                    _ => Fate::Absent,
                }
            }
            Node::If { branches, otherwise } => self.branches(branches, otherwise, shell, depth),
            Node::For { body, .. } => self.turn(body, shell, depth),
            Node::While { condition, body, .. } => match self.condition(condition, shell, depth) {
                Fate::Absent => self.turn(body, shell, depth),
                // It tries again until it gives up.
                _ if self.breaks_off(body) && !self.ends_badly_in(body) => {
                    Fate::Lost { because: says::RETRIED, surely: false }
                }
                _ => Fate::Noticed,
            },
            Node::Case(arms) => {
                let fates = arms.iter().map(|arm| self.list(arm, shell, depth));
                fates.into_iter().find(|fate| !matches!(fate, Fate::Absent)).unwrap_or(Fate::Absent)
            }
            Node::Group(list) => self.list(list, shell, depth),
            Node::Subshell(list) => match self.list(list, shell, depth) {
                // Its own status is a failure of the shell around it.
                Fate::Fails { .. } => Fate::Fails { ignored: None },
                fate => fate,
            },
            Node::Function(..) => Fate::Absent,
        }
    }

    fn branches(
        &self,
        branches: &[(List, List)],
        otherwise: &Option<List>,
        shell: Shell,
        depth: usize,
    ) -> Fate {
        for (at, (condition, body)) in branches.iter().enumerate() {
            let more = at + 1 < branches.len();
            match self.condition(condition, shell, depth) {
                Fate::Absent => {}
                Fate::Fails { .. } if more => return Fate::Noticed,
                Fate::Fails { .. } => return self.chosen(otherwise.as_ref(), Some(body)),
                Fate::Lost { because: says::NEGATED, .. } => {
                    return self.chosen(Some(body), otherwise.as_ref());
                }
                fate => return fate,
            }
            match self.list(body, shell, depth) {
                Fate::Absent => {}
                fate => return fate,
            }
        }
        otherwise.as_ref().map_or(Fate::Absent, |list| self.list(list, shell, depth))
    }

    fn condition(&self, condition: &List, shell: Shell, depth: usize) -> Fate {
        self.list(condition, shell.in_condition(), depth)
    }

    /// The branch that runs after the failure, and the one that would run after success.
    fn chosen(&self, failure: Option<&List>, success: Option<&List>) -> Fate {
        let lost = Fate::Lost { because: says::TOLD, surely: false };
        match (failure, success) {
            (Some(list), _) if self.may_mind(&self.all(list)) => Fate::Noticed,
            // A flag that only success sets
            (_, Some(list)) if self.sets_a_judged_variable(&self.all(list)) => Fate::Noticed,
            (None, Some(list))
                if !self.all(list).into_iter().all(|command| self.passes(command)) =>
            {
                Fate::Noticed
            }
            _ => lost,
        }
    }

    /// The body of a loop.
    fn turn(&self, body: &List, shell: Shell, depth: usize) -> Fate {
        let breaks = self.breaks_off(body);
        match self.list(body, shell, depth) {
            Fate::Lost { .. } if self.ends_badly_in(body) => Fate::Noticed,
            Fate::Lost { .. } if breaks => Fate::Lost { because: says::RETRIED, surely: false },
            Fate::Fails { ignored: Some(_) } if breaks => {
                Fate::Fails { ignored: Some(says::RETRIED) }
            }
            fate => fate,
        }
    }
}

fn running<'a>(
    script: &Script,
    functions: &BTreeMap<&'a str, &'a Node>,
    failing: usize,
) -> BTreeSet<&'a str> {
    let bodies: Vec<(&str, Vec<usize>)> =
        functions.iter().map(|(name, body)| (*name, body.simple())).collect();
    let mut running = BTreeSet::new();
    for _ in 0..DEPTH {
        let runs = |body: &[usize]| {
            body.iter().any(|at| {
                let name = script.commands[*at].program().unwrap_or_default();
                *at == failing || running.contains(name)
            })
        };
        let more: Vec<&str> =
            bodies.iter().filter(|(_, body)| runs(body)).map(|(name, _)| *name).collect();
        running.extend(more);
    }
    running
}

/// What commands could do about a failure.
impl<'a> Follower<'a> {
    /// Whether `set` turns `set -e` on or off here.
    fn sets(&self, chain: &Chain) -> Option<bool> {
        let [Node::Simple(at)] = chain.first.parts.as_slice() else { return None };
        let argv = self.script.commands[*at].argv();
        let (first, options) = argv.split_first()?;
        let option = |words: &[&str]| match words {
            [sign @ ("-o" | "+o"), "errexit", ..] => Some(sign.starts_with('-')),
            [word, ..] => {
                let letters = word.strip_prefix(['-', '+'])?;
                letters.contains('e').then(|| word.starts_with('-'))
            }
            [] => None,
        };
        (*first == "set").then(|| (0..options.len()).rev().find_map(|at| option(&options[at..])))?
    }

    fn commands(&self, nodes: &[Node]) -> Vec<&'a Command> {
        nodes.iter().flat_map(Node::simple).map(|at| &self.script.commands[at]).collect()
    }

    fn all(&self, list: &List) -> Vec<&'a Command> {
        list.simple().into_iter().map(|at| &self.script.commands[at]).collect()
    }

    /// Whether what runs later may fail if the work was not done.
    fn may_notice(&self, after: &[Chain]) -> bool {
        let rest = |chain: &'_ Chain| {
            let pipelines = std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, p)| p));
            pipelines.flat_map(|pipeline| self.commands(&pipeline.parts)).collect::<Vec<_>>()
        };
        after.iter().flat_map(rest).any(|command| !self.passes(command))
    }

    fn only_passes(&self, part: &Pipeline) -> bool {
        self.commands(&part.parts).into_iter().all(|command| self.passes(command))
    }

    /// Whether commands that run because of the failure end the script, try something else, or keep the failure for a
    /// later command.
    fn may_mind(&self, commands: &[&Command]) -> bool {
        commands.iter().any(|command| self.ends_badly(command) || !self.passes(command))
            || self.sets_a_judged_variable(commands)
    }

    /// Whether a command, or each one of the function that it calls, would succeed all the same.
    fn passes(&self, command: &Command) -> bool {
        let name = command.program().unwrap_or_default();
        match self.functions.get(name) {
            Some(body) => self.commands(std::slice::from_ref(*body)).into_iter().all(passes),
            None => passes(command),
        }
    }

    fn ends_badly(&self, command: &Command) -> bool {
        let name = command.program().unwrap_or_default();
        let body = self.functions.get(name).map(|body| self.commands(std::slice::from_ref(*body)));
        fails(command) || body.is_some_and(|body| body.into_iter().any(fails))
    }

    fn ends_badly_in(&self, list: &List) -> bool {
        self.all(list).into_iter().any(|command| self.ends_badly(command))
    }

    fn sets_a_judged_variable(&self, commands: &[&Command]) -> bool {
        let words = commands.iter().filter(|command| command.argv().is_empty());
        let set = words.flat_map(|command| &command.words);
        set.filter_map(|word| assignment(&word.text)).any(|(name, _)| self.is_judged(name))
    }

    /// Whether something other than a message depends on a variable.
    fn is_judged(&self, name: &str) -> bool {
        let reads = |word: &str| {
            word.match_indices(name).any(|(at, _)| {
                let before = word[..at].trim_end_matches('{');
                let after = word[at + name.len()..].chars().next();
                before.ends_with('$') && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
            })
        };
        let computes = self.text.split("((").skip(1).any(|rest| {
            let inner = rest.split("))").next().unwrap_or_default();
            inner.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
        });
        let judges = |command: &Command| {
            !self.passes(command) && command.words.iter().any(|word| reads(&word.text))
        };
        computes || self.script.commands.iter().any(judges)
    }

    /// Whether a chain reads `$?` and does something with it.
    fn reads_status(&self, chain: &Chain) -> bool {
        let commands = self.commands(&chain.first.parts);
        let reads = |command: &&&Command| command.words.iter().any(|word| word.text.contains("$?"));
        let Some(command) = commands.iter().find(reads) else { return false };
        if command.argv().is_empty() {
            return self.sets_a_judged_variable(&[*command]);
        }
        !only_tells(command) && !ends_well(command)
    }

    fn breaks_off(&self, list: &List) -> bool {
        self.all(list).into_iter().any(|command| command.program() == Some("break"))
    }
}
