//! Tells which commands make a file system only where none is yet: `blkid "$device" || mkfs.ext4 "$device"`.

use crate::bash::tree::{Chain, List, Node, Pipeline, tree};
use crate::bash::{self, Command, Script};

/// Programs that find a file system, and fail if there is none.
const FINDERS: [&str; 4] = ["blkid", "dumpe2fs", "tune2fs", "xfs_info"];

/// Programs that print nothing about a file system if there is none.
const PRINTERS: [&str; 3] = ["blkid", "findmnt", "lsblk"];

/// The commands that a script runs only where no file system is yet, by their indexes.
pub(super) fn guarded(script: &Script) -> Vec<usize> {
    let mut found = Vec::new();
    let makes = |command: &Command| command.program().is_some_and(|it| it.starts_with("mkfs"));
    if script.commands.iter().any(makes)
        && let Some(list) = tree(script)
    {
        walk(&list, script, &mut found);
    }
    found
}

fn walk(list: &List, script: &Script, found: &mut Vec<usize>) {
    for Chain { first, rest, .. } in &list.0 {
        let mut before = first;
        for (or, part) in rest {
            let empty = if *or { finds(before, script) } else { is_empty(before, script) };
            if empty {
                found.extend(part.parts.iter().flat_map(Node::simple));
            }
            before = part;
        }
        let parts = std::iter::once(first).chain(rest.iter().map(|(_, part)| part));
        for node in parts.flat_map(|part| &part.parts) {
            match node {
                Node::If { branches, otherwise } => {
                    for (condition, body) in branches {
                        let chain = condition.0.last().filter(|chain| chain.rest.is_empty());
                        if chain.is_some_and(|chain| is_empty(&chain.first, script)) {
                            found.extend(body.simple());
                        }
                        walk(body, script, found);
                    }
                    otherwise.iter().for_each(|body| walk(body, script, found));
                }
                Node::For { body, .. } | Node::Group(body) | Node::Subshell(body) => {
                    walk(body, script, found);
                }
                _ => {}
            }
        }
    }
}

fn alone<'a>(pipeline: &Pipeline, script: &'a Script) -> Option<&'a Command> {
    match pipeline.parts.as_slice() {
        [Node::Simple(at)] => script.commands.get(*at),
        _ => None,
    }
}

/// Whether a condition holds if there is a file system.
fn finds(pipeline: &Pipeline, script: &Script) -> bool {
    let program = alone(pipeline, script).and_then(Command::program);
    !pipeline.negated && program.is_some_and(|program| FINDERS.contains(&program))
}

/// Whether a condition holds if there is no file system.
fn is_empty(pipeline: &Pipeline, script: &Script) -> bool {
    let Some(command) = alone(pipeline, script) else { return false };
    let argv = command.argv();
    let prints = |text: &str| {
        let inner = text.trim_matches('"').strip_prefix("$(").and_then(|it| it.strip_suffix(')'));
        inner.is_some_and(|inner| {
            let programs = bash::read(inner);
            let first = programs.commands.iter().find_map(Command::program);
            first.is_some_and(|program| PRINTERS.contains(&program))
        })
    };
    match argv.as_slice() {
        [program, ..] if FINDERS.contains(program) => pipeline.negated,
        ["[" | "[[" | "test", "-z", text, ..] => prints(text) && !pipeline.negated,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_empty_volume_may_get_a_file_system() {
        let said = |text: &str| crate::testing::said(super::super::examine, text).len();
        for text in [
            "mkfs.ext4 -F /dev/sdb\n",
            "if blkid /dev/sdb; then mkfs.ext4 /dev/sdb; fi\n",
            "blkid /dev/sdb && mkfs.ext4 /dev/sdb\n",
            "if ! mountpoint -q /srv; then mkfs.xfs /dev/sdb; fi\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "if ! blkid -p /dev/sdb >/dev/null; then\n  mkfs.ext4 -q /dev/sdb\nfi\n",
            "blkid /dev/sdb || mkfs.ext4 /dev/sdb\n",
            "[ -z \"$(lsblk -no FSTYPE /dev/sdb)\" ] && mkfs.xfs /dev/sdb\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
