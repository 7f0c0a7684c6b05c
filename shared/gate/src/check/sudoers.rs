//! Checks the rules of sudo, which ignores a whole file with a mistake: brackets, tags, and the paths of commands.

use super::jinja::without;
use super::spelling::nearest;
use super::{FILES, error};
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

/// Words before a command that change how it runs.
const TAGS: [&str; 17] = [
    "EXEC",
    "FOLLOW",
    "INTERCEPT",
    "LOG_INPUT",
    "LOG_OUTPUT",
    "MAIL",
    "NOEXEC",
    "NOFOLLOW",
    "NOINTERCEPT",
    "NOLOG_INPUT",
    "NOLOG_OUTPUT",
    "NOMAIL",
    "NOPASSWD",
    "NOSETENV",
    "PASSWD",
    "SETENV",
    "TIMEOUT",
];

/// The first words of lines that are not rules.
const OTHERS: [&str; 9] = [
    "@include",
    "@includedir",
    "Cmd_Alias",
    "Cmnd_Alias",
    "Host_Alias",
    "Runas_Alias",
    "User_Alias",
    "#include",
    "#includedir",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        let found = if file.path.contains("/sudoers.d/") || file.name() == "sudoers" {
            rules(file)
        } else if file.text.starts_with("#cloud-config") {
            accounts(file)
        } else {
            Vec::new()
        };
        for (line, message) in found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

fn rules(file: &Written) -> Mistakes {
    let text = without(&file.filled());
    let (mut found, mut whole, mut from) = (Vec::new(), String::new(), 1);
    for (at, line) in text.lines().enumerate() {
        if whole.is_empty() {
            from = at + 1;
        }
        // A rule continues after a backslash.
        if let Some(line) = line.strip_suffix('\\') {
            whole.push_str(line);
            continue;
        }
        whole.push_str(line);
        found.extend(rule(&std::mem::take(&mut whole)).map(|message| (from, message)));
    }
    found
}

/// The rules of the accounts that cloud-init makes.
fn accounts(file: &Written) -> Mistakes {
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let accounts = documents.iter().filter_map(|document| document.get("users"));
    let given = accounts.flat_map(Node::list).filter_map(|account| account.get("sudo"));
    let rules = given.flat_map(|given| std::iter::once(given).chain(given.list()));
    let found = rules.filter_map(|node| {
        let text = node.text().filter(|text| text.contains(' ') || text.contains('='))?;
        Some((node.line, rule(&format!("account {text}"))?))
    });
    found.collect()
}

/// What is wrong with a rule.
fn rule(line: &str) -> Option<String> {
    let line = line.trim();
    let first = line.split_whitespace().next()?;
    let other = OTHERS.contains(&first) || first.starts_with("Defaults");
    if other || line.starts_with('#') || line == "x" || line.contains("{%") {
        return None;
    }
    let whole = |what: &str| Some(format!("sudo cannot read this rule, {what}: `{line}`."));
    let Some((who, what)) = line.split_once('=') else { return whole("which has no `=`") };
    if who.split_whitespace().count() < 2 {
        return whole("which names no host before `=`");
    }
    let mut rest = what.trim();
    if let Some(inner) = rest.strip_prefix('(') {
        let Some((_, behind)) = inner.split_once(')') else {
            return whole("whose bracket is not closed");
        };
        rest = behind.trim();
    }
    for part in rest.replace("\\,", "").split(',') {
        if let Some(what) = command(part.trim()) {
            return Some(what);
        }
    }
    None
}

/// What is wrong with a command and the words before it.
fn command(text: &str) -> Option<String> {
    let mut rest = text;
    loop {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let capitals =
            |text: &str| text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if let Some((tag, behind)) = rest.split_once(':').filter(|(tag, _)| capitals(tag.trim())) {
            // A colon between hosts begins another list.
            if tag.trim() == "ALL" {
                return None;
            }
            if !TAGS.contains(&tag.trim()) {
                let near = nearest(tag.trim(), &TAGS).unwrap_or("NOPASSWD");
                return Some(format!("sudo has no tag `{}:`, but it has `{near}:`.", tag.trim()));
            }
            rest = behind.trim_start();
        } else if TAGS.contains(&word) {
            return Some(format!("sudo needs a colon after the tag: `{word}:`."));
        } else {
            break;
        }
    }
    let name = rest.trim_start_matches(['!', '"', ' ', '(']).split_whitespace().next()?;
    // An alias, a digest, or a command that is sudo's own.
    let own = name.starts_with(|c: char| c.is_ascii_uppercase())
        || ["sudoedit", "list", "x"].contains(&name)
        || name.contains(':')
        || name.starts_with(['/', '^', '$', '%', '{']);
    let odd = !own && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    odd.then(|| format!("sudo needs the full path of a command: `{name}`."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sudo_reads_its_rules() {
        for text in [
            "%ops ALL=(root NOPASSWD: /bin/a",
            "ops ALL=(ALL) NOPASSWORD: ALL",
            "ops ALL=(ALL) NOPASSWD ALL",
            "ops ALL=(root) NOPASSWD: systemctl restart shop",
            "ops ALL=(root) /bin/a, reboot",
            "ops ALL:(ALL) NOPASSWD: ALL",
            "ops NOPASSWD: ALL",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
        for text in [
            "ops ALL=(ALL:ALL) ALL",
            "%ops ALL=(root) NOPASSWD: /bin/a --b=c, /bin/d e\\,f, sudoedit /etc/g",
            "ops ALL=(root) NOPASSWD:SETENV: /bin/a",
            "Cmnd_Alias RESTART = /bin/systemctl restart a",
            "ops ALL = NOPASSWD: RESTART, !/bin/su",
            "Defaults:ops !requiretty",
            "# a comment",
            "x ALL=(ALL) NOPASSWD:ALL",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
    }

    #[test]
    fn rules_stand_in_files_and_in_accounts() {
        let said = |text: &str| crate::testing::said(examine, text).len();
        for text in [
            "echo 'ops ALL=(ALL NOPASSWD: ALL' > /etc/sudoers.d/ops\n",
            "cat >/etc/sudoers.d/ops <<'E'\nops ALL=(ALL) \\\n  NOPASWD: ALL\nE\n",
            "cat >a.yaml <<'E'\n#cloud-config\nusers:\n  - name: a\n    sudo: ALL=(ALL) NOPASSWD ALL\nE\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        let sound = "cat >a.yaml <<'E'\n#cloud-config\nusers:\n  - name: a\n    sudo: [\"ALL=(ALL) NOPASSWD:ALL\"]\n  - name: b\n    sudo: false\nE\n";
        assert_eq!(said(sound), 0);
    }
}
