//! Finds settings without the sign between their name and their value, in files in which every setting needs one.

use super::config::{UNITS, is_haproxy, is_nginx, kind};
use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        for (line, text) in bare(file) {
            let message = format!("A setting here needs `=` before its value: `{text}`.");
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// Extensions of files with sections.
const SECTIONED: [&str; 7] = ["cfg", "cnf", "conf", "ini", "local", "netdev", "network"];

/// Whether a file has sections with settings: a head as its first line, and almost only lines with `=` at their beginning.
fn has_sections(file: &Written) -> bool {
    let lines = || file.text.lines().map(str::trim_end).filter(|line| !is_comment(line));
    let head = |line: &str| line.starts_with('[') && line.ends_with(']') && !line.contains('=');
    let other = UNITS.contains(&kind(file).as_str()) || is_nginx(file) || is_haproxy(file);
    let own = lines().filter(|line| !line.starts_with(char::is_whitespace) && !head(line));
    let (signed, bare): (Vec<&str>, Vec<&str>) = own.partition(|line| line.contains('='));
    SECTIONED.contains(&kind(file).as_str())
        && !other
        && lines().next().is_some_and(head)
        && signed.len() >= 2 * bare.len()
        && !signed.is_empty()
}

/// Whether each line of a file gives one value to one name: the environment of a service, or settings of the kernel.
fn is_list(file: &Written) -> bool {
    let environment =
        file.name() == ".env" || kind(file) == "env" || file.name().ends_with(".env.j2");
    let kernel = file.path.contains("/sysctl.d/") || file.name() == "sysctl.conf";
    // A text in quotes may go on in the next line.
    let whole = file.text.lines().all(|line| line.matches('"').count() % 2 == 0);
    (environment || kernel) && whole && file.text.contains('=')
}

fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with(['#', ';', '!'])
}

/// Lines of at least two words without a sign, with their numbers.
fn bare(file: &Written) -> Vec<(usize, String)> {
    if !has_sections(file) && !is_list(file) {
        return Vec::new();
    }
    let mut continues = false;
    let text = file.filled();
    let lines = text.lines().enumerate().filter(|(_, line)| {
        let continued = std::mem::replace(&mut continues, line.ends_with('\\'));
        let plain = !is_comment(line) && !line.starts_with([' ', '\t', '[', '{', '%', '-']);
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let word = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
        // Some programs take a colon, too.
        let named = line.split_once(':').is_some_and(|(name, _)| !name.trim().contains(' '));
        !continued
            && plain
            && word
            && words.next().is_some()
            && !named
            && !line.contains(['=', '{'])
    });
    lines.map(|(at, line)| (at + 1, line.trim().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_a_sign_before_its_value() {
        let said = |path: &str, text: &str| {
            let file = Written { path: path.into(), text: text.into(), expands: false, line: 1 };
            bare(&file).len()
        };
        for (path, text) in [
            ("jail.local", "[DEFAULT]\nbantime = 1h\nfindtime 10m\nmaxretry = 5\n"),
            (
                "/etc/mysql/conf.d/a.cnf",
                "[mysqld]\nskip-name-resolve\nbind-address 127.0.0.1\nport = 3306\nuser = a\nb = c\nd = e\n",
            ),
            (
                "/etc/systemd/journald.conf.d/a.conf",
                "[Journal]\nSystemMaxUse 1G\nCompress=yes\nSeal=yes\n",
            ),
            ("/etc/sysctl.d/60-a.conf", "vm.swappiness 10\nnet.core.somaxconn = 1024\n"),
            ("settings.ini", "[server]\nbind 127.0.0.1:8000\nworkers = 2\nlevel = a\n"),
            ("app/.env", "PORT=80\nHOST 127.0.0.1\n"),
            (
                "ansible.cfg",
                "[defaults]\ninventory hosts.ini\nforks = 5\nhost_key_checking = true\n",
            ),
        ] {
            assert_eq!(said(path, text), 1, "{text}");
        }
        for (path, text) in [
            (
                "jail.local",
                "[DEFAULT]\nignoreip = ::1\n  10.0.0.1 10.0.0.2\n# a comment\naction = a\n",
            ),
            ("my.cnf", "[mysqld]\nskip-name-resolve\nuser = a\nport = 1\n"),
            ("hosts.ini", "[web]\nweb1 ansible_host=10.0.0.1\nweb2\n"),
            ("a.conf", "user www-data;\nworker_processes = auto;\n"),
            (".env", "KEY=\"a\nb c\"\n"),
            ("/etc/sysctl.d/a.conf", "-net.ipv4.conf.all.rp_filter\nvm.swappiness=1\n"),
            ("setup.cfg", "[options]\npackages: find:\ninstall_requires =\n  a\n"),
        ] {
            assert_eq!(said(path, text), 0, "{text}");
        }
    }
}
