//! Finds loops that never end: the step would run until its time is over.

use crate::bash::tree::{Chain, List, Node, tree};
use crate::bash::{Command, Script};
use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

const ENDLESS: &str =
    "This does not end on its own, so the step would never end. Bound the tries or the time.";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    // A script in a file may be a service.
    for shell in unit.shells.iter().filter(|shell| shell.file.is_none()) {
        let Some(list) = tree(&shell.script) else { continue };
        if let Some(line) = endless(&list, &shell.script) {
            findings.push(error(POLICY, ENDLESS).at(None, line + shell.offset));
        }
    }
}

fn endless(list: &List, script: &Script) -> Option<usize> {
    let waits = |chain: &&Chain| !chain.background && chain.rest.is_empty();
    list.0.iter().filter(waits).flat_map(|chain| &chain.first.parts).find_map(|node| match node {
        Node::Simple(at) => script.commands.get(*at).filter(sleeps).map(|command| command.line),
        Node::While { condition, body, .. } => {
            let command = alone(condition, script)?;
            let always = ["true", ":", "false"].contains(&command.program()?);
            (always && !leaves(body, script)).then_some(command.line)
        }
        Node::If { branches, otherwise } => {
            let mut bodies = branches.iter().map(|(_, body)| body).chain(otherwise);
            bodies.find_map(|body| endless(body, script))
        }
        Node::Group(body) | Node::For { body, .. } => endless(body, script),
        _ => None,
    })
}

/// `sleep infinity`.
fn sleeps(command: &&Command) -> bool {
    matches!(command.argv().as_slice(), ["sleep", time] if time.starts_with("inf"))
}

fn alone<'a>(list: &List, script: &'a Script) -> Option<&'a Command> {
    match list.0.as_slice() {
        [chain] if chain.rest.is_empty() => match chain.first.parts.as_slice() {
            [Node::Simple(at)] => script.commands.get(*at),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a command of the loop may leave it; a function may do so, too.
fn leaves(body: &List, script: &Script) -> bool {
    let commands: Vec<usize> = body.simple();
    let mut programs = commands.iter().filter_map(|at| script.commands.get(*at)?.program());
    let away = ["break", "exit", "return", "exec", "kill", "false"];
    programs.any(|name| away.contains(&name) || script.functions.contains(name))
}
