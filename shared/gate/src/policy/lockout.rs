//! Finds firewalls that shut out the person who set them up: they refuse everything, and no rule lets SSH in.

use crate::check::{error, task_documents, tasks};
use crate::{POLICY, Unit};
use domain::gate::Finding;

const LOCKED: &str = "This firewall refuses what no rule allows, and no rule here allows SSH: nobody could sign in any more.";

/// Names of the port of SSH.
const SSH: [&str; 3] = ["22", "openssh", "ssh"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let known =
        unit.context.earlier.iter().any(|text| text.contains("ufw") || text.contains("nft"));
    if unit.context.check || known {
        return;
    }
    let allows = allows(unit);
    for shell in unit.everywhere() {
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
            let listed = documents
                .iter()
                .flat_map(|node| node.all())
                .any(|node| node.text().is_some_and(names_ssh));
            tasks(&documents, file).iter().any(|task| {
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
