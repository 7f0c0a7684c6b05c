//! Checks what units of systemd, HAProxy and nginx say in more than one place: a socket and its template, a unit and what
//! enables it, a listener and its certificate.

use super::config::{UNITS, is_haproxy, kind};
use super::spelling::nearest;
use super::{FILES, error};
use crate::placed::placed;
use crate::{Unit, Written};
use domain::gate::Finding;

type Mistakes = Vec<(usize, String)>;

/// The targets that units usually belong to.
const TARGETS: [&str; 16] = [
    "basic.target",
    "default.target",
    "getty.target",
    "graphical.target",
    "halt.target",
    "local-fs.target",
    "multi-user.target",
    "network-online.target",
    "network-pre.target",
    "network.target",
    "remote-fs.target",
    "rescue.target",
    "shutdown.target",
    "sockets.target",
    "sysinit.target",
    "timers.target",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> = unit.written().collect();
    let placed = placed(unit);
    let placed: Vec<&Written> = placed.iter().map(|one| &one.copy).collect();
    for file in &all {
        let found = [targets(file), accepts(file, &all), haproxy(file), rates(file)];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let line = command.line + shell.offset;
            let argv = command.argv();
            if let Some(message) = loads(&argv, &placed) {
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Names that are almost a target's.
fn targets(file: &Written) -> Mistakes {
    if !UNITS.contains(&kind(file).as_str()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let Some((key, value)) = line.split_once('=') else { continue };
        if !["WantedBy", "RequiredBy", "After", "Before", "Wants", "Requires"].contains(&key.trim())
        {
            continue;
        }
        for name in value.split_whitespace().filter(|name| name.ends_with(".target")) {
            if let Some(near) = nearest(name, &TARGETS).filter(|_| !TARGETS.contains(&name)) {
                found.push((at + 1, format!("systemd has no `{name}`, but it has `{near}`.")));
            }
        }
    }
    found
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A socket that starts a service for each connection needs a template of that service.
fn accepts(file: &Written, all: &[&Written]) -> Mistakes {
    let accepts = |line: &str| matches!(line.trim(), "Accept=yes" | "Accept=true");
    let at = file.text.lines().position(accepts);
    let Some(at) = at.filter(|_| kind(file) == "socket" && !file.text.contains("Service=")) else {
        return Vec::new();
    };
    let name = stem(file.name());
    let has = |wanted: String| all.iter().any(|other| other.name() == wanted);
    let lacks = has(format!("{name}.service")) && !has(format!("{name}@.service"));
    let message = format!(
        "With this, the socket starts `{name}@.service` for each connection, which is not there."
    );
    lacks.then_some((at + 1, message)).into_iter().collect()
}

/// `sysctl -p` reads one file, which is /etc/sysctl.conf unless another one is named.
fn loads(argv: &[&str], all: &[&Written]) -> Option<String> {
    let alone = argv == ["sysctl", "-p"] || argv == ["sysctl", "--load"];
    let other = all.iter().find(|file| file.path.starts_with("/etc/sysctl.d/"))?;
    alone.then(|| format!("This does not load {}: `sysctl --system` does.", other.path))
}

/// Times without a unit, listeners without a certificate, and a redirect to where the visitor already is.
fn haproxy(file: &Written) -> Mistakes {
    if !is_haproxy(file) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let code = words.iter().take_while(|word| !word.starts_with('#'));
        let open = code.fold(0_i32, |open, word| match *word {
            "{" | "!{" => open + 1,
            "}" => open - 1,
            _ => open,
        });
        let asks = words.contains(&"if") || words.contains(&"unless");
        let code = words.iter().take_while(|word| !word.starts_with('#'));
        let tight = code.filter(|word| word.len() > 1).any(|word| {
            let open = word.starts_with('{') || (word.starts_with("!{") && *word != "!{");
            open || (word.ends_with('}') && !word.contains(['%', '$', '[']))
        });
        let plain =
            !line.contains(['"', '\'', '$', '\\']) && !line.contains("{{") && !line.contains("{%");
        if (open != 0 && !line.contains(['"', '\''])) || (asks && tight && plain) {
            let message =
                "A condition in braces needs both of them, with spaces around them: `{ … }`.";
            found.push((at + 1, message.to_owned()));
        }
        match words.as_slice() {
            ["acl", name] | ["acl", name, "#", ..] => {
                found.push((at + 1, format!("The condition `{name}` tests nothing.")));
            }
            ["timeout", name, value, ..] => {
                let short = value.parse::<u32>().is_ok_and(|value| value > 0 && value < SHORTEST);
                if short {
                    let message =
                        format!("`timeout {name} {value}` is {value} milliseconds: name the unit.");
                    found.push((at + 1, message));
                }
            }
            ["use_backend" | "use-server", name, word, ..]
                if !["if", "unless"].contains(word) && !word.starts_with('#') =>
            {
                let message = format!(
                    "A condition of HAProxy begins with `if` or `unless`: `{name} {word}`."
                );
                found.push((at + 1, message));
            }
            ["bind", _, rest @ ..]
                if rest.contains(&"ssl")
                    && !rest.iter().any(|word| CERTIFICATES.contains(word)) =>
            {
                let message = "A listener with `ssl` needs a certificate: `crt`.";
                found.push((at + 1, message.to_owned()));
            }
            _ if line.contains("redirect scheme https") && line.contains("if { ssl_fc }") => {
                found.push((
                    at + 1,
                    "This redirects only visitors who use HTTPS already.".to_owned(),
                ));
            }
            _ => {}
        }
    }
    found
}

/// Words of HAProxy that name the certificates of a listener.
const CERTIFICATES: [&str; 3] = ["crt", "crt-list", "strict-sni"];

/// The shortest time that an author may mean in milliseconds.
const SHORTEST: u32 = 500;

/// nginx limits requests per second or per minute.
fn rates(file: &Written) -> Mistakes {
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let line = line.trim();
        let Some((_, rate)) =
            line.split_once(" rate=").filter(|_| line.starts_with("limit_req_zone"))
        else {
            continue;
        };
        let rate = rate.split([' ', ';']).next().unwrap_or_default();
        if !rate.contains(['$', '{', 'x']) && !rate.ends_with("r/s") && !rate.ends_with("r/m") {
            found.push((at + 1, format!("nginx needs a rate such as `10r/s`, not `{rate}`.")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn conditions_of_haproxy_stand_alone() {
        let said = |line: &str| {
            let text = format!("cat >haproxy.cfg <<'E'\nfrontend a\n    {line}\nE\n");
            crate::testing::said(super::examine, &text).len()
        };
        for (line, count) in [
            ("http-request redirect scheme https unless {ssl_fc}", 1),
            ("http-request redirect scheme https unless { ssl_fc}", 1),
            ("http-request deny if !{ src 10.0.0.0/8 }", 0),
            ("http-request redirect scheme https unless { ssl_fc }", 0),
            ("use_backend b if { path_beg /b/ } { src 10.0.0.0/8 }", 0),
            ("use_backend api when is_api", 1),
            ("use_backend api unless is_old", 0),
        ] {
            assert_eq!(said(line), count, "{line}");
        }
    }
}
