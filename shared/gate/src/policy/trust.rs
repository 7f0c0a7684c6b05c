//! Finds files that everyone may read or write, and connections that trust whoever answers.

use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let insecure = "curl accepts any certificate here, so anyone can answer.".to_owned();
            let found = [opens(&argv), trusts(&argv).then_some(insecure)];
            let line = command.line + shell.offset;
            let told = found.into_iter().flatten();
            findings.extend(told.map(|said| error(POLICY, said).at(shell.file.as_deref(), line)));
        }
    }
    unverified(unit, findings);
}

/// Parts of the names of files that only their owner may read.
const PRIVATE: [&str; 9] = [
    "id_ed25519",
    "id_rsa",
    "id_ecdsa",
    "privkey",
    "/wireguard/",
    "private.key",
    "private_key",
    ".secret",
    "/.env",
];

/// What a command lets everyone read or write.
fn opens(argv: &[&str]) -> Option<String> {
    let (mode, places): (&str, &[&str]) = match argv {
        ["chmod", rest @ ..] => {
            let at = rest.iter().position(|word| !word.starts_with('-'))?;
            (rest.get(at)?, rest.get(at + 1..)?)
        }
        ["install", rest @ ..] => {
            let at = rest.iter().position(|word| ["-m", "--mode"].contains(word));
            let mode = at.and_then(|at| rest.get(at + 1)).copied();
            let joined = rest.iter().find_map(|word| word.strip_prefix("--mode="));
            (mode.or(joined)?, rest.get(rest.len() - 1..)?)
        }
        _ => return None,
    };
    let private = places
        .iter()
        .find(|place| PRIVATE.iter().any(|part| place.contains(part)) && !place.ends_with(".pub"));
    loose(mode, private.copied())
}

/// Why a mode is too open: everyone may write, or everyone may read a private file.
pub(super) fn loose(mode: &str, private: Option<&str>) -> Option<String> {
    let octal = mode.chars().all(|c| c.is_digit(8)) && (3..=5).contains(&mode.len());
    let last = mode.chars().last().and_then(|c| c.to_digit(8)).filter(|_| octal);
    let sticky = mode.trim_start_matches('0').len() == 4;
    let grants = |right: char| {
        mode.split(',').any(|part| {
            part.split_once(['+', '=']).is_some_and(|(who, what)| {
                what.contains(right)
                    && (who.contains(['o', 'a']) || (who.is_empty() && right == 'w'))
            })
        })
    };
    if (last.is_some_and(|digit| digit & 2 != 0) && !sticky) || grants('w') {
        return Some(format!("With the mode {mode} everyone on the machine may write here."));
    }
    let place = private.filter(|_| last.is_some_and(|digit| digit & 4 != 0) || grants('r'))?;
    Some(format!("With the mode {mode} everyone on the machine may read `{place}`."))
}

/// Texts that turn off the check of who answers, in small letters and with one blank between words.
const TRUSTING: [&str; 20] = [
    "stricthostkeychecking no",
    "stricthostkeychecking=no",
    "stricthostkeychecking off",
    "stricthostkeychecking=off",
    "userknownhostsfile=/dev/null",
    "userknownhostsfile /dev/null",
    "host_key_checking = false",
    "host_key_checking=false",
    "validate_certs: false",
    "validate_certs: no",
    "[trusted=yes]",
    "strict-ssl false",
    "http.sslverify false",
    "http.sslverify=false",
    "insecure-skip-tls-verify",
    "--no-check-certificate",
    "node_tls_reject_unauthorized=0",
    "--allow-unauthenticated",
    "--trusted-host",
    "git_ssl_no_verify",
];

/// Connections that accept whoever answers.
fn unverified(unit: &Unit, findings: &mut Vec<Finding>) {
    for (at, line) in unit.text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let line = words.join(" ").to_lowercase();
        if line.starts_with('#') {
            continue;
        }
        if let Some(found) = TRUSTING.iter().find(|text| line.contains(**text)) {
            let said = format!("`{found}` accepts whoever answers: check the key or certificate.");
            findings.push(error(POLICY, said).at(None, at + 1));
        }
    }
}

/// Whether curl asks another machine without looking at its certificate.
fn trusts(argv: &[&str]) -> bool {
    let ["curl", rest @ ..] = argv else { return false };
    // Letters after one that takes a value belong to the value.
    let short = |word: &&&str| word.starts_with('-') && !word.starts_with("--");
    let joined = rest.iter().filter(short).any(|word| {
        let letters =
            word.chars().skip(1).take_while(|c| !"AbcCdDeEFHKmoPQrTuUwxXyYz".contains(*c));
        letters.collect::<String>().contains('k')
    });
    let own = ["127.0.0.1", "localhost", "[::1]", "--resolve", "--connect-to", "://$"];
    (joined || rest.contains(&"--insecure"))
        && !rest
            .iter()
            .any(|word| word.starts_with('$') || own.iter().any(|part| word.contains(part)))
}
