//! Addresses of this machine's services.
//!
//! A page is not a file: only its address tells what it shows, and some services act when a page is called. A
//! server of files hands out the workspace without the reader's view, and many services have pages with their settings,
//! environment or memory. So this module refuses an address that names a hidden file, a usual place of secrets, such a
//! page or an action, and the ports of services that show everything or treat every line as a command. These lists
//! cannot be complete, like the one of secret names; output is masked as well. On a server, where the services are those
//! that others use, they do not suffice: there, each word of the path has to be a known one ([`is_known`]).

use super::characters::{all, is_number};
use super::secrets;

/// Control ports: caddy's settings, carbon, docker (2375, 2376, 4243), etcd, the requests that ngrok carried (4040), nomad,
/// logs as text (5170), redis, kubectl's proxy, debuggers of Chrome and Node (9222, 9229, 9230), kubelet (10250, 10255),
/// kube-proxy, memcached, glances, which shows the arguments of processes (61208).
const CONTROL_PORTS: [u16; 20] = [
    2003, 2019, 2375, 2376, 2379, 4040, 4243, 4646, 5170, 6379, 6380, 8001, 9222, 9229, 9230,
    10249, 10250, 10255, 11211, 61208,
];

/// Below this, a port is one of mail, logs, printers and others that take a request for their own lines, except those
/// of the web.
const FIRST_FREE_PORT: u16 = 1024;

/// Pages with settings, environments, memory or whole stores: words, or parts of a path with signs in them.
const REVEALING: &str = "\
    _all_docs _doc _nodes _source apis auditevents backup backups beans cmdline computemetadata conf config \
    configmap configmaps configprops configs configuration configz containers contents controllerrevisions cookies \
    cronjobs daemonsets debug debugbar definitions deployments docker dump env export files heapdump httpexchanges \
    httptrace instance-identity job jobs jolokia kv logfile logs logtail mainlogtail messages meta-data metadata \
    mget middlewares msearch namespaces perl-status phpinfo pods podtemplates pprof processes processlist profiler \
    properties proxy rawdata replicasets replicationcontrollers search server-info sessions settings statefulsets \
    systeminfo telescope threaddump trace tunnels user-data var variables vars";

/// Short words that stand for an action; inside another word they mean nothing, as in `startup`.
const SHORT_ACTIONS: &str = "\
    accept add apply approve attach ban block checkout clean cleanup close cmd command compact confirm copy crash \
    cron del demote detach die dispatch down drop edit erase eval evict exec exit expire failover gc generate \
    grant halt hooks import insert invalidate invoke kill launch leave lock move notify off optimize panic pause \
    pay promote prune publish put quit refresh refund regenerate register reindex reject rename renew replay \
    requeue resume retry revert revoke rm rotate run save scale seed send set shell shut snapshot spawn start stop \
    suspend switch sync terminate toggle transfer trash truncate unblock undo unlink unlock unpublish unregister \
    unset unsubscribe upload vacuum warmup webhook wipe write";

/// Words that stand for an action even inside another word, as in `deleteUser` and `doRestart`.
const ACTIONS: [&str; 32] = [
    "abort", "activate", "cancel", "clear", "create", "delete", "deploy", "destroy", "disable",
    "drain", "enable", "execute", "flush", "install", "logoff", "logout", "migrate", "poweroff",
    "purge", "quitquit", "reboot", "rebuild", "reload", "remove", "reset", "restart", "rollback",
    "shutdown", "signout", "trigger", "update", "upgrade",
];

/// Endings of files with data, settings or logs.
const DATA: &str = "bak cfg db dmp gz ini log old orig pcap rdb save sql sqlite sqlite3 swp tf tgz toml yaml yml zip";

/// The words of pages that say how a service is: nothing else is asked of a server.
const KNOWN: &str = "\
    actuator alerts alive allocation api basic buildinfo cat check cluster count db favicon fpm haproxy health healthcheck \
    healthy healthz heartbeat html ico index indices known leader live liveness livez login master metrics minio nginx \
    nodes peers php ping prometheus readiness ready readyz redis robots rules security server shards sitemap startup \
    startupz stats status statusz stub sys targets txt up version versions well wp xml";

fn is_in(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// Whether a loopback URL names only pages of a server that say how a service is.
pub(super) fn is_known(word: &str) -> bool {
    let (_, path) = parts(word);
    let path = path.to_ascii_lowercase();
    let version = |word: &str| is_number(word.strip_prefix('v').unwrap_or(word));
    let mut words = path.split(not_in_a_word);
    words.all(|word| word.is_empty() || version(word) || is_in(KNOWN, word))
}

/// The host with its port, and the path behind it. Without a scheme, curl takes these hosts for those of `http`.
fn parts(word: &str) -> (&str, &str) {
    let rest = word.strip_prefix("http://").or_else(|| word.strip_prefix("https://"));
    let rest = rest.unwrap_or(word);
    rest.split_once('/').unwrap_or((rest, ""))
}

/// The port of a loopback URL; `None` for any other text.
pub(super) fn loopback_port(word: &str) -> Option<u16> {
    let (authority, path) = parts(word);
    let usual = if word.starts_with("https://") { 443 } else { 80 };
    let hosts = ["localhost", "127.0.0.1", "[::1]"];
    let port = hosts.iter().find_map(|host| authority.strip_prefix(host))?;
    let port = match port.strip_prefix(':') {
        Some(digits) if is_number(digits) => digits.parse().ok().filter(|port| *port > 0)?,
        None if port.is_empty() => usual,
        _ => return None,
    };
    let web = port >= FIRST_FREE_PORT || (80..90).contains(&port) || port == 443;
    let plain = path.is_empty() || all(path, "/._-");
    (plain && web && !CONTROL_PORTS.contains(&port) && is_page(path)).then_some(port)
}

/// Whether nothing in the path names a secret, a revealing page or an action.
fn is_page(written: &str) -> bool {
    let path = written.to_ascii_lowercase();
    let hidden = |part: &str| part.starts_with('.') && part != ".well-known";
    let data = path.rsplit_once('.').is_some_and(|(_, ending)| is_in(DATA, ending));
    let mut parts = path.split('/');
    let apart = with_words_apart(written);
    let mut words = path.split(not_in_a_word).chain(apart.split(not_in_a_word));
    !secrets::is_named_in(&path)
        && !data
        && !parts.any(|part| hidden(part) || is_in(REVEALING, part))
        && !words.any(|word| is_in(REVEALING, word) || is_in(SHORT_ACTIONS, word))
        && !ACTIONS.iter().any(|action| path.contains(action))
}

fn not_in_a_word(c: char) -> bool {
    !c.is_ascii_alphanumeric()
}

/// The path in lower case, with `killAll` as `kill-all`.
fn with_words_apart(path: &str) -> String {
    let mut apart = String::new();
    let mut before = ' ';
    for c in path.chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            apart.push('-');
        }
        apart.push(c.to_ascii_lowercase());
        before = c;
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_server_says_how_a_service_is() {
        let known = |page: &str| is_known(&format!("http://localhost{page}"));
        for page in ["", "/", "/healthz", "/actuator/health", "/nginx_status", "/api/v1/targets"] {
            assert!(known(page), "{page}");
            assert!(is_known(&format!("localhost:80{page}")), "{page}");
        }
        for page in ["/orders", "/health/orders", "/-/x", "/v1x", "/1234567"] {
            assert!(!known(page), "{page}");
            assert!(!is_known(&format!("localhost:80{page}")), "{page}");
        }
    }

    #[test]
    fn other_hosts_are_not_pages_of_this_machine() {
        for url in [
            "localhost.example.com",
            "localhost@example.com/",
            "example.com/localhost",
            "file:///etc/hosts",
            "ftp://localhost:8080/",
            "HTTP://localhost/",
            "//localhost/",
            "localhost:/",
            "127.0.0.1.example.com/",
            "",
        ] {
            assert_eq!(loopback_port(url), None, "{url}");
        }
    }

    #[test]
    fn checks_of_a_services_health_are_pages() {
        for (url, port) in [
            ("http://localhost", 80),
            ("https://[::1]/", 443),
            ("localhost:8080/health", 8080),
            ("127.0.0.1", 80),
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
