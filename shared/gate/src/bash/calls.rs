//! Shows what the calls of a script's functions do: the commands of the function with the arguments of the call in the
//! place of `$1`, `"$@"` and the local names that got them.
//!
//! `allow() { ufw allow "$1/tcp"; }` says nothing about the port, and `allow 22` nothing about the firewall; only both
//! together do.

use super::tree::{List, Node, tree};
use super::{Command, Piece, Script, Sign, Word, assignment, is_name, read};
use std::collections::BTreeMap;

/// How many calls of one script are followed.
const CALLS: usize = 64;

/// How deeply functions that call functions are followed.
const DEPTH: usize = 3;

/// The commands that each call runs, as scripts of their own. Their lines are those of the calls.
pub(crate) fn calls(script: &Script) -> Vec<Script> {
    let mut bodies = BTreeMap::new();
    if script.functions.is_empty() {
        return Vec::new();
    }
    if let Some(list) = tree(script) {
        collect(&list, &mut bodies);
    }
    let inside: Vec<usize> = bodies.values().flatten().copied().collect();
    let mut found = Vec::new();
    for (at, command) in script.commands.iter().enumerate() {
        if !inside.contains(&at) {
            follow(command, script, &bodies, 0, &mut found);
        }
    }
    found
}

/// The commands of each function, as indexes.
fn collect(list: &List, bodies: &mut BTreeMap<String, Vec<usize>>) {
    for chain in &list.0 {
        let rest = chain.rest.iter().map(|(_, pipeline)| pipeline);
        for node in std::iter::once(&chain.first).chain(rest).flat_map(|one| &one.parts) {
            match node {
                Node::Function(name, body) => {
                    bodies.insert(name.clone(), body.simple());
                }
                Node::If { branches, otherwise } => {
                    branches.iter().for_each(|(_, body)| collect(body, bodies));
                    otherwise.iter().for_each(|body| collect(body, bodies));
                }
                Node::Group(body) => collect(body, bodies),
                _ => {}
            }
        }
    }
}

fn follow(
    command: &Command,
    script: &Script,
    bodies: &BTreeMap<String, Vec<usize>>,
    depth: usize,
    found: &mut Vec<Script>,
) {
    let argv = command.argv();
    let Some((name, given)) = argv.split_first() else { return };
    let Some(body) = bodies.get(*name) else { return };
    if given.is_empty() || depth >= DEPTH || found.len() >= CALLS {
        return;
    }
    let from = command.words.len() - given.len();
    let mut call = Call { given: command.words[from..].to_vec(), names: BTreeMap::new() };
    let mut whole = Script {
        heredocs: script.heredocs.clone(),
        assigned: script.assigned.clone(),
        functions: script.functions.clone(),
        ..Script::default()
    };
    let mut changed = Vec::new();
    let mut inner = Vec::new();
    for at in body {
        let old = &script.commands[*at];
        let mut new = call.fill(old);
        new.line = command.line;
        if new.words != old.words || new.writes != old.writes || new.reads != old.reads {
            for word in new.words.iter().filter(|word| word.text.contains("$(")) {
                let read = read(&format!("true \"{}\"", word.text)).commands.into_iter();
                inner.extend(read.filter(|inner| inner.program() != Some("true")));
            }
            changed.push((*at, new));
        }
    }
    // Commands that the call does not change are seen where they are.
    whole.pieces = pieces(script, &changed, &mut whole.commands);
    for mut one in inner {
        one.line = command.line;
        whole.commands.push(one);
    }
    whole.assigned.extend(call.names.into_iter().map(|(name, value)| (name, Some(value))));
    let calls: Vec<Command> = whole.commands.clone();
    if !whole.commands.is_empty() {
        found.push(whole);
    }
    calls.iter().for_each(|command| follow(command, script, bodies, depth + 1, found));
}

/// The signs around the commands, so that a pipe still leads to its reader.
fn pieces(script: &Script, changed: &[(usize, Command)], into: &mut Vec<Command>) -> Vec<Piece> {
    let places: Vec<usize> = changed
        .iter()
        .filter_map(|(at, _)| script.pieces.iter().position(|it| *it == Piece::Command(*at)))
        .collect();
    let (Some(first), Some(last)) = (places.iter().min(), places.iter().max()) else {
        into.extend(changed.iter().map(|(_, command)| command.clone()));
        return Vec::new();
    };
    let pipe = |at: usize| script.pieces.get(at) == Some(&Piece::Sign(Sign::Pipe));
    let (mut first, mut last) = (*first, *last);
    while first > 1 && pipe(first - 1) {
        first -= 2;
    }
    while pipe(last + 1) && last + 2 < script.pieces.len() {
        last += 2;
    }
    let line = changed.first().map_or(1, |(_, command)| command.line);
    let mut pieces = Vec::new();
    for (place, piece) in script.pieces.iter().enumerate().take(last + 1).skip(first) {
        match piece {
            Piece::Command(at) => {
                let new = changed.iter().find(|(index, _)| index == at).map(|(_, new)| new.clone());
                // What a pipe joins to a changed command belongs to what the call does.
                let piped = pipe(place + 1) || (place > 0 && pipe(place - 1));
                let kept = piped.then(|| Command { line, ..script.commands[*at].clone() });
                pieces.push(Piece::Command(into.len()));
                into.push(new.or(kept).unwrap_or_default());
            }
            other => pieces.push(other.clone()),
        }
    }
    pieces
}

/// The arguments of a call, and the local names that have them.
struct Call {
    given: Vec<Word>,
    names: BTreeMap<String, String>,
}

impl Call {
    fn fill(&mut self, command: &Command) -> Command {
        let mut new = command.clone();
        new.words = Vec::new();
        for word in &command.words {
            match word.text.as_str() {
                "$@" | "$*" | "${@}" | "${*}" => new.words.extend(self.given.iter().cloned()),
                "${@:2}" | "${*:2}" => new.words.extend(self.given.iter().skip(1).cloned()),
                text => new.words.push(Word { text: self.text(text), quoted: word.quoted }),
            }
        }
        for text in new.writes.iter_mut().map(|(path, _)| path).chain(&mut new.reads) {
            *text = self.text(text);
        }
        new.strings.iter_mut().for_each(|text| *text = self.text(text));
        if new.words.first().is_some_and(|word| word.text == "shift") {
            let count = new.words.get(1).and_then(|word| word.text.parse().ok()).unwrap_or(1);
            self.given.drain(..usize::min(count, self.given.len()));
        }
        let values = new.words.iter().filter_map(|word| assignment(&word.text));
        // `image="${2:?image}"` of a call with one argument has no value.
        let open = |value: &str| {
            value.contains(['(', '`'])
                || [":?", ":-", ":+", ":="].iter().any(|it| value.contains(it))
        };
        for (name, value) in values.filter(|(_, value)| !open(value)) {
            self.names.insert(name.to_owned(), value.to_owned());
        }
        new
    }

    /// A text with the arguments of the call in it.
    fn text(&self, text: &str) -> String {
        let (mut whole, mut rest) = (String::new(), text);
        while let Some((before, behind)) = rest.split_once('$') {
            whole.push_str(before);
            rest = self.value(behind, &mut whole);
        }
        whole + rest
    }

    /// Adds the value of the variable with which a text begins, and returns what follows the variable.
    fn value<'a>(&self, behind: &'a str, whole: &mut String) -> &'a str {
        let bare = behind.strip_prefix('{').unwrap_or(behind);
        let single = bare.starts_with(|c: char| "123456789#@*".contains(c));
        let end = if single {
            1
        } else {
            bare.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(bare.len())
        };
        let (name, after) = bare.split_at(end);
        let braced = behind.starts_with('{');
        let (default, after) = match after.split_once('}').filter(|_| braced) {
            Some((inner, after)) => (Some(inner), after),
            None => (None, after),
        };
        let value = match name.parse::<usize>() {
            Ok(number) => {
                let at = number.checked_sub(1);
                at.and_then(|at| self.given.get(at)).map(|word| word.text.clone())
            }
            Err(_) if name == "#" => Some(self.given.len().to_string()),
            Err(_) if ["@", "*"].contains(&name) => {
                let words: Vec<&str> = self.given.iter().map(|word| word.text.as_str()).collect();
                Some(words.join(" "))
            }
            Err(_) if is_name(name) => self.names.get(name).cloned(),
            Err(_) => None,
        };
        // `${1:-80}` has a value of its own, `${1:?text}` a reason; other operators change the value.
        let operator = default.unwrap_or_default();
        let known = operator.is_empty() || operator.starts_with([':', '-', '?']);
        let fallback = || operator.strip_prefix(":-").map(str::to_owned);
        match value.or_else(fallback).filter(|_| known) {
            Some(value) => {
                whole.push_str(&value);
                after
            }
            None => {
                whole.push('$');
                behind
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::calls;
    use crate::bash::read;

    fn said(text: &str) -> Vec<String> {
        let calls = calls(&read(text));
        let commands = calls.iter().flat_map(|script| &script.commands);
        commands.map(|it| it.argv().join(" ")).filter(|it| !it.is_empty()).collect()
    }

    #[test]
    fn a_call_has_its_arguments_in_the_commands_of_the_function() {
        assert_eq!(said("allow() { ufw allow \"$1/tcp\"; }\nallow 22\n"), ["ufw allow 22/tcp"]);
        assert_eq!(
            said("ensure() {\n  iptables -C \"$@\" || iptables -A \"$@\"\n}\nensure INPUT -j X\n"),
            ["iptables -C INPUT -j X", "iptables -A INPUT -j X"]
        );
        assert_eq!(
            said(
                "get() {\n  local url=\"$1\" to=${2:-/tmp/a}\n  curl -o \"$to\" \"${url}\"\n}\nif get https://a; then b; fi\n"
            ),
            ["local url=https://a to=/tmp/a", "curl -o /tmp/a https://a"]
        );
        assert_eq!(
            said(
                "put() {\n  local to=$1; shift\n  if ! out=\"$(aws \"$to\" --port \"$1\")\"; then\n    c\n  fi\n}\nput ec2 22\n"
            ),
            ["local to=ec2", "aws ec2 --port 22"]
        );
        assert_eq!(
            said("check() { echo \"$2  $1\" | sha256sum -c -; }\ncheck a b\n"),
            ["echo b  a", "sha256sum -c -"]
        );
        assert_eq!(
            said("one() { two \"$1\" b; }\ntwo() { c \"$2\" \"$1\"; }\none a\n"),
            ["two a b", "c b a"]
        );
    }

    #[test]
    fn a_function_without_arguments_is_seen_where_it_is() {
        assert_eq!(
            said(
                "run() {\n  local tag=$1 image=\"${2:?image}\"\n  pull \"$image:$tag\"\n}\nrun 1\n"
            ),
            ["local tag=1 image=${2:?image}", "pull $image:1"]
        );
        assert_eq!(said("die() { echo \"$0: $1\" >&2; }\ndie a\n"), ["echo $0: a"]);
        for text in ["log() { echo a; }\nlog\nlog b\n", "log() { date >\"$file\"; }\nlog a\n"] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }
}
