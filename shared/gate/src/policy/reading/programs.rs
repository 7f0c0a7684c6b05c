//! Finds the programs that change something, by the words with which they do so.

use super::containers::{cluster, compose, containers};
use crate::bash::Command;

/// Options with which a program only reports what it would do.
const DRY: [&str; 12] = [
    "--check",
    "--dry-run",
    "--help",
    "--just-print",
    "--list-hosts",
    "--list-tags",
    "--list-tasks",
    "--no-act",
    "--noop",
    "--simulate",
    "--syntax-check",
    "--version",
];

/// Actions on a service.
const ACTS: [&str; 9] = [
    "start",
    "stop",
    "restart",
    "reload",
    "try-restart",
    "condrestart",
    "force-reload",
    "graceful",
    "reload-or-restart",
];

/// What systemctl changes besides these.
const UNITS: [&str; 18] = [
    "enable",
    "disable",
    "reenable",
    "mask",
    "unmask",
    "daemon-reload",
    "daemon-reexec",
    "edit",
    "isolate",
    "kill",
    "link",
    "preset",
    "reboot",
    "poweroff",
    "halt",
    "reset-failed",
    "revert",
    "set-property",
];

/// Programs that start and stop services.
const MANAGERS: [&str; 8] = [
    "apache2ctl",
    "apachectl",
    "initctl",
    "pg_ctl",
    "pg_ctlcluster",
    "pm2",
    "rc-service",
    "supervisorctl",
];

/// Programs that only change things.
const CHANGERS: [&str; 25] = [
    "adduser",
    "addgroup",
    "chpasswd",
    "createdb",
    "createuser",
    "deluser",
    "dpkg-reconfigure",
    "dropuser",
    "groupadd",
    "groupdel",
    "groupmod",
    "halt",
    "modprobe",
    "passwd",
    "pkill",
    "killall",
    "poweroff",
    "reboot",
    "shutdown",
    "swapoff",
    "swapon",
    "systemd-run",
    "useradd",
    "userdel",
    "usermod",
];

/// Ansible modules with which a single Ansible command changes something.
const MODULES: [&str; 20] = [
    "apt",
    "blockinfile",
    "copy",
    "cron",
    "dnf",
    "file",
    "get_url",
    "group",
    "hostname",
    "lineinfile",
    "package",
    "pip",
    "reboot",
    "replace",
    "service",
    "systemd",
    "systemd_service",
    "template",
    "unarchive",
    "user",
];

/// What a command changes.
pub(super) fn acts(command: &Command) -> Option<String> {
    let mut argv = command.argv();
    if argv.first() == Some(&"k3s") && argv.get(1) == Some(&"kubectl") {
        argv.remove(0);
    }
    let (program, rest) = argv.split_first()?;
    if rest.iter().any(|word| DRY.contains(word) || word.starts_with("--dry-run=")) {
        return None;
    }
    let has = |words: &[&str]| rest.iter().any(|word| words.contains(word));
    let is_plain = |word: &&&str| !word.starts_with('-') || **word == "-";
    let plain: Vec<&str> = rest.iter().filter(is_plain).copied().collect();
    let first = plain.first().copied().unwrap_or_default();
    let second = plain.get(1).copied().unwrap_or_default();
    let hint = match *program {
        // A program of the workspace or of the system, such as `./orders/control.sh restart`.
        _ if is_own(command) && ACTS.contains(&first) => Some(" changes what runs"),
        "ansible-playbook" => (!has(&["-C", "-h"]))
            .then_some(" runs the playbook for real (read with `--check --diff`)"),
        "ansible" => (!has(&["-C"]) && module(rest)).then_some(" changes the server"),
        "terraform" | "tofu" => terraform(&plain, rest).then_some(TERRAFORM),
        "systemctl" => {
            let all = ACTS.iter().chain(&UNITS);
            all.into_iter().any(|one| *one == first).then_some(" changes what the system runs")
        }
        "service" => ACTS.contains(&second).then_some(" changes what the system runs"),
        "nginx" => has(&["-s"]).then_some(" changes what nginx does"),
        name if MANAGERS.contains(&name) => {
            plain.iter().any(|word| ACTS.contains(word)).then_some(" changes what the system runs")
        }
        "apt" | "apt-get" | "aptitude" | "dnf" | "yum" | "apk" | "snap" => {
            (!has(&["-s"]) && packages(first)).then_some(" changes what is installed")
        }
        "dpkg" => has(&["-i", "--install", "-r", "--remove", "-P", "--purge", "--configure"])
            .then_some(" changes what is installed"),
        "docker" | "podman" => containers(rest).then_some(" changes what runs in containers"),
        "docker-compose" => compose(rest).then_some(" changes what runs in containers"),
        "kubectl" | "oc" => cluster(rest).then_some(" changes what the cluster holds"),
        "helm" => ["install", "upgrade", "uninstall", "delete", "rollback"]
            .contains(&first)
            .then_some(" changes what the cluster holds"),
        "ufw" | "iptables" | "ip6tables" | "nft" => {
            firewall(program, first, rest).then_some(" changes the firewall")
        }
        "sysctl" => (has(&["-w", "--write", "-p", "--load", "--system"])
            || plain.iter().any(|word| word.contains('=')))
        .then_some(" changes the kernel's parameters"),
        "ip" => plain
            .iter()
            .any(|word| {
                ["add", "del", "delete", "set", "flush", "replace", "change"].contains(word)
            })
            .then_some(" changes the network"),
        "crontab" => (!has(&["-l"])).then_some(" changes what runs on a schedule"),
        "certbot" => ["certonly", "renew", "run", "delete", "revoke", "install", "enhance"]
            .contains(&first)
            .then_some(" changes certificates (`renew --dry-run` changes none)"),
        "hostnamectl" | "timedatectl" | "localectl" => {
            first.starts_with("set-").then_some(" changes the system's settings")
        }
        "redis-cli" => redis(&plain).then_some(" changes what Redis holds or how it runs"),
        "aws" => amazon(&plain).then_some(" changes what is in AWS"),
        "az" | "doctl" | "gcloud" | "hcloud" | "heroku" | "oci" | "scw" => plain
            .iter()
            .skip(1)
            .any(|word| CLOUD.contains(word))
            .then_some(" changes what is there"),
        "curl" => sends(rest).then_some(" changes what it asks"),
        "dropdb" => {
            (!plain.last().is_some_and(|name| is_copy(name))).then_some(" takes a database away")
        }
        name if CHANGERS.contains(&name) => Some(" changes the system"),
        name if name.starts_with("mkfs") => Some(" changes the system"),
        _ => None,
    };
    let whole = argv.iter().take(4).copied().collect::<Vec<_>>().join(" ");
    hint.map(|hint| format!("`{whole}`{hint}"))
}

/// What `terraform` changes, and how to read it instead.
const TERRAFORM: &str = " changes what Terraform describes or knows (read with \
    `plan -detailed-exitcode -lock=false`)";

/// Whether a single Ansible command runs a module that changes something.
fn module(rest: &[&str]) -> bool {
    let module = after(rest, &["-m", "--module-name"]).unwrap_or_default();
    MODULES.contains(&module.rsplit('.').next().unwrap_or(module))
}

/// Whether a command changes the rules of a firewall. `first` is its first word that is not an option.
fn firewall(program: &str, first: &str, rest: &[&str]) -> bool {
    match program {
        "ufw" => !["status", "show", "version", "app", ""].contains(&first),
        "nft" => {
            let verbs =
                ["add", "create", "delete", "destroy", "flush", "insert", "replace", "reset"];
            verbs.contains(&first) || rest.iter().any(|word| ["-f", "--file"].contains(word))
        }
        _ => rest.iter().filter(|word| word.starts_with('-')).any(|word| {
            word.trim_start_matches('-').starts_with(['A', 'D', 'F', 'I', 'N', 'P', 'R', 'X', 'Z'])
        }),
    }
}

/// Whether `curl` sends what changes something.
fn sends(rest: &[&str]) -> bool {
    let method = after(rest, &["-X", "--request"]).unwrap_or_default();
    ["PUT", "PATCH", "DELETE"].contains(&method)
}

/// Whether a database is a test copy, or may be one.
fn is_copy(name: &str) -> bool {
    name.contains('$') || super::names_a_copy(&name.to_uppercase())
}

/// Verbs of the clouds' own programs.
const CLOUD: [&str; 14] = [
    "add", "attach", "create", "delete", "detach", "disable", "enable", "reboot", "remove",
    "reset", "resize", "set", "start", "stop",
];

/// Whether a program is named by a path below the script's folder.
fn is_own(command: &Command) -> bool {
    let named =
        |text: &str| text.starts_with("./") || (text.contains('/') && text.ends_with(".sh"));
    command.words.iter().any(|word| named(&word.text) || word.text.starts_with("/etc/init.d/"))
}

/// The value of an option.
fn after<'a>(rest: &[&'a str], names: &[&str]) -> Option<&'a str> {
    rest.windows(2).find(|pair| names.contains(&pair[0])).map(|pair| pair[1])
}

fn terraform(plain: &[&str], rest: &[&str]) -> bool {
    let saves = |word: &&str| {
        let out = word.trim_start_matches('-').strip_prefix("out=");
        word.starts_with('-') && out.is_some_and(|path| !path.contains('$'))
    };
    match plain {
        ["apply" | "destroy" | "import" | "refresh" | "taint" | "untaint" | "force-unlock", ..] => {
            true
        }
        ["state", "rm" | "mv" | "push" | "replace-provider", ..] => true,
        ["workspace", "new" | "delete", ..] => true,
        ["plan", ..] => rest.iter().any(saves),
        _ => false,
    }
}

fn packages(verb: &str) -> bool {
    let verbs = [
        "add",
        "autoclean",
        "autoremove",
        "clean",
        "del",
        "dist-upgrade",
        "full-upgrade",
        "install",
        "purge",
        "refresh",
        "remove",
        "update",
        "upgrade",
    ];
    verbs.contains(&verb)
}

fn redis(plain: &[&str]) -> bool {
    let lower: Vec<String> = plain.iter().map(|word| word.to_lowercase()).collect();
    let says = |word: &str| lower.iter().any(|one| one == word);
    ["flushall", "flushdb", "shutdown", "replicaof", "failover"].iter().any(|word| says(word))
        || (says("config") && (says("set") || says("rewrite")))
}

fn amazon(plain: &[&str]) -> bool {
    let verbs = [
        "associate-",
        "attach-",
        "authorize-",
        "create-",
        "delete-",
        "deregister-",
        "detach-",
        "disable-",
        "disassociate-",
        "enable-",
        "import-",
        "invoke",
        "modify-",
        "put-",
        "reboot-",
        "register-",
        "release-",
        "restore-",
        "revoke-",
        "run-",
        "send-",
        "start-",
        "stop-",
        "tag-",
        "terminate-",
        "untag-",
        "update-",
    ];
    match plain {
        ["s3", "mb" | "mv" | "rb" | "rm" | "sync", ..] => true,
        ["s3", "cp", ..] => plain.last().is_some_and(|to| to.starts_with("s3://")),
        // Queries that take two calls.
        ["logs" | "athena", "start-query" | "start-query-execution", ..] => false,
        [_, verb, ..] => verbs.iter().any(|one| verb.starts_with(one)),
        _ => false,
    }
}
