//! Finds files that everyone may read or write, and connections that trust any server that answers.

use crate::bash::base;
use crate::check::error;
use crate::files::known;
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            let argv = command.argv();
            // The address may begin with a variable.
            let filled: Vec<String> = argv.iter().map(|word| known(word, &shell.script)).collect();
            let filled: Vec<&str> = filled.iter().map(String::as_str).collect();
            let insecure = "curl accepts any certificate here, so anyone can answer.".to_owned();
            let found = [opens(&argv), trusts(&filled).then_some(insecure)];
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

/// Folders in which each file is private.
const PRIVATE_FOLDERS: [&str; 7] = [
    "/.gnupg",
    "/.ssh",
    "/etc/letsencrypt/archive",
    "/etc/letsencrypt/live",
    "/etc/pki/tls/private",
    "/etc/ssl/private",
    "/etc/wireguard",
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
    let deep = argv.iter().any(|word| ["-R", "--recursive"].contains(word));
    let private = places.iter().find(|place| {
        let folder = place.trim_end_matches(['*', '/']);
        if deep && PRIVATE_FOLDERS.iter().any(|private| folder.ends_with(private)) {
            return true;
        }
        // Package managers call the public keys of their archives so, too.
        let key = place.ends_with(".key") && !place.contains("keyring") && !place.contains("apt");
        let named = key || PRIVATE.iter().any(|part| place.contains(part));
        named && !place.ends_with(".pub")
    });
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
        return Some(format!("With the mode {mode}, everyone on the machine may write here."));
    }
    let place = private.filter(|_| last.is_some_and(|digit| digit & 4 != 0) || grants('r'))?;
    Some(format!("With the mode {mode}, everyone on the machine may read `{place}`."))
}

/// Texts that turn off the check of who answers, in lower case, without quotes and with one space between words.
const TRUSTING: [&str; 50] = [
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
    "trusted=yes]",
    "strict-ssl false",
    "http.sslverify false",
    "http.sslverify=false",
    "insecure-skip-tls-verify",
    "--no-check-certificate",
    "node_tls_reject_unauthorized=0",
    "node_tls_reject_unauthorized: 0",
    "--allow-unauthenticated ",
    "allow_unauthenticated: true",
    "allow_unauthenticated: yes",
    "--trusted-host",
    "git_ssl_no_verify",
    "--insecure-tls",
    "--no-verify-ssl",
    "--nogpgcheck",
    "--no-gpg-check",
    "--skip-tls-verify",
    "--tls-verify=false",
    "--tls-skip-verify",
    "disable_gpg_check: true",
    "disable_gpg_check: yes",
    "gpgcheck=0",
    "gpgcheck: false",
    "gpgcheck: no",
    "insecure_skip_verify: true",
    "insecureskipverify: true",
    "insecureskipverify = true",
    "insecure_skip_verify = true",
    "tls_insecure_skip_verify",
    "proxy_ssl_verify off",
    "ssl verify none",
    "rejectunauthorized: false",
    "verify=false",
    "verify_ssl: false",
    "ssl_verify: false",
    "skip_tls_verify",
    "tls_insecure = true",
    "tlsskipverify: true",
    "ssl._create_unverified_context",
];

/// Connections that accept any server that answers.
fn unverified(unit: &Unit, findings: &mut Vec<Finding>) {
    for (at, line) in unit.text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let line = words.join(" ").to_lowercase().replace(['"', '\''], "") + " ";
        // `repo_gpgcheck` is about the list of packages, which HTTPS protects as well.
        let line = line.replace("repo_gpgcheck", "");
        if line.starts_with('#') {
            continue;
        }
        let found = TRUSTING.iter().find(|text| line.contains(**text)).map(|text| text.trim());
        // A public service of Google Cloud has this option.
        let found = found.filter(|text| *text != "--allow-unauthenticated" || line.contains("apt"));
        if let Some(found) = found {
            let said =
                format!("`{found}` accepts any server that answers: check the key or certificate.");
            findings.push(error(POLICY, said).at(None, at + 1));
        } else if in_plain(&line) {
            let said = "Without TLS, anyone along the way can read this connection: require it.";
            findings.push(error(POLICY, said).at(None, at + 1));
        }
    }
    for file in unit.written().filter(|file| file.path.ends_with(".service")) {
        for (at, line) in file.text.lines().enumerate() {
            let Some((_, run)) = line.split_once('=').filter(|_| line.starts_with("Exec")) else {
                continue;
            };
            let words: Vec<&str> =
                run.trim_start_matches(['-', '+', '!', '@']).split_whitespace().collect();
            let argv: Vec<&str> = words
                .iter()
                .enumerate()
                .map(|(at, word)| if at == 0 { base(word) } else { word })
                .collect();
            if trusts(&argv) {
                let said = "curl accepts any certificate here, so anyone can answer.";
                findings.push(error(POLICY, said).at(Some(&file.path), at + 1));
            }
        }
    }
}

/// Whether an address of a database on another machine turns TLS off.
fn in_plain(line: &str) -> bool {
    let Some((before, _)) = line.split_once("sslmode=disable") else { return false };
    let address = before.rsplit_once('@').or_else(|| before.rsplit_once("://"));
    let Some((_, host)) = address else { return false };
    let host = host.split([':', '/', '?']).next().unwrap_or(host);
    // A name without a dot is a service beside this one.
    host.contains('.') && !host.starts_with("127.") && !host.starts_with("10.")
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

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    #[test]
    fn who_answers_is_checked() {
        for text in [
            "restic --insecure-tls backup /srv",
            "cat >a.py <<'E'\nr = requests.get(url, verify=False)\nE",
            "cat >Caddyfile <<'E'\ntls_insecure_skip_verify\nE",
            "cat >/etc/haproxy/haproxy.cfg <<'E'\n    server a 10.0.0.2:443 ssl verify none check\nE",
            "cat >/etc/yum.repos.d/a.repo <<'E'\ngpgcheck=0\nE",
            "export DATABASE_URL=\"postgres://shop@db.example.org/shop?sslmode=disable\"",
            "ENV DATABASE_URL=postgres://db.example.org:5432/shop?sslmode=disable",
            "api=https://api.example.org\nget() { curl -ks \"$@\"; }\nget \"$api/v1\"",
            "cat >/etc/systemd/system/a.service <<'E'\n[Service]\nExecStart=/usr/bin/curl -fsk https://a.example.org\nE",
            "aws s3 ls --no-verify-ssl",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "cat >/etc/yum.repos.d/a.repo <<'E'\ngpgcheck=1\nrepo_gpgcheck=0\nE",
            "export DATABASE_URL=\"postgres://shop@db/shop?sslmode=disable\"",
            "export DATABASE_URL=\"postgres://shop@db.example.org/shop?sslmode=verify-full\"",
            "cat >/etc/systemd/system/a.service <<'E'\n[Service]\nExecStart=/usr/bin/curl -fsS https://a.example.org\nE",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
