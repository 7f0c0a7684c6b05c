//! Finds rules of sudo that allow everything: every command, or one that runs any other.

/// Accounts of those who administer a machine.
pub(super) const KEEPERS: [&str; 14] = [
    "%admin",
    "%sudo",
    "%wheel",
    "admin",
    "administrator",
    "ansible",
    "debian",
    "ec2-user",
    "item",
    "operator",
    "ops",
    "root",
    "sysadmin",
    "ubuntu",
];

/// Programs that run any other program or write any file, so that a rule for one is a rule for all.
const ANY: [&str; 17] = [
    "ash", "bash", "cp", "dash", "docker", "env", "nano", "node", "perl", "python", "python3",
    "sh", "su", "tee", "vi", "vim", "zsh",
];

/// Why a rule of sudo, wherever it is written, allows too much.
pub(super) fn commands(line: &str) -> Option<String> {
    let looks = ["grep ", "sudo -l", "sudo:", "^", "awk ", "rg "];
    let line = line.trim();
    if line.starts_with(['#', '/']) || looks.iter().any(|sign| line.contains(sign)) {
        return None;
    }
    let (who, rest) = line.split_once("ALL=").or_else(|| line.split_once("ALL = "))?;
    let (_, allowed) = rest.split_once("NOPASSWD:")?;
    // An account may follow an option, a quote or a key of YAML.
    let who = who.trim_end().trim_end_matches("}}").trim_end();
    let who = who.rsplit([' ', '"', '\'', '{', '\n']).next().unwrap_or_default();
    let who = who.split('.').next().unwrap_or(who).trim_start_matches('$').trim_matches(['"', '}']);
    if KEEPERS.iter().any(|keeper| who.eq_ignore_ascii_case(keeper)) || who.contains("admin") {
        return None;
    }
    let allowed = allowed.split(['"', '\'', '>', '|']).next().unwrap_or(allowed);
    let allowed = allowed.trim_end_matches("\\n");
    allowed.split(',').map(str::trim).find_map(|command| {
        let mut words = command.split_whitespace();
        let first = words.next()?;
        let rest: Vec<&str> = words.collect();
        let every = rest.is_empty() || rest == ["*"];
        if first == "ALL" && rest.is_empty() {
            return Some(
                "This account may run everything as root without a password: name the commands."
                    .to_owned(),
            );
        }
        let name = first.rsplit('/').next().filter(|_| first.starts_with('/'))?;
        let any = ANY.contains(&name) || (name == "systemctl");
        (any && every).then(|| {
            format!(
                "With `{first}`, this account may run everything as root: name the whole command."
            )
        })
    })
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::super::examine, text).len()
    }

    #[test]
    fn sudo_allows_single_commands() {
        for text in [
            "printf '%s ALL=(ALL) NOPASSWD: ALL\\n' \"$name\" >\"$rules\"",
            "echo \"deploy ALL=(ALL:ALL) NOPASSWD:ALL\" > /etc/sudoers.d/90-deploy",
            "cat >/etc/sudoers.d/a <<'E'\n%deploy ALL = (root) NOPASSWD: /bin/id, ALL\nE",
            "        content: \"{{ app_user }} ALL=(ALL) NOPASSWD: ALL\\n\"",
            "cat >/etc/sudoers.d/a <<'E'\nci ALL=(root) NOPASSWD: /usr/bin/systemctl *\nE",
            "cat >/etc/sudoers.d/a <<'E'\nci ALL=(root) NOPASSWD: /bin/bash\nE",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "printf '%s ALL=(root) NOPASSWD: /usr/bin/systemctl reload nginx\\n' \"$name\" >\"$rules\"",
            "    sudo: \"ALL=(ALL) NOPASSWD:ALL\"",
            "    content: \"{{ item.name }} ALL=(ALL) NOPASSWD:ALL\\n\"",
            "echo 'ops ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ops",
            "sudo grep -q 'NOPASSWD: ALL' /etc/sudoers.d/a",
            "# deploy ALL=(ALL) NOPASSWD: ALL",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
