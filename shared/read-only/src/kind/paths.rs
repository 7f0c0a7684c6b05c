//! Paths: whose content may be shown, and whose names.

use super::{Place, all, secrets, some};

/// System files that describe the machine and hold no secret.
const SYSTEM_FILES: [&str; 22] = [
    "/etc/alpine-release",
    "/etc/debian_version",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/lsb-release",
    "/etc/os-release",
    "/etc/redhat-release",
    "/etc/resolv.conf",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/mdstat",
    "/proc/meminfo",
    "/proc/net/dev",
    "/proc/net/tcp",
    "/proc/net/tcp6",
    "/proc/net/udp",
    "/proc/stat",
    "/proc/swaps",
    "/proc/uptime",
    "/proc/version",
];

/// Folders at the root of a server that hold files of its disks. Others are the kernel's, or a mount service fills them by
/// asking the host that the next part of the path names: `/net`, `/afs`, `/cvmfs`.
const ON_DISK: [&str; 17] = [
    "bin", "boot", "etc", "home", "lib", "lib32", "lib64", "media", "mnt", "opt", "root", "run",
    "sbin", "srv", "tmp", "usr", "var",
];

/// Server logs without `.log` in their names.
const SERVER_LOGS: [&str; 10] = [
    "/var/log/apache2/access_log",
    "/var/log/apache2/error_log",
    "/var/log/cron",
    "/var/log/dmesg",
    "/var/log/httpd/access_log",
    "/var/log/httpd/error_log",
    "/var/log/maillog",
    "/var/log/messages",
    "/var/log/secure",
    "/var/log/syslog",
];

/// Parts of the names of logs that hold secrets in the usual course of things: audit records spell arguments in
/// hexadecimal digits, in which nothing recognizes a secret, or hold whole requests, and a machine's first start prints
/// its passwords and user data.
const SECRET_LOGS: [&str; 8] = [
    "audit",
    "cloud-init",
    "user-data",
    "userdata",
    "startup-script",
    "installer/",
    "anaconda/",
    "sudo-io/",
];

pub(super) fn is_content(word: &str, place: Place) -> bool {
    if SYSTEM_FILES.contains(&word) {
        return true;
    }
    match place {
        // awk takes `name=value` for an assignment.
        Place::Sandbox | Place::Terminal => word != "." && !word.contains('=') && is_below(word),
        Place::Server => {
            let word = current(word);
            let log = word.strip_prefix("/var/log/");
            SERVER_LOGS.contains(&word)
                || log.is_some_and(|log| {
                    log.ends_with(".log")
                        && is_further(log)
                        && !SECRET_LOGS.iter().any(|part| log.to_ascii_lowercase().contains(part))
                })
        }
    }
}

/// The name of the log of which this is an older part: `syslog` for `syslog.1`. The same programs have written both.
fn current(log: &str) -> &str {
    let older = |end: &str| end.len() == 1 && end.bytes().all(|b| b.is_ascii_digit());
    log.rsplit_once('.').filter(|(_, end)| older(end)).map_or(log, |(name, _)| name)
}

pub(super) fn is_listing(word: &str, place: Place) -> bool {
    match (place, word.strip_prefix('/')) {
        (Place::Sandbox | Place::Terminal, None) => is_below(word),
        (Place::Server, Some(path)) => {
            let on_disk = path.split('/').next().is_some_and(|top| ON_DISK.contains(&top));
            path.is_empty() || (on_disk && is_further(path))
        }
        (Place::Server, None) => word == ".",
        (Place::Sandbox | Place::Terminal, Some(_)) => word == "/",
    }
}

/// Names of files with certificates are also those of keys, which a program for certificates refuses.
pub(super) fn is_certificate(word: &str) -> bool {
    let named = [".pem", ".crt", ".cer"].iter().any(|end| word.ends_with(end));
    let path = word.strip_prefix("/etc/").or_else(|| word.strip_prefix("/srv/"));
    named
        && path.is_some_and(|path| {
            all(path, "._/-") && path.split('/').all(|part| some(part) && !part.starts_with('.'))
        })
}

/// Whether a file's content would come from a server's logs, to which other programs on the server may write.
pub(crate) fn is_log(word: &str, place: Place) -> bool {
    place == Place::Server && !SYSTEM_FILES.contains(&word)
}

/// Whether a folder of a server is below a large one. Its name does not end in `/`, which would follow a link.
pub(super) fn is_small(word: &str) -> bool {
    let parts: Vec<&str> = word.split('/').skip(1).collect();
    let least = if parts.first() == Some(&"home") { 3 } else { 2 };
    parts.len() >= least && !word.ends_with('/')
}

/// Whether a path cannot leave the folder that it starts from, and names neither a hidden file nor a usual place of
/// secrets.
pub(super) fn is_below(word: &str) -> bool {
    let path = word.strip_prefix("./").unwrap_or(word);
    let path = path.strip_suffix('/').unwrap_or(path);
    word == "."
        // Some programs read further arguments from `@file`, and `tail` takes `+5c` for a position within a line.
        || (!word.starts_with(['-', '@', '+'])
            && all(path, "._/@:+=,% -")
            && path.split('/').all(|part| some(part) && !part.starts_with('.'))
            && !secrets::is_named_in(path))
}

/// The same for the rest of an absolute path, which `./` would only disguise: `/./proc` is `/proc`.
fn is_further(path: &str) -> bool {
    !path.starts_with('.') && is_below(path)
}
