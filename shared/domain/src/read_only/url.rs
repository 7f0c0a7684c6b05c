//! Addresses of this machine's services.
//!
//! A page is not a file: only its address tells what it shows, and some services act when a page is called. A
//! server of files hands out the workspace without the reader's view, and many services have pages with their settings,
//! environment or memory. So this module refuses an address that names a hidden file, a usual place of secrets, such a
//! page or an action, and the ports of services that show everything or take every line for a command. These lists cannot
//! be complete, like the one of secret names; output is masked as well.

use super::kind::{all, is_number};
use super::secrets;

/// Control ports: caddy's settings, docker (2375, 2376), etcd, nomad, redis, kubectl's proxy, debuggers of Chrome and Node
/// (9222, 9229), kubelet (10250, 10255), kube-proxy, memcached.
const CONTROL_PORTS: [u16; 13] =
    [2019, 2375, 2376, 2379, 4646, 6379, 8001, 9222, 9229, 10249, 10250, 10255, 11211];

/// Pages with settings, environments, memory or whole stores: words, or parts of a path with signs in them.
const REVEALING: [&str; 44] = [
    "_all_docs",
    "_nodes",
    "backup",
    "backups",
    "cmdline",
    "conf",
    "config",
    "configmap",
    "configmaps",
    "configprops",
    "configs",
    "configuration",
    "configz",
    "containers",
    "cronjobs",
    "daemonsets",
    "deployments",
    "docker",
    "dump",
    "env",
    "export",
    "heapdump",
    "httptrace",
    "job",
    "jobs",
    "kv",
    "meta-data",
    "middlewares",
    "phpinfo",
    "pods",
    "pprof",
    "properties",
    "proxy",
    "rawdata",
    "replicasets",
    "search",
    "settings",
    "statefulsets",
    "threaddump",
    "trace",
    "user-data",
    "var",
    "variables",
    "vars",
];

/// Short words that stand for an action; inside another word they mean nothing, as in `startup`.
const SHORT_ACTIONS: [&str; 27] = [
    "apply",
    "close",
    "compact",
    "cron",
    "drop",
    "erase",
    "evict",
    "exec",
    "exit",
    "halt",
    "kill",
    "leave",
    "pause",
    "quit",
    "resume",
    "rotate",
    "run",
    "send",
    "snapshot",
    "start",
    "stop",
    "suspend",
    "switch",
    "terminate",
    "toggle",
    "truncate",
    "wipe",
];

/// Words that stand for an action even inside another word, as in `deleteUser` and `doRestart`.
const ACTIONS: [&str; 32] = [
    "abort", "activate", "cancel", "clear", "create", "delete", "deploy", "destroy", "disable",
    "drain", "enable", "execute", "flush", "install", "logoff", "logout", "migrate", "poweroff",
    "purge", "quitquit", "reboot", "rebuild", "reload", "remove", "reset", "restart", "rollback",
    "shutdown", "signout", "trigger", "update", "upgrade",
];

/// The port of a loopback URL; `None` for any other text.
pub(super) fn loopback_port(word: &str) -> Option<u16> {
    let (rest, usual) = match word.strip_prefix("http://") {
        Some(rest) => (rest, 80),
        None => (word.strip_prefix("https://")?, 443),
    };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let hosts = ["localhost", "127.0.0.1", "[::1]"];
    let port = hosts.iter().find_map(|host| authority.strip_prefix(host))?;
    let port = match port.strip_prefix(':') {
        Some(digits) if is_number(digits) => digits.parse().ok().filter(|port| *port > 0)?,
        None if port.is_empty() => usual,
        _ => return None,
    };
    let plain = path.is_empty() || all(path, "/._-");
    (plain && !CONTROL_PORTS.contains(&port) && is_page(path)).then_some(port)
}

/// Whether nothing in the path names a secret, a revealing page or an action.
fn is_page(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let hidden = |part: &str| part.starts_with('.') && part != ".well-known";
    let mut parts = path.split('/');
    let mut words = path.split(|c: char| !c.is_ascii_alphanumeric());
    !secrets::is_named_in(&path)
        && !parts.any(|part| hidden(part) || REVEALING.contains(&part))
        && !words.any(|word| REVEALING.contains(&word) || SHORT_ACTIONS.contains(&word))
        && !ACTIONS.iter().any(|action| path.contains(action))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_of_a_services_health_are_pages() {
        for (url, port) in [
            ("http://localhost", 80),
            ("https://[::1]/", 443),
            ("http://localhost:8080/actuator/health", 8080),
            ("http://127.0.0.1:9090/-/healthy", 9090),
            ("http://127.0.0.1:9090/api/v1/targets", 9090),
            ("http://127.0.0.1:9200/_cluster/health", 9200),
            ("http://127.0.0.1:9200/_cat/indices", 9200),
            ("http://localhost/nginx_status", 80),
            ("http://localhost/server-status", 80),
            ("http://localhost:9100/metrics", 9100),
            ("http://localhost:3000/api/runtime", 3000),
            ("http://localhost:3000/health/startup", 3000),
            ("http://localhost:3000/tasks/7", 3000),
            ("http://localhost/.well-known/security.txt", 80),
        ] {
            assert_eq!(loopback_port(url), Some(port), "{url}");
        }
    }
}
