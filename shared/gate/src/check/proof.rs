//! Finds failures that a proof or a check ignores, so that it would succeed although something in it failed.
//!
//! `bash -e` does not stop at every failure. It ignores failures in `a && b` except of the last command, in `! a`, in
//! conditions and in everything that a condition calls. It never sees those in `a || true`, in `$(…)` among the words
//! of a command, or after `<(…)`. A shell that the script starts, here or by `ssh`, does not stop at all unless it gets
//! `set -e`. This module follows every command of proofs and checks, which decide; in the script before a proof, it
//! follows only work ([`lost_work`]).

mod commands;
mod fixed;
mod idle;
mod lost_work;
mod place;
mod rank;
mod reach;
mod says;
mod shows;
mod strength;
mod tools;

use super::error;
use crate::bash::tree::{Chain, List, Node, Pipeline, tree};
use crate::bash::{self, Command, Script};
use crate::{FILES, NESTING, Unit};
use commands::{fails, harmless, leads_away, only_sets, only_shows, only_tells};
use domain::gate::Finding;
use place::Place;
pub(super) use strength::weaker;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (script, proof) = domain::script::parts(unit.text);
    if !unit.context.check {
        let lost = lost_work::lines(script, unit);
        findings.extend(lost.into_iter().map(|(line, said)| error(FILES, said).at(None, line)));
    }
    match proof {
        Some(proof) => judge(proof, script, findings),
        None if unit.context.check => judge(script, "", findings),
        None => {}
    }
}

fn judge(text: &str, before: &str, findings: &mut Vec<Finding>) {
    let offset = if before.is_empty() { 0 } else { before.matches('\n').count() + 1 };
    let script = bash::read(text);
    let Some(list) = tree(&script) else { return };
    let mut reader = Reader::new(&script, &list, offset, 0, findings);
    if reader.tells(&list.0) || idle::is_idle_here(&list, &script, before) {
        let line = script.commands.first().map_or(1, |command| command.line);
        return reader.say(line, idle::why(&script));
    }
    for (line, message) in [
        (idle::leaves_early(&list, &script), says::LEAVES),
        (idle::trapped(&script), says::TRAPPED),
        (idle::in_background(&list, &script), says::BACKGROUND),
        (commands::unread_answer(&script), says::ANY_ANSWER),
    ] {
        line.into_iter().for_each(|line| reader.say(line, message));
    }
    reader.list(&list, Place { heeds: true, last: true, because: says::UNHEEDED, read: false });
}

struct Reader<'a> {
    script: &'a Script,
    /// The functions that it defines.
    functions: Vec<(&'a str, &'a Node)>,
    /// Functions that a condition calls, whose bodies are read.
    called: Vec<&'a str>,
    offset: usize,
    depth: usize,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Reader<'a> {
    fn new(
        script: &'a Script,
        list: &'a List,
        offset: usize,
        depth: usize,
        findings: &'a mut Vec<Finding>,
    ) -> Self {
        let mut functions = Vec::new();
        for chain in &list.0 {
            if let [Node::Function(name, body)] = chain.first.parts.as_slice() {
                functions.push((name.as_str(), body.as_ref()));
            }
        }
        Self { script, functions, called: Vec::new(), offset, depth, findings }
    }

    fn say(&mut self, line: usize, message: &str) {
        self.findings.push(error(FILES, message).at(None, line + self.offset));
    }

    fn command(&self, node: &Node) -> Option<&'a Command> {
        match node {
            Node::Simple(at) | Node::For { head: at, .. } | Node::While { end: at, .. } => {
                self.script.commands.get(*at)
            }
            _ => None,
        }
    }

    fn list(&mut self, list: &'a List, place: Place) {
        // A list that ends in a failure anyway only explains the failure.
        if list.0.last().is_some_and(|chain| self.ends_in_failure(chain)) {
            return;
        }
        let mut place = place;
        for (at, chain) in list.0.iter().enumerate() {
            if let Some(heeds) = self.sets(chain) {
                place.heeds = heeds;
            }
            let after = &list.0[at + 1..];
            self.chain(chain, place.ends(after.is_empty()), after);
        }
    }

    /// Whether a chain is `set -e` or `set +e`.
    fn sets(&self, chain: &Chain) -> Option<bool> {
        let argv = self.command(chain.first.parts.first()?)?.argv();
        let option = argv.get(1).filter(|_| argv.first() == Some(&"set"))?;
        let letters = option.strip_prefix(['-', '+'])?;
        let names = letters.contains('e') || argv.get(2) == Some(&"errexit");
        names.then(|| option.starts_with('-'))
    }

    fn chain(&mut self, chain: &'a Chain, place: Place, after: &[Chain]) {
        if chain.background {
            return;
        }
        let Some((_, tail)) = chain.rest.last() else {
            return self.pipeline(&chain.first, place, after);
        };
        let line = self.line(&chain.first);
        let is_last = place.last;
        let guard = chain.rest.iter().rposition(|(or, _)| *or);
        let before = std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, part)| part));
        for part in before.take(chain.rest.len()) {
            self.condition(part, place);
        }
        match guard {
            Some(at) => {
                let behind: Vec<&Pipeline> =
                    chain.rest[at..].iter().map(|(_, part)| part).collect();
                let ends_well =
                    |part: &&&Pipeline| self.simple_of(part).is_some_and(commands::ends_well);
                let passes = |part: &&&Pipeline| {
                    self.pipeline_tells(part) || idle::always_passes(part, self.script)
                };
                let swallows = behind.iter().all(|part| passes(&part))
                    || behind.last().as_ref().is_some_and(ends_well);
                if swallows && !self.pipeline_shows(&chain.first) {
                    self.say(line, says::SWALLOWED);
                }
            }
            None if !is_last && !self.pipeline_leads_away(tail) && !self.sets_a_variable(chain) => {
                self.say(line, says::AND);
            }
            None => {}
        }
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline, place: Place, after: &[Chain]) {
        if pipeline.negated {
            if !place.last {
                self.say(self.line(pipeline), says::NEGATED);
            }
            return self.condition(pipeline, place);
        }
        let end = pipeline.parts.len() - 1;
        let commands: Vec<_> = pipeline.parts.iter().map(|node| self.command(node)).collect();
        for (at, node) in pipeline.parts.iter().enumerate() {
            // Each part of a pipeline is a separate shell, whose status counts.
            let last = place.last || end > 0;
            let place = Place { last, read: place.read || at < end, ..place };
            let judged = at == end && !place.read;
            if let Some((line, why)) = commands::judges_nothing(&commands).filter(|_| judged) {
                self.say(line, why);
            }
            self.node(node, place, after);
        }
    }

    /// Reads a pipeline whose status decides another's course: bash ends at no failure in it.
    fn condition(&mut self, pipeline: &'a Pipeline, place: Place) {
        let place = Place { heeds: false, last: true, because: place.because, read: true };
        for node in &pipeline.parts {
            match node {
                Node::Group(list) | Node::Subshell(list) => self.list(list, place),
                Node::Simple(at) => {
                    let name = self.script.commands[*at].program().unwrap_or_default();
                    let function = self.functions.iter().find(|(function, _)| *function == name);
                    let Some((name, body)) = function.copied() else { continue };
                    if !self.called.contains(&name) {
                        self.called.push(name);
                        self.node(body, place, &[]);
                    }
                }
                _ => {}
            }
        }
    }

    fn node(&mut self, node: &'a Node, place: Place, after: &[Chain]) {
        match node {
            Node::Simple(at) => self.simple(&self.script.commands[*at], place),
            Node::If { branches, otherwise } => {
                let bodies = branches.iter().map(|(_, body)| body).chain(otherwise);
                if bodies.clone().all(|body| self.tells(&body.0)) {
                    self.say(self.line_of(&branches[0].0), says::TOLD);
                }
                for (condition, body) in branches {
                    self.guard(condition, body);
                    for chain in &condition.0 {
                        self.condition(&chain.first, place);
                    }
                }
                bodies.for_each(|body| self.list(body, place));
            }
            Node::For { head, body, end } => {
                let head = &self.script.commands[*head];
                let words = head.words.iter().skip(3);
                if words.clone().any(|word| word.text.contains("$(") && !harmless(&word.text)) {
                    self.say(head.line, says::EMPTY);
                }
                self.loops(body, *end, place, after);
            }
            Node::While { condition, body, end } => {
                for chain in &condition.0 {
                    self.condition(&chain.first, place);
                }
                self.loops(body, *end, place, after);
            }
            Node::Case(arms) => arms.iter().for_each(|arm| self.list(arm, place)),
            Node::Group(list) => self.list(list, place),
            Node::Subshell(list) => self.list(list, Place { last: true, ..place }),
            Node::Function(_, body) => {
                // Its callers may read what it prints.
                let place = Place { heeds: true, last: true, because: says::UNHEEDED, read: true };
                self.node(body, place, &[]);
            }
        }
    }

    /// `if [ -n "$(a)" ]; then exit 1; fi` also continues if `a` fails.
    fn guard(&mut self, condition: &List, body: &List) {
        let [chain] = condition.0.as_slice() else { return };
        let Some(command) = self.simple_of(&chain.first) else { return };
        let refuses = body.0.last().is_some_and(|chain| self.ends_in_failure(chain));
        if refuses && !chain.first.negated && commands::passes_when_told(command) {
            self.say(command.line, says::SILENT);
        }
    }

    fn loops(&mut self, body: &'a List, end: usize, place: Place, after: &[Chain]) {
        let end = &self.script.commands[end];
        if end.reads.iter().any(|from| from.starts_with("<(") && !harmless(from)) {
            self.say(end.line, says::EMPTY);
        }
        if self.breaks_off(body) && !self.may_fail(body) && self.tells(after) {
            return self.say(end.line, says::RETRIED);
        }
        self.list(body, place.ends(false));
    }

    fn simple(&mut self, command: &'a Command, place: Place) {
        let line = command.line;
        if commands::masks(command) {
            self.say(line, says::MASKED);
        } else if commands::succeeds_when_silent(command) {
            self.say(line, says::SILENT);
        } else if commands::reads_nothing(command) {
            self.say(line, says::EMPTY);
        } else if commands::compares_texts(command) {
            self.say(line, says::CONSTANT);
        } else if commands::is_malformed(command) {
            self.say(line, says::MALFORMED);
        } else if !place.heeds && !place.last && !only_sets(command) && !only_shows(command) {
            self.say(line, place.because);
        }
        if self.depth >= NESTING {
            return;
        }
        for (from, text) in self.script.inner_of(command) {
            let heeds = commands::starts_strict(command);
            let script = bash::read(&text);
            let Some(list) = tree(&script) else { continue };
            let offset = self.offset + from - 1;
            let mut inner = Reader::new(&script, &list, offset, self.depth + 1, self.findings);
            let read = place.read || command.writes.iter().any(|(path, _)| path != "/dev/null");
            inner.list(&list, Place { heeds, last: true, because: says::OTHER_SHELL, read });
        }
    }
}

/// How a list, a chain or a pipeline handles a failure.
impl Reader<'_> {
    fn line(&self, pipeline: &Pipeline) -> usize {
        pipeline.parts.first().map_or(1, |node| self.line_of_node(node))
    }

    fn line_of(&self, list: &List) -> usize {
        list.0.first().map_or(1, |chain| self.line(&chain.first))
    }
    fn line_of_node(&self, node: &Node) -> usize {
        match node {
            Node::If { branches, .. } => {
                branches.first().map_or(1, |(first, _)| self.line_of(first))
            }
            Node::Group(list) | Node::Subshell(list) => self.line_of(list),
            _ => self.command(node).map_or(1, |command| command.line),
        }
    }

    fn simple_of(&self, pipeline: &Pipeline) -> Option<&Command> {
        match pipeline.parts.as_slice() {
            [node @ Node::Simple(_)] => self.command(node),
            _ => None,
        }
    }

    /// Whether chains only print.
    fn tells(&self, chains: &[Chain]) -> bool {
        chains.iter().all(|chain| {
            self.pipeline_tells(&chain.first)
                && chain.rest.iter().all(|(_, part)| self.pipeline_tells(part))
        })
    }

    fn pipeline_tells(&self, pipeline: &Pipeline) -> bool {
        pipeline.parts.iter().all(|node| match node {
            Node::Simple(_) => self.command(node).is_some_and(only_tells),
            Node::Group(list) | Node::Subshell(list) => self.tells(&list.0),
            Node::Function(..) => true,
            _ => false,
        })
    }

    fn pipeline_shows(&self, pipeline: &Pipeline) -> bool {
        pipeline.parts.first().is_some_and(|node| self.command(node).is_some_and(only_shows))
    }

    /// Whether a chain ends in a failure, or in another turn.
    fn pipeline_leads_away(&self, pipeline: &Pipeline) -> bool {
        match pipeline.parts.as_slice() {
            [Node::Group(list) | Node::Subshell(list)] => {
                list.0.last().is_some_and(|chain| self.pipeline_leads_away(&chain.first))
            }
            _ => self
                .simple_of(pipeline)
                .is_some_and(|command| leads_away(command) || self.is_failing_function(command)),
        }
    }

    /// `[ a ] && x=1`: setting a value for later cannot fail.
    fn sets_a_variable(&self, chain: &Chain) -> bool {
        let last = chain.rest.last().map(|(_, part)| part);
        last.and_then(|part| self.simple_of(part)).is_some_and(|command| command.argv().is_empty())
    }

    fn ends_in_failure(&self, chain: &Chain) -> bool {
        let failing = |part: &Pipeline| match part.parts.as_slice() {
            [Node::Group(list)] => list.0.last().is_some_and(|chain| self.ends_in_failure(chain)),
            _ => self
                .simple_of(part)
                .is_some_and(|command| fails(command) || self.is_failing_function(command)),
        };
        chain.rest.is_empty() && failing(&chain.first)
    }

    fn is_failing_function(&self, command: &Command) -> bool {
        let name = command.program().unwrap_or_default();
        let body = self.functions.iter().find(|(function, _)| *function == name);
        body.is_some_and(|(_, body)| match body {
            Node::Group(list) | Node::Subshell(list) => {
                list.0.last().and_then(|chain| self.simple_of(&chain.first)).is_some_and(fails)
            }
            _ => false,
        })
    }
}
