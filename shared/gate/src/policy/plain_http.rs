//! Finds keys, packages and programs that a script takes over plain HTTP: anyone on the way can put others in their place.

use super::fetched_code::{Comparisons, asks, saved};
use crate::bash::base;
use crate::check::{error, task_documents, tasks};
use crate::files::{behind, target};
use crate::yaml::Node;
use crate::{POLICY, Unit};
use domain::gate::Finding;

const PLAIN: &str = "Over plain HTTP, anyone along the way can replace this: use `https://`.";

/// Ends of the names of keys, packages, archives and programs.
const CODE: [&str; 19] = [
    ".asc", ".bin", ".deb", ".gpg", ".img", ".iso", ".jar", ".key", ".pem", ".pub", ".py",
    ".qcow2", ".rpm", ".run", ".sh", ".tar.gz", ".tar.xz", ".tgz", ".zip",
];

/// Programs that take a key or an archive from a pipe.
const TAKERS: [&str; 7] = ["apt-key", "bsdtar", "cpio", "dpkg", "gpg", "tar", "unzip"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.running() {
        let compared = Comparisons::new(&shell.script, unit);
        for (at, command) in shell.script.commands.iter().enumerate() {
            let argv = command.argv();
            let Some(address) = argv.iter().find(|word| is_plain(word)) else { continue };
            let takers = behind(&shell.script, at);
            let taken = takers.iter().any(|taker| {
                taker.program().is_some_and(|program| TAKERS.contains(&program))
                    || target(taker).is_some_and(|(path, _)| is_code(&path))
            });
            let code = || {
                is_code(address)
                    || taken
                    || command.writes.iter().any(|(path, _)| is_code(path))
                    || argv.iter().any(|word| is_code(word))
            };
            let installs = matches!(
                argv.as_slice(),
                ["rpm", "--import" | "-i" | "-U" | "-Uvh" | "-ivh", ..]
                    | ["apt-key", ..]
                    | ["dnf" | "yum", ..]
            );
            let mut saves = saved(command, &shell.script, false).into_iter();
            if saves.any(|path| compared.cover(&path, command.line, usize::MAX)) {
                continue;
            }
            if installs || (asks(&argv) && code()) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, PLAIN).at(shell.file.as_deref(), line));
            }
        }
    }
    for file in unit.written() {
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let Some((module, given)) = task.module() else { continue };
            let text = |key: &str| given.get(key).and_then(Node::text);
            let address = match module.rsplit('.').next() {
                Some("apt_key" | "get_url") => text("url"),
                Some("rpm_key") => text("key"),
                Some("unarchive") => text("src"),
                Some("deb822_repository") => text("signed_by"),
                _ => None,
            };
            let key = module.ends_with("_key") || module.ends_with("deb822_repository");
            let found = address.is_some_and(|it| is_plain(it) && (key || is_code(it)));
            if found && text("checksum").is_none() {
                findings.push(error(POLICY, PLAIN).at(Some(&file.path), given.line));
            }
        }
    }
}

/// Whether a word is an address of another machine without TLS.
fn is_plain(word: &str) -> bool {
    let Some((_, rest)) = word.split_once("http://") else { return false };
    let host = rest.split(['/', ':', '?']).next().unwrap_or_default();
    // Machines of one network, and the metadata of an instance, have no certificate.
    let near = ["10.", "127.", "169.254.", "172.", "192.168.", "$", "{", "["];
    host.contains('.') && !near.iter().any(|start| host.starts_with(start))
}

/// Whether a path or an address names a key, a package or a program.
fn is_code(word: &str) -> bool {
    let name = base(word.split(['?', '#']).next().unwrap_or(word)).to_lowercase();
    CODE.iter().any(|end| name.ends_with(end)) || ["gpg", "key"].contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_and_programs_come_over_tls() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for text in [
            "curl -fsSL http://download.example.org/linux/gpg -o \"$tmp\"\n",
            "wget -qO- http://a.example.org/release | sudo gpg --dearmor -o /etc/apt/keyrings/a.gpg\n",
            "curl -fsSL http://a.example.org/v1/a.tar.gz | tar -xz\n",
            "curl -fsSL http://a.example.org/latest >/usr/share/keyrings/a.asc\n",
            "sudo rpm --import http://a.example.org/RPM-GPG-KEY\n",
            "cat >a.yml <<'E'\n- hosts: all\n  tasks:\n    - ansible.builtin.get_url:\n        url: http://a.example.org/a.asc\n        dest: /etc/apt/keyrings/a.asc\nE\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "curl -fsSL https://download.example.org/linux/gpg -o \"$tmp\"\n",
            "curl -fsS http://shop.example.org/ -o page.html\n",
            "curl -fsS http://10.0.0.4:8000/a.tar.gz -o a.tar.gz\n",
            "curl -fsS http://mirror/a.tar.gz -o a.tar.gz\n",
            "curl -fsSLO http://a.example.org/a.iso\necho \"$sum  a.iso\" | sha256sum -c -\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
