//! Checks the rules that scripts give to `ufw`: the order of their words, and ports that only the sender would have.

use super::{FILES, error};
use crate::Unit;
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = mistake(&command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Words of a rule, which are neither addresses nor ports.
const WORDS: [&str; 11] =
    ["app", "comment", "from", "in", "log", "log-all", "on", "out", "port", "proto", "to"];

/// The highest port on which a service of the system listens.
const SYSTEM_PORTS: u16 = 1023;

fn mistake(argv: &[&str]) -> Option<String> {
    let ["ufw", rest @ ..] = argv else { return None };
    let verbs = ["allow", "deny", "limit", "reject"];
    let at = rest.iter().position(|word| verbs.contains(word))?;
    // `ufw default deny incoming` and `ufw status` have no rule.
    if rest.get(..at)?.iter().any(|word| ["default", "status", "app"].contains(word)) {
        return None;
    }
    let rule = rest.get(at + 1..)?;
    // A comment and its text may be anywhere.
    let mut rule = rule.to_vec();
    if let Some(at) = rule.iter().position(|word| *word == "comment") {
        if rule.get(at + 1).is_none() {
            return Some("`ufw` needs a text after `comment`.".to_owned());
        }
        rule.drain(at..at + 2);
    }
    let (mut from, mut sender) = (false, None);
    for (at, word) in rule.iter().enumerate() {
        let next = rule.get(at + 1).copied().unwrap_or_default();
        if ["from", "to", "port", "proto", "on", "app"].contains(word)
            && (next.is_empty() || WORDS.contains(&next))
        {
            return Some(format!("`ufw` needs a value after `{word}`."));
        }
        match *word {
            "from" => from = true,
            "to" => from = false,
            "port" if from => sender = next.parse::<u16>().ok(),
            _ => {}
        }
    }
    // What leaves or passes this machine, and answers of UDP, may come from such a port.
    let others =
        ["to", "out", "udp"].iter().any(|word| rule.contains(word)) || rest.contains(&"route");
    let own = sender.filter(|port| *port <= SYSTEM_PORTS && !others)?;
    Some(format!("This is the sender's port: write `to any port {own}` for that of this machine."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_their_words_in_order() {
        let split = |line: &str| -> Option<String> {
            mistake(&line.split_whitespace().collect::<Vec<_>>())
        };
        for line in [
            "ufw allow from 10.0.0.1 port 22 proto tcp to comment ssh",
            "ufw allow from 10.0.0.1 port 22",
            "ufw allow to any port proto tcp",
            "ufw allow from",
            "ufw allow 22/tcp comment",
        ] {
            assert!(split(line).is_some(), "{line}");
        }
        for line in [
            "ufw default deny incoming",
            "ufw allow 22/tcp comment ssh",
            "ufw --force allow from 10.0.0.0/8 to any port 22 proto tcp",
            "ufw allow in on eth1 to any port 5432 proto tcp",
            "ufw route allow in on wg0 out on eth0",
            "ufw allow from 10.0.0.1 port 53 to any",
            "ufw allow from 10.0.0.1 comment office to any port 22",
            "ufw allow from 10.0.0.1 port 53 proto udp",
            "ufw deny out to any port 25",
            "ufw delete allow 80",
        ] {
            assert_eq!(split(line), None, "{line}");
        }
    }
}
