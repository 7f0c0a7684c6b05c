//! Finds secrets that a second run would replace, while databases and peers still use the first ones.

use crate::Unit;

/// Commands that make a secret and print it.
const MAKERS: [&str; 6] =
    ["openssl rand", "wg genkey", "wg genpsk", "pwgen ", "apg ", "openssl genpkey"];
/// What a script says if it keeps what is there in another way.
const KEEPS: [&str; 5] = ["--ignore-existing", "noclobber", "set -C", "cp -n", "mv -n"];

/// The lines that put a new secret into a file which the script never looks for, each with the file.
pub(super) fn secrets(unit: &Unit) -> Vec<(usize, String)> {
    let text = unit.text;
    if KEEPS.iter().any(|sign| text.contains(sign)) {
        return Vec::new();
    }
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(at, line)| {
            let file = made(line)?;
            (!is_scratch(text, file) && !is_sought(text, file)).then(|| (at + 1, file.to_owned()))
        })
        .collect()
}

/// The file into which a line puts what such a command prints.
fn made(line: &str) -> Option<&str> {
    if line.trim_start().starts_with('#') {
        return None;
    }
    let after = MAKERS.iter().find_map(|maker| line.split_once(maker)).map(|(_, after)| after)?;
    let (before, target) = after.split_once('>')?;
    if before.ends_with(['2', '&']) || before.contains(')') || target.starts_with(['>', '&', '(']) {
        return None;
    }
    let target = target.trim_start_matches(['|', ' ']);
    let end = target.find([' ', ';', ')', '&', '|']).unwrap_or(target.len());
    let file = target[..end].trim_matches(['"', '\'']);
    (!file.is_empty()).then_some(file)
}

/// Whether a file is for this run only.
fn is_scratch(text: &str, file: &str) -> bool {
    let first = file.split('/').next().unwrap_or_default();
    let name = first.trim_start_matches('$').trim_matches(['{', '}']);
    file.starts_with("/tmp/")
        || file.starts_with("/dev/")
        || file.starts_with("/run/")
        || (first.starts_with('$') && text.contains(&format!("{name}=$(mktemp")))
        || (first.starts_with('$') && text.contains(&format!("{name}=\"$(mktemp")))
}

/// Whether the script asks for a file before it makes it.
fn is_sought(text: &str, file: &str) -> bool {
    const TESTS: [&str; 7] = ["-s ", "-f ", "-e ", "-r ", "-d ", "creates", "test "];
    let name = file.rsplit('/').next().unwrap_or(file);
    // A file that gets its name once it is complete: `key.new`
    let name = ["new", "tmp", "part"]
        .iter()
        .find_map(|end| name.strip_suffix(end)?.strip_suffix('.'))
        .unwrap_or(name);
    text.lines().any(|line| {
        TESTS.iter().any(|test| {
            line.split_once(test).is_some_and(|(_, rest)| {
                let sought = rest.split(['|', ';', '>']).next().unwrap_or_default();
                sought.contains(name)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(crate::policy::destroy::examine, text).len()
    }

    #[test]
    fn a_secret_that_exists_stays() {
        for text in [
            "openssl rand -hex 24 > secrets/db_password\n",
            "( umask 077; wg genkey > /etc/wireguard/server.key )\n",
            "openssl rand -base64 30 | tr -d '/+=\\n' >\"secrets/$name\"\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "[ -s secrets/db_password ] || openssl rand -hex 24 > secrets/db_password\n",
            "if [[ ! -f $keys/a.key ]]; then\n  wg genkey >\"$keys/a.key\"\nfi\n",
            "stage=$(mktemp -d)\nopenssl rand -hex 24 > \"$stage/password\"\n",
            "token=$(openssl rand -hex 24)\n",
            "[ -s a/$s ] || { openssl rand -hex 24 > a/$s.new && mv a/$s.new a/$s; }\n",
            "openssl rand -hex 24 | docker secret create db -\n",
            "openssl rand -hex 24 >/dev/null\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
