//! Finds what takes down a protection of the machine: SELinux, the firewall, the programs that watch it, and the border
//! between an account and root.

use crate::check::{Task, error, task_documents, tasks};
use crate::yaml::Node;
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Services that filter packets; a script may replace one with another.
const FIREWALLS: [&str; 6] =
    ["firewalld", "iptables", "netfilter-persistent", "nftables", "shorewall", "ufw"];

/// Services that watch a machine or limit what its programs may do.
const GUARDS: [&str; 6] =
    ["apparmor", "auditd", "clamav-daemon", "crowdsec", "fail2ban", "selinux"];

/// Words with which someone asks for less protection.
const WISHES: [&str; 9] = [
    "disable",
    "drop",
    "permissive",
    "remove",
    "replace",
    "stop",
    "switch off",
    "turn off",
    "uninstall",
];

const SETUID: &str =
    "With this mode, everyone runs the file as its owner: grant a capability, or add a sudo rule.";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    let asked = unit.context.asked.to_lowercase();
    let wished =
        |name: &str| asked.contains(name) && WISHES.iter().any(|wish| asked.contains(wish));
    let another = starts_firewall(unit);
    let told = |name: &str| {
        let replaced = another && FIREWALLS.contains(&name);
        (!wished(name) && !replaced).then(|| {
            format!(
                "This turns off `{name}`, which protects the machine: leave it on, and allow \
            what is needed."
            )
        })
    };
    for shell in unit.running() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let off = stopped(&argv).and_then(told);
            let message = off.or_else(|| raised(&argv).then(|| SETUID.to_owned()));
            if let Some(message) = message {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    for (at, line) in unit.text.lines().enumerate() {
        let line = line.trim().to_lowercase();
        let off = ["selinux=permissive", "selinux=disabled", "selinux=0", "apparmor=0"];
        let sign = off.iter().find(|sign| line.contains(**sign) && !line.starts_with('#'));
        let searched = line.starts_with("grep ") || line.contains("! grep");
        let name = sign.filter(|_| !searched).and_then(|sign| sign.split('=').next());
        if let Some(message) = name.and_then(told) {
            findings.push(error(POLICY, message).at(None, at + 1));
        }
    }
    for file in unit.written() {
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let off = tasked(&task).and_then(|name| told(&name));
            let message = off.or_else(|| is_raised_by(&task).then(|| SETUID.to_owned()));
            if let Some(message) = message {
                findings.push(error(POLICY, message).at(Some(&file.path), task.node.line));
            }
        }
    }
}

/// The protection with the name of a unit.
fn protection(unit: &str) -> Option<&'static str> {
    let name = unit.trim_end_matches(".service");
    FIREWALLS.iter().chain(&GUARDS).copied().find(|known| *known == name)
}

/// The protection that a command turns off.
fn stopped(argv: &[&str]) -> Option<&'static str> {
    match argv {
        ["setenforce", "0" | "permissive" | "Permissive"] => Some("selinux"),
        ["ufw", rest @ ..] if rest.contains(&"disable") => Some("ufw"),
        ["aa-teardown", ..] => Some("apparmor"),
        ["systemctl", rest @ ..]
            if rest.iter().any(|word| ["disable", "mask", "stop"].contains(word)) =>
        {
            rest.iter().find_map(|word| protection(word))
        }
        ["service", name, "stop"] => protection(name),
        ["apt" | "apt-get" | "dnf" | "yum", rest @ ..]
            if rest.iter().any(|word| ["autoremove", "purge", "remove"].contains(word)) =>
        {
            rest.iter().find_map(|word| protection(word))
        }
        _ => None,
    }
}

/// Whether a script turns any firewall on.
fn starts_firewall(unit: &Unit) -> bool {
    let by_command = unit.everywhere().any(|shell| {
        shell.script.commands.iter().any(|command| match command.argv().as_slice() {
            ["ufw", rest @ ..] => rest.contains(&"enable"),
            ["nft", rest @ ..] => rest.contains(&"-f"),
            ["iptables-restore" | "netfilter-persistent", ..] => true,
            ["systemctl", verb, rest @ ..] => {
                ["enable", "reload", "restart", "start"].contains(verb)
                    && rest
                        .iter()
                        .any(|word| FIREWALLS.contains(&word.trim_end_matches(".service")))
            }
            _ => false,
        })
    });
    by_command
        || unit.written().any(|file| {
            tasks(&task_documents(file).unwrap_or_default(), file).iter().any(|task| {
                let Some((module, given)) = task.module() else { return false };
                let text = |key: &str| given.get(key).and_then(Node::text);
                let on = ["enabled", "reloaded", "restarted", "started"];
                let state = text("state").is_some_and(|state| on.contains(&state));
                let named = text("name").and_then(protection);
                state
                    && (module.ends_with("ufw") || named.is_some_and(|it| FIREWALLS.contains(&it)))
            })
        })
}

/// The protection that a task turns off.
fn tasked(task: &Task) -> Option<String> {
    let (module, given) = task.module()?;
    let text = |key: &str| given.get(key).and_then(Node::text);
    let no = |key: &str| ["false", "no"].map(Some).contains(&text(key));
    let found = match module.rsplit('.').next()? {
        "selinux" if ["permissive", "disabled"].map(Some).contains(&text("state")) => "selinux",
        "ufw" if text("state") == Some("disabled") => "ufw",
        "service" | "systemd" | "systemd_service" => {
            let off = text("state") == Some("stopped") || no("enabled");
            protection(text("name")?).filter(|_| off || text("masked") == Some("true"))?
        }
        _ => return None,
    };
    Some(found.to_owned())
}

/// Whether a mode lets everyone who runs a file act as its owner.
fn is_setuid(mode: &str) -> bool {
    let octal = mode.chars().all(|c| c.is_digit(8));
    let digits = mode.trim_start_matches('0');
    (octal && digits.len() == 4 && digits.starts_with(['4', '5', '6', '7']))
        || mode.split(',').any(|part| {
            part.split_once(['+', '='])
                .is_some_and(|(who, rights)| rights.contains('s') && !["g", "o"].contains(&who))
        })
}

fn raised(argv: &[&str]) -> bool {
    match argv {
        ["chmod", rest @ ..] => {
            rest.iter().find(|word| !word.starts_with('-')).is_some_and(|mode| is_setuid(mode))
        }
        ["install", rest @ ..] => {
            let next = rest.windows(2).find(|two| ["-m", "--mode"].contains(&two[0]));
            let joined = rest.iter().find_map(|word| word.strip_prefix("--mode="));
            next.map(|two| two[1]).or(joined).is_some_and(is_setuid)
        }
        _ => false,
    }
}

fn is_raised_by(task: &Task) -> bool {
    let mode = task.module().and_then(|(_, given)| given.get("mode")?.text());
    mode.is_some_and(is_setuid)
}

#[cfg(test)]
mod tests {
    fn said(asked: &str, text: &str) -> usize {
        crate::testing::said_when(asked, super::examine, text).len()
    }

    #[test]
    fn a_step_leaves_what_protects_the_machine_on() {
        for (name, text) in [
            ("selinux", "sudo setenforce 0\n"),
            (
                "selinux",
                "sudo sed -i 's/^SELINUX=enforcing/SELINUX=permissive/' /etc/selinux/config\n",
            ),
            ("firewalld", "ssh web 'sudo systemctl disable --now firewalld'\n"),
            ("ufw", "sudo ufw --force disable\n"),
            ("apparmor", "sudo systemctl mask apparmor.service\n"),
            ("fail2ban", "sudo apt-get purge -y fail2ban\n"),
            (
                "firewalld",
                "cat >a.yml <<'E'\n- hosts: all\n  tasks:\n    - ansible.builtin.systemd_service:\n        name: firewalld\n        state: stopped\nE\n",
            ),
        ] {
            assert_eq!(said("A shop", text), 1, "{text}");
            assert_eq!(said(&format!("Disable {name}"), text), 0, "{text}");
        }
        for text in [
            "sudo setenforce 1\n",
            "sudo ufw --force disable\nsudo ufw allow 22/tcp\nsudo ufw --force enable\n",
            "sudo systemctl disable --now ufw\nsudo systemctl enable --now nftables\n",
            "sudo systemctl stop nginx\n",
            "grep -q '^SELINUX=permissive' /etc/selinux/config\n",
        ] {
            assert_eq!(said("A shop", text), 0, "{text}");
        }
    }

    #[test]
    fn no_file_runs_as_its_owner_for_everyone() {
        for text in [
            "sudo chmod u+s /usr/bin/tcpdump\n",
            "sudo chmod 04755 /usr/bin/tool\n",
            "sudo install -o root -m 4755 tool /usr/local/bin/tool\n",
            "cat >a.yml <<'E'\n- hosts: all\n  tasks:\n    - ansible.builtin.file:\n        path: /usr/bin/tool\n        mode: \"4755\"\nE\n",
        ] {
            assert_eq!(said("A shop", text), 1, "{text}");
        }
        for text in [
            "sudo chmod g+s /srv/shared\n",
            "sudo chmod 2775 /srv/shared\n",
            "sudo chmod 1777 /srv/tmp\n",
            "sudo install -m 0755 tool /usr/local/bin/tool\n",
        ] {
            assert_eq!(said("A shop", text), 0, "{text}");
        }
    }
}
