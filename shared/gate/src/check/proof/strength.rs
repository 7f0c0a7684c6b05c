//! Compares two proofs of the same work, so that the owner notices a weaker one before approving it.
//!
//! After a step has failed, the shortest way to a step that passes is a proof that requires less. A proof is read as
//! its claims: commands whose failure is the proof's failure. Claims have three ranks, because a file that exists, a
//! file with the right content and a service that answers are not the same evidence. A later proof is weaker if it
//! makes fewer claims, reads less content or no longer queries anything that runs, or if one of its claims accepts
//! more.

use super::commands::{ends_well, fails, only_tells};
use super::idle::is_idle;
use super::rank::{Rank, is_live, rank, strictness};
use super::shows::{carried, shown};
use crate::NESTING;
use crate::bash::tree::{Chain, List, Node, Pipeline, tree};
use crate::bash::{self, Command, Script};
use std::collections::BTreeSet;

/// The claims of a proof.
#[derive(Debug, Default)]
struct Claims {
    ranks: Vec<Rank>,
    /// Comparisons: what is compared, how strictly, and the text in the proof.
    compared: Vec<(String, u8, String)>,
    /// Searches: where, for what, and whether for whole lines.
    searches: Vec<(String, String, bool)>,
    /// Claims that another command after `||` may replace.
    replaceable: BTreeSet<String>,
    /// All other claims, by their text.
    firm: BTreeSet<String>,
}

/// What the proof `after` claims less than the proof `before`.
pub(in crate::check) fn weaker(before: &str, after: &str) -> Option<String> {
    let [old, new] = [before, after].map(|text| {
        let mut claims = Claims::default();
        read(text, &mut claims, 0).then_some(claims)
    });
    let (old, new) = (old?, new?);
    let at_least = |claims: &Claims, rank| claims.ranks.iter().filter(|r| **r >= rank).count();
    let both = |rank| (at_least(&old, rank), at_least(&new, rank));
    let (claims, contents, asks) = (both(Rank::Present), both(Rank::Reads), both(Rank::Asks));
    if claims.1 < claims.0 {
        return Some(format!(
            "conditions in it: {}, in the proof before it: {}",
            claims.1, claims.0
        ));
    }
    if let Some(claim) = new.replaces(&old) {
        return Some(format!("`{claim}` may now fail, because another command replaces it"));
    }
    if contents.1 < contents.0 {
        return Some("where the proof before it looked at content, it only looks at whether something is there".to_owned());
    }
    if asks.0 > 0 && asks.1 == 0 {
        return Some(
            "it only reads files, and the proof before it asked something that runs".to_owned(),
        );
    }
    new.accepts_more(&old)
}

impl Claims {
    /// A claim of an earlier proof that may now fail.
    fn replaces<'a>(&self, old: &'a Self) -> Option<&'a String> {
        let mut firm = old.firm.iter();
        firm.find(|claim| self.replaceable.contains(*claim) && !self.firm.contains(*claim))
    }

    /// A claim that accepts more than the same one in an earlier proof.
    fn accepts_more(&self, old: &Self) -> Option<String> {
        let strictest = |claims: &Self, what: &str| {
            let same = claims.compared.iter().filter(|(left, ..)| left == what);
            same.map(|(_, strict, text)| (*strict, text.clone())).max()
        };
        let looser = old.compared.iter().find_map(|(what, ..)| {
            let (before, after) = (strictest(old, what)?, strictest(self, what)?);
            (after.0 < before.0).then_some((after.1, before.1))
        });
        if let Some((after, before)) = looser {
            return Some(format!("`{after}` accepts more than `{before}` before it"));
        }
        let finds_more = |(place, wanted, whole): &(String, String, bool)| {
            let here = || self.searches.iter().filter(|(other, ..)| other == place);
            let kept = here().any(|(_, text, all)| text == wanted && all >= whole);
            let other = here().find(|(_, text, all)| {
                let bare = text.trim_matches(['^', '$']);
                let part = wanted.contains(bare) && (text != wanted || all < whole);
                let either = text != wanted
                    && text.split('|').any(|one| one.trim_matches(['(', ')']) == wanted);
                part || either
            });
            other.filter(|_| !kept).map(|(_, text, _)| (text.clone(), wanted.clone()))
        };
        let (after, before) = old.searches.iter().find_map(finds_more)?;
        Some(format!("its search for `{after}` finds more than that for `{before}` before it"))
    }
}

/// The ranks of the claims of a text.
pub(super) fn ranks(text: &str, depth: usize) -> Vec<Rank> {
    let mut claims = Claims::default();
    read(text, &mut claims, depth);
    claims.ranks
}

/// Adds the claims of a text; whether its structure can be followed.
fn read(text: &str, claims: &mut Claims, depth: usize) -> bool {
    let script = bash::read(text);
    let Some(list) = tree(&script) else { return false };
    Reader { script: &script, depth, claims, times: 1, live: false, called: Vec::new() }
        .list(&list, &list);
    true
}

struct Reader<'a, 'b> {
    script: &'a Script,
    depth: usize,
    claims: &'b mut Claims,
    /// How often a claim counts: once for each word of the loops around it.
    times: usize,
    /// Whether a pipe leads here from something that shows what runs.
    live: bool,
    /// Functions whose bodies are being read.
    called: Vec<&'a str>,
}

impl<'a> Reader<'a, '_> {
    /// The claims of `list`, whose functions are those of the whole script `all`.
    fn list(&mut self, list: &'a List, all: &'a List) {
        for chain in &list.0 {
            let argv = self.alone(chain).map(Command::argv).unwrap_or_default();
            if argv.starts_with(&["set", "+e"]) {
                return;
            }
            if !chain.background {
                self.chain(chain, all);
            }
        }
    }

    fn alone(&self, chain: &Chain) -> Option<&'a Command> {
        match chain.first.parts.as_slice() {
            [Node::Simple(at)] if chain.rest.is_empty() => self.script.commands.get(*at),
            _ => None,
        }
    }

    fn chain(&mut self, chain: &'a Chain, all: &'a List) {
        let guard = chain.rest.iter().position(|(or, _)| *or);
        let Some(guard) = guard else {
            self.pipeline(&chain.first, all);
            return chain.rest.iter().for_each(|(_, part)| self.pipeline(part, all));
        };
        let behind: Vec<&Pipeline> = chain.rest[guard..].iter().map(|(_, part)| part).collect();
        let before =
            std::iter::once(&chain.first).chain(chain.rest[..guard].iter().map(|(_, part)| part));
        if behind.last().is_some_and(|part| self.ends_in_failure(part)) {
            before.for_each(|part| self.pipeline(part, all));
        } else if !behind.iter().all(|part| self.succeeds(part)) {
            // One of several: it counts as the weakest of them.
            for part in before {
                let text = self.words(part);
                self.claims.replaceable.insert(text);
            }
            self.add(Rank::Present);
        }
    }

    fn words(&self, pipeline: &Pipeline) -> String {
        let commands = pipeline.parts.iter().filter_map(|node| match node {
            Node::Simple(at) => Some(self.script.commands.get(*at)?.argv().join(" ")),
            _ => None,
        });
        commands.collect::<Vec<_>>().join(" | ")
    }

    /// Whether a pipeline ends the proof with a failure.
    fn ends_in_failure(&self, pipeline: &Pipeline) -> bool {
        match pipeline.parts.as_slice() {
            [Node::Group(list) | Node::Subshell(list)] => {
                list.0.last().is_some_and(|chain| self.ends_in_failure(&chain.first))
            }
            [Node::Simple(at)] => {
                let command = &self.script.commands[*at];
                // A function of the script that is called there explains the failure.
                fails(command)
                    || command.program().is_some_and(|name| self.script.functions.contains(name))
            }
            _ => false,
        }
    }

    fn succeeds(&self, pipeline: &Pipeline) -> bool {
        pipeline.parts.iter().all(|node| match node {
            Node::Simple(at) => {
                let command = &self.script.commands[*at];
                only_tells(command) || ends_well(command) || shown(command).is_some()
            }
            Node::Group(list) | Node::Subshell(list) => is_idle(list, self.script),
            _ => false,
        })
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline, all: &'a List) {
        let text = self.words(pipeline);
        let before = self.claims.ranks.len();
        let shows =
            |node: &Node| matches!(node, Node::Simple(at) if is_live(&self.script.commands[*at]));
        let live = std::mem::replace(&mut self.live, pipeline.parts.first().is_some_and(shows));
        pipeline.parts.iter().for_each(|node| self.node(node, all));
        self.live = live;
        if self.claims.ranks.len() > before {
            self.claims.firm.insert(text);
        }
    }

    fn node(&mut self, node: &'a Node, all: &'a List) {
        match node {
            Node::Simple(at) => self.simple(&self.script.commands[*at], all),
            Node::If { branches, otherwise } => {
                let bodies = || branches.iter().map(|(_, body)| body).chain(otherwise);
                if bodies().any(|body| self.may_fail(body)) {
                    branches.iter().for_each(|(condition, _)| self.list(condition, all));
                }
                bodies().for_each(|body| self.list(body, all));
            }
            Node::For { head, body, .. } => {
                let words = self.script.commands[*head].words.iter().skip(3);
                let fixed = words.clone().all(|word| {
                    !word.text.contains(['$', '`', '*', '{']) && word.text.parse::<i64>().is_err()
                });
                let times = self.times;
                self.times *= if fixed { words.count().max(1) } else { 1 };
                self.list(body, all);
                self.times = times;
            }
            Node::While { condition, body, .. } => {
                if self.may_fail(body) {
                    self.list(condition, all);
                }
                self.list(body, all);
            }
            Node::Case(arms) => arms.iter().for_each(|arm| self.list(arm, all)),
            Node::Group(list) | Node::Subshell(list) => self.list(list, all),
            // Its claims count where it is called.
            Node::Function(..) => {}
        }
    }

    fn may_fail(&self, list: &List) -> bool {
        let failing = |at: &usize| {
            self.script.commands.get(*at).is_some_and(|command| {
                fails(command)
                    || command.program().is_some_and(|name| self.script.functions.contains(name))
            })
        };
        list.simple().iter().any(failing)
    }

    fn simple(&mut self, command: &'a Command, all: &'a List) {
        let name = command.program().unwrap_or_default();
        if let Some(body) = function(name, all).filter(|_| !self.called.contains(&name)) {
            self.called.push(name);
            self.node(body, all);
            self.called.pop();
            return;
        }
        let scripts = carried(command, self.script);
        if !scripts.is_empty() && self.depth < NESTING {
            for text in scripts {
                for _ in 0..self.times {
                    read(&text, self.claims, self.depth + 1);
                }
            }
            return;
        }
        if let Some(rank) = rank(command, self.depth) {
            self.add(if self.live { Rank::Asks } else { rank });
            self.note(command);
        }
    }

    fn add(&mut self, rank: Rank) {
        self.claims.ranks.extend(std::iter::repeat_n(rank, self.times));
    }

    /// Keeps what a comparison or a search accepts.
    fn note(&mut self, command: &Command) {
        let argv = command.argv();
        match argv.as_slice() {
            ["[" | "[[" | "test", words @ ..] => {
                for three in words.windows(3) {
                    if let Some(strict) = strictness(three[1], three[2]) {
                        let entry = (three[0].to_owned(), strict, three.join(" "));
                        self.claims.compared.push(entry);
                    }
                }
            }
            ["grep" | "egrep" | "rg", rest @ ..] => {
                let mut plain = rest.iter().filter(|word| !word.starts_with('-'));
                let Some(wanted) = plain.next() else { return };
                let place = plain.copied().collect::<Vec<_>>().join(" ");
                let whole = rest.iter().any(|word| {
                    *word == "--line-regexp"
                        || (word.starts_with('-') && !word.starts_with("--") && word.contains('x'))
                });
                self.claims.searches.push((place, (*wanted).to_owned(), whole));
            }
            _ => {}
        }
    }
}

fn function<'a>(name: &str, all: &'a List) -> Option<&'a Node> {
    all.0.iter().find_map(|chain| match chain.first.parts.as_slice() {
        [Node::Function(function, body)] if function == name => Some(body.as_ref()),
        _ => None,
    })
}
