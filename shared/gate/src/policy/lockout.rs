//! Finds what makes a server unreachable: firewalls that refuse everything while no rule lets SSH in, and files of the
//! system that a script replaces with its own lines, although other programs need what was in them.

use crate::bash::Command;
use crate::check::{error, task_documents, tasks};
use crate::yaml::Node;
use crate::{POLICY, Unit};
use domain::gate::Finding;

const LOCKED: &str = "This firewall refuses what no rule allows, and no rule here allows SSH: no one could sign in anymore.";

/// Files in which the system and each program have their own lines.
const COMMON: [&str; 9] = [
    "/etc/crypttab",
    "/etc/fstab",
    "/etc/group",
    "/etc/gshadow",
    "/etc/passwd",
    "/etc/services",
    "/etc/shadow",
    "/etc/shells",
    "/etc/sudoers",
];

/// Names of the port of SSH.
const SSH: [&str; 3] = ["22", "openssh", "ssh"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.running() {
        for command in &shell.script.commands {
            let Some(path) = replaced(command) else { continue };
            let message = format!("This replaces everything in {path}: append to it instead.");
            let line = command.line + shell.offset;
            findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
        }
    }
    let known =
        unit.context.earlier.iter().any(|text| text.contains("ufw") || text.contains("nft"));
    if unit.context.check || known {
        return;
    }
    let allows = allows(unit);
    for shell in unit.running() {
        let enables = shell.script.commands.iter().find(|command| {
            let argv = command.argv();
            argv.first() == Some(&"ufw") && argv.contains(&"enable")
        });
        if let Some(command) = enables.filter(|_| !allows) {
            findings
                .push(error(POLICY, LOCKED).at(shell.file.as_deref(), command.line + shell.offset));
        }
    }
    for file in &unit.files {
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let Some((_, given)) = task.module().filter(|(name, _)| name.ends_with("ufw")) else {
                continue;
            };
            let says = |key: &str, wanted: &str| {
                given.get(key).and_then(|node| node.text()) == Some(wanted)
            };
            let closes =
                says("state", "enabled") || says("policy", "deny") || says("default", "deny");
            let out = ["out", "outgoing"].iter().any(|way| says("direction", way));
            if closes && !out && !allows {
                findings.push(error(POLICY, LOCKED).at(Some(&file.path), task.node.line));
                break;
            }
        }
        if let Some(line) = tables(&file.text) {
            findings.push(error(POLICY, LOCKED).at(Some(&file.path), line));
        }
    }
}

/// The common file that a command replaces. A command that reads the file as well may write all of it again.
fn replaced(command: &Command) -> Option<&str> {
    let argv = command.argv();
    let by_tee =
        argv.first() == Some(&"tee") && !argv.iter().any(|word| ["-a", "--append"].contains(word));
    let given = argv.iter().skip(1).copied().filter(|_| by_tee);
    let written =
        command.writes.iter().filter(|(_, appends)| !appends).map(|(path, _)| path.as_str());
    let keys = |path: &str| path.ends_with("/.ssh/authorized_keys");
    let path = given.chain(written).find(|path| COMMON.contains(path) || keys(path))?;
    let reads = !by_tee && argv.iter().any(|word| word.contains(path));
    (!reads).then_some(path)
}

fn names_ssh(word: &str) -> bool {
    let word = word.to_lowercase();
    let word = word.split('/').next().unwrap_or_default();
    SSH.contains(&word) || word.contains(['$', '{'])
}

/// Whether any rule of ufw lets SSH in, or may do so.
fn allows(unit: &Unit) -> bool {
    let commands = unit.everywhere().flat_map(|shell| &shell.script.commands);
    let by_command = commands.into_iter().any(|command| {
        let argv = command.argv();
        argv.first() == Some(&"ufw")
            && (argv.contains(&"allow") || argv.contains(&"limit"))
            && argv.iter().any(|word| names_ssh(word))
    });
    by_command
        || unit.tree.iter().any(|file| {
            let documents = task_documents(file).unwrap_or_default();
            let names = |text: &str| SSH.contains(&text.to_lowercase().as_str());
            let has = |node: &Node| node.all().into_iter().any(|one| one.text().is_some_and(names));
            let mut plays = documents.iter().flat_map(Node::list);
            let named = plays.any(|play| play.get("vars").is_some_and(has));
            tasks(&documents, file).iter().any(|task| {
                let items = ["loop", "with_items"].iter().find_map(|key| task.node.get(key));
                let literal = items.filter(|items| !items.list().is_empty());
                let listed = literal.map_or(named, has);
                let given = task.module().filter(|(name, _)| name.ends_with("ufw"));
                given.is_some_and(|(_, given)| {
                    let port = ["port", "to_port", "name", "app"]
                        .into_iter()
                        .find_map(|key| given.get(key)?.text());
                    port.is_some_and(|port| {
                        SSH.contains(&port.to_lowercase().as_str())
                            || (port.contains("{{") && listed)
                    })
                })
            })
        })
}

/// The line of a chain of nftables that drops what comes in, if no rule accepts SSH.
fn tables(text: &str) -> Option<usize> {
    let lines = || text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let at =
        lines().position(|line| line.contains("hook input") && line.contains("policy drop"))?;
    let opens = lines().any(|line| {
        let ports = line.split_once("dport").map(|(_, rest)| rest);
        let named = ports.is_some_and(|ports| {
            ports.split([' ', ',', '{', '}']).any(|word| names_ssh(word) || word.starts_with('@'))
                || ports.contains("{{")
                || ports.contains('$')
        });
        let all = line.contains("saddr") && line.contains("accept") && !line.contains("dport");
        named || all
    });
    (!opens).then_some(at + 1)
}
