//! Checks rules of iptables, in commands and in files for `iptables-restore`: several ports without the module that
//! takes them, chains that nothing makes, and tables that nothing commits.

use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for (line, message) in saved(file) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let ["iptables" | "ip6tables", rest @ ..] = argv.as_slice() else { continue };
            if let Some(message) = ports(rest) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Several ports in a setting that takes one.
fn ports(words: &[&str]) -> Option<String> {
    // With the module, the short names are right, too.
    if words.contains(&"multiport") {
        return None;
    }
    let one = ["--dport", "--sport", "--destination-port", "--source-port"];
    let two = words.windows(2).find(|two| one.contains(&two[0]) && two[1].contains(','))?;
    Some(format!("`{}` takes one port: write `-m multiport {}s`.", two[0], two[0]))
}

/// The tables, and the chains that every one of them has.
const TABLES: [&str; 5] = ["*filter", "*mangle", "*nat", "*raw", "*security"];
const CHAINS: [&str; 5] = ["FORWARD", "INPUT", "OUTPUT", "POSTROUTING", "PREROUTING"];

/// Mistakes in a file for `iptables-restore`.
fn saved(file: &Written) -> Vec<(usize, String)> {
    let text = file.filled();
    let mut found = Vec::new();
    let (mut table, mut chains): (Option<(usize, &str)>, Vec<&str>) = (None, Vec::new());
    let open = |table: &mut Option<(usize, &str)>| {
        let message = |name: &str| format!("Nothing commits `{name}`, so none of it takes effect.");
        table.take().map(|(line, name)| (line, message(name)))
    };
    for (at, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [name] if TABLES.contains(name) => {
                found.extend(open(&mut table));
                table = Some((at + 1, *name));
                chains.clear();
            }
            ["COMMIT", ..] => table = None,
            [first, ..] if first.starts_with(':') => chains.push(first.trim_start_matches(':')),
            ["-N" | "--new-chain", chain, ..] => chains.push(chain),
            ["-A" | "-I", chain, ..] if table.is_some() => {
                let known = CHAINS.contains(chain) || chains.contains(chain) || *chain == "x";
                // Other programs make their own chains.
                let others = chain.contains(['-', '{', '_']) || *chain == "DOCKER";
                if !known && !others {
                    found.push((at + 1, format!("Nothing here makes the chain `{chain}`.")));
                }
                found.extend(ports(&words).map(|message| (at + 1, message)));
            }
            _ => {}
        }
    }
    found.extend(open(&mut table));
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn rules_of_iptables_take_effect() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let text = "cat >/etc/iptables/rules.v4 <<'E'\n*filter\n:INPUT DROP [0:0]\n:web - [0:0]\n-A INPUT -p tcp -m multiport --dports 80,443 -j web\n-A web -j ACCEPT\nCOMMIT\n*nat\nCOMMIT\nE\niptables -A INPUT -p tcp --dport 22 -j ACCEPT\n";
        for (text, count) in [
            (text.to_owned(), 0),
            (text.replace("-j ACCEPT\nCOMMIT", "-j ACCEPT"), 1),
            (text.replace("-m multiport --dports", "--dport"), 1),
            (text.replace("--dports", "--dport"), 0),
            (text.replace(":web - [0:0]", "-N web"), 0),
            (text.replace("-A web", "-A webs"), 1),
            (text.replace("--dport 22", "--dport 22,80"), 1),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
