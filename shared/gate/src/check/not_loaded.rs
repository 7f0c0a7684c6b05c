//! Finds settings that take effect only through a separate command: kernel parameters that nothing loads, rules of a
//! firewall that nothing switches on, sites that nothing links to where the server reads them, and services of Compose
//! that nothing starts.

use super::{FILES, error, task_documents, tasks};
use crate::Unit;
use crate::placed::placed;
use crate::places::is_compose;
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    if texts.iter().any(|text| text.contains("reboot")) {
        return;
    }
    let argvs: Vec<(usize, Option<&str>, Vec<&str>)> = unit
        .everywhere()
        .flat_map(|shell| {
            let of = move |command: &'_ crate::bash::Command| {
                (command.line + shell.offset, shell.file.as_deref())
            };
            shell.script.commands.iter().map(move |it| {
                let (line, file) = of(it);
                (line, file, it.argv())
            })
        })
        .collect();
    renewals(unit, &argvs, &texts, findings);
    kernel(unit, &argvs, &texts, findings);
    tables(unit, &texts, findings);
    sites(unit, &texts, findings);
    firewall(&argvs, &texts, findings);
    containers(unit, &argvs, &texts, findings);
}

type Argvs<'a> = [(usize, Option<&'a str>, Vec<&'a str>)];

/// Options of certbot with a command that runs once a certificate is there.
const HOOKS: [&str; 3] = ["--deploy-hook", "--post-hook", "--renew-hook"];

/// Certificates that a service uses without reading them again once they are renewed.
fn renewals(unit: &Unit, argvs: &Argvs, texts: &[&str], findings: &mut Vec<Finding>) {
    let used = unit.written().any(|file| file.text.contains("/etc/letsencrypt/live/"));
    let elsewhere = ["renewal-hooks", "certbot renew", "cli.ini", "--installer"];
    let elsewhere = texts.iter().any(|text| elsewhere.iter().any(|sign| text.contains(sign)));
    for (line, file, argv) in argvs.iter().filter(|(.., argv)| argv.first() == Some(&"certbot")) {
        let next = argv.windows(2).find(|two| HOOKS.contains(&two[0])).map(|two| two[1]);
        let joined = argv.iter().filter_map(|word| word.split_once('='));
        let joined = joined.filter(|(name, _)| HOOKS.contains(name)).map(|(_, hook)| hook).next();
        let message = match next.or(joined) {
            Some(hook) => {
                let again =
                    ["reload", "restart", "HUP", "/"].iter().any(|sign| hook.contains(sign));
                let idle = hook.contains("systemctl") && !again;
                idle.then_some("This hook does not make the service read the new certificate.")
            }
            None => {
                let alone = argv.contains(&"certonly") && !argv.contains(&"--nginx");
                (alone && used && !elsewhere).then_some(
                    "Nothing makes the service read the renewed certificate: add `--deploy-hook`.",
                )
            }
        };
        if let Some(message) = message {
            findings.push(error(FILES, message).at(*file, *line));
        }
    }
}

/// Kernel parameters in a file that nothing loads.
fn kernel(unit: &Unit, argvs: &Argvs, texts: &[&str], findings: &mut Vec<Finding>) {
    let loads = argvs.iter().any(|(.., argv)| match argv.as_slice() {
        ["sysctl", rest @ ..] => rest.iter().any(|word| {
            ["-p", "--load", "--system", "-w", "-f"].iter().any(|option| word.starts_with(option))
                || word.contains('=')
        }),
        ["systemctl" | "service", rest @ ..] => {
            rest.iter().any(|word| word.contains("sysctl") || word.contains("procps"))
        }
        _ => false,
    });
    let other =
        ["sysctl_set", "posix.sysctl", "sysctl:", "systemd-sysctl", "sysctl -p", "sysctl --"];
    let other = texts.iter().any(|text| other.iter().any(|sign| text.contains(sign)));
    // An image or a first boot reads them when it starts.
    let starts = texts.iter().any(|text| text.contains("#cloud-config") || text.contains("chroot"));
    if loads || other || starts {
        return;
    }
    for one in placed(unit) {
        let own = unit.written().any(|own| own.path == one.source.path);
        if own && one.copy.path.starts_with("/etc/sysctl.") {
            let message =
                "Nothing loads these parameters before the next boot: run `sysctl --system`.";
            findings.push(error(FILES, message).at(Some(&one.source.path), 1));
            return;
        }
    }
}

/// Files that wait for a program, by the beginning of their path, and how it is named.
const TABLES: [(&str, &[&str]); 9] = [
    ("/etc/aliases", &["newaliases", "postalias"]),
    ("/etc/apt/sources.list.d/", &["apt update", "apt-get update", "update_cache", "apt-get -q"]),
    ("/etc/ld.so.conf.d/", &["ldconfig"]),
    ("/etc/modules-load.d/", &["modprobe", "systemd-modules-load"]),
    ("/etc/sysusers.d/", &["systemd-sysusers"]),
    ("/etc/tmpfiles.d/", &["systemd-tmpfiles"]),
    ("/etc/udev/rules.d/", &["udevadm"]),
    ("/usr/local/share/ca-certificates/", &["update-ca-certificates"]),
    ("/etc/pki/ca-trust/source/anchors/", &["update-ca-trust"]),
];

/// Files that no program has read, and tables of Postfix that nothing compiles.
fn tables(unit: &Unit, texts: &[&str], findings: &mut Vec<Finding>) {
    let says = |words: &[&str]| words.iter().any(|word| texts.iter().any(|it| it.contains(word)));
    if says(&["#cloud-config", "chroot", "packages:"]) {
        return;
    }
    for one in placed(unit).iter().filter(|one| !unit.is_embedded(one.source)) {
        let own = unit.written().any(|own| own.path == one.source.path);
        let path = one.copy.path.as_str();
        let waits = TABLES.iter().find(|(begin, _)| path.starts_with(begin));
        let compiled = path.starts_with("/etc/postfix/")
            && ["hash:", "lmdb:", "btree:"].iter().any(|kind| says(&[&format!("{kind}{path}")]));
        let words = waits.map(|(_, words)| *words).or(compiled.then_some(&["postmap"][..]));
        let Some(words) = words.filter(|words| own && !says(words)) else { continue };
        let message = format!("Nothing makes the system read this: run `{}`.", words[0]);
        findings.push(error(FILES, message).at(Some(&one.source.path), 1));
    }
}

/// Folders of sites that wait, and the folder and the program that enable them.
const WAITING: [(&str, &str, &str); 4] = [
    ("/etc/nginx/sites-available/", "sites-enabled", "nginx_modsite"),
    ("/etc/apache2/sites-available/", "sites-enabled", "a2ensite"),
    ("/etc/apache2/conf-available/", "conf-enabled", "a2enconf"),
    ("/etc/apache2/mods-available/", "mods-enabled", "a2enmod"),
];

/// Sites that nothing links to where the server reads them.
fn sites(unit: &Unit, texts: &[&str], findings: &mut Vec<Finding>) {
    for one in placed(unit) {
        let own = unit.written().any(|own| own.path == one.source.path);
        let waits = WAITING.iter().find(|(place, ..)| one.copy.path.starts_with(place));
        let Some((_, folder, program)) = waits.filter(|_| own) else { continue };
        let name = one.copy.name();
        let lines = texts.iter().flat_map(|text| text.lines());
        let mut lines = lines.filter(|line| !line.trim().starts_with('#'));
        let links = lines.any(|line| {
            let removes = line.contains("rm ") && !line.contains("ln ");
            // Where the site of the package goes, a file of its own has other reasons.
            let enables =
                line.contains(folder) && !removes && !line.trim_end().ends_with("/default");
            enables || line.contains(program)
        });
        if !links && name != "default" {
            let message = format!("Nothing links this to {folder}, where the server reads it.");
            findings.push(error(FILES, message).at(Some(&one.source.path), 1));
            return;
        }
    }
}

/// Rules of `ufw` that nothing switches on.
fn firewall(argvs: &Argvs, texts: &[&str], findings: &mut Vec<Finding>) {
    let sets = argvs.iter().find(|(.., argv)| argv.starts_with(&["ufw", "default", "deny"]));
    let on = argvs.iter().any(|(.., argv)| {
        argv.first() == Some(&"ufw") && argv.iter().any(|word| ["enable", "reload"].contains(word))
    });
    let on = on
        || texts
            .iter()
            .any(|text| text.contains("ufw --force enable") || text.contains("enable ufw"));
    if let Some((line, file, _)) = sets.filter(|_| !on) {
        let message = "Nothing turns on the firewall: run `ufw --force enable`.";
        findings.push(error(FILES, message).at(*file, *line));
    }
}

/// Subcommands of Compose that make containers from its file, and those that need such containers.
const STARTING: [&str; 4] = ["create", "run", "up", "watch"];
const NEEDING: [&str; 9] =
    ["exec", "logs", "port", "ps", "restart", "start", "stats", "top", "wait"];

/// A Compose file whose services the script uses and nothing starts.
fn containers(unit: &Unit, argvs: &Argvs, texts: &[&str], findings: &mut Vec<Finding>) {
    let of = |argv: &[&str], verbs: &[&str]| {
        let compose = match argv {
            ["docker" | "podman", rest @ ..] => rest.contains(&"compose"),
            ["docker-compose" | "podman-compose", ..] => true,
            _ => false,
        };
        // A separate container, without those on which it depends, is only a test.
        let alone = argv.contains(&"run") && argv.contains(&"--no-deps");
        compose && !alone && argv.iter().any(|word| verbs.contains(word))
    };
    let starts = argvs.iter().any(|(.., argv)| of(argv, &STARTING));
    let other = ["compose up", "compose_v2", "docker_compose", "stack deploy", "compose\", \"up"];
    let other = texts.iter().any(|text| other.iter().any(|sign| text.contains(sign)));
    let tasked = unit.written().any(|file| {
        let documents = task_documents(file).unwrap_or_default();
        !tasks(&documents, file).is_empty()
    });
    let first = unit.files.iter().find(|file| is_compose(file));
    let Some(file) = first.filter(|_| !starts && !other && !tasked) else { return };
    let published = |word: &str| {
        let rest = word.split_once("://").map(|(_, rest)| rest).unwrap_or_default();
        let place = rest.split(['/', '"']).next().unwrap_or_default();
        let port = place.split_once(':').map_or("80", |(_, port)| port);
        ["127.0.0.1", "localhost"].iter().any(|host| place.starts_with(host))
            && port.parse::<u16>().is_ok()
            && file.text.contains(&format!("{port}:"))
    };
    let used = argvs.iter().find(|(line, place, argv)| {
        let asks = ["curl", "wget"].iter().any(|it| argv.first() == Some(it))
            && argv.iter().any(|word| published(word));
        place.is_none() && *line > file.line && (of(argv, &NEEDING) || asks)
    });
    if let Some((line, place, _)) = used {
        let message =
            "Nothing starts the services of the Compose file: run `docker compose up --detach`.";
        findings.push(error(FILES, message).at(*place, *line));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn settings_are_switched_on() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let kernel = "cat >/etc/sysctl.d/60-a.conf <<'E'\nvm.swappiness = 10\nE\n";
        let site = "cat >a.conf <<'E'\nE\nscp a.conf b:/etc/nginx/sites-available/a\n";
        let rules = "ufw default deny incoming\nufw allow 443/tcp\n";
        let compose = "cat >compose.yaml <<'E'\nservices:\n  a:\n    image: a:1\n    ports: [\"127.0.0.1:8080:80\"]\nE\n";
        let certificate = "cat >/etc/nginx/conf.d/a.conf <<'E'\nssl_certificate /etc/letsencrypt/live/a/fullchain.pem;\nE\ncertbot certonly --webroot -w /a -d a";
        for (text, count) in [
            (format!("{certificate}\n"), 1),
            (format!("{certificate} --deploy-hook 'systemctl status nginx'\n"), 1),
            (format!("{certificate} --deploy-hook 'systemctl reload nginx'\n"), 0),
            ("certbot certonly --webroot -w /a -d a\n".to_owned(), 0),
            (kernel.to_owned(), 1),
            (format!("{kernel}sysctl -a\n"), 1),
            (format!("{kernel}sysctl --system\n"), 0),
            (format!("{kernel}sysctl -p /etc/sysctl.d/60-a.conf\n"), 0),
            (format!("{kernel}systemctl restart systemd-sysctl\n"), 0),
            (format!("{kernel}reboot\n"), 0),
            (format!("{site}ssh b 'rm -f /etc/nginx/sites-enabled/default'\n"), 1),
            (format!("{site}ssh b 'ln -s ../sites-available/a /etc/nginx/sites-enabled/a'\n"), 0),
            ("cat >/etc/udev/rules.d/a.rules <<'E'\nE\n".to_owned(), 1),
            ("cat >/etc/udev/rules.d/a.rules <<'E'\nE\nudevadm control --reload\n".to_owned(), 0),
            ("cat >/etc/postfix/main.cf <<'E'\na = hash:/etc/postfix/b\nE\ncat >/etc/postfix/b <<'E'\nE\n".to_owned(), 1),
            ("cat >/etc/postfix/b <<'E'\nE\n".to_owned(), 0),
            (format!("{compose}docker compose restart\n"), 1),
            (rules.to_owned(), 1),
            (format!("{rules}ufw --force enable\n"), 0),
            ("ufw allow 443/tcp\n".to_owned(), 0),
            (compose.to_owned(), 0),
            (format!("{compose}docker compose ps\n"), 1),
            (format!("{compose}curl -fsS http://127.0.0.1:8080/\n"), 1),
            (format!("{compose}curl -fsS http://127.0.0.1:9000/\n"), 0),
            (
                format!(
                    "{compose}docker compose run --no-deps a b\ncurl -fsS http://127.0.0.1:8080/\n"
                ),
                1,
            ),
            (format!("{compose}docker compose up -d --wait\ndocker compose ps\n"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
