//! Addresses of this machine's services.
//!
//! A page is not a file: only its address tells what it shows, and a service may act when a page is called, whatever the
//! page's name. So a reading asks only for pages whose whole path is known to say how a service is, in every place: a
//! path that is not in [`PAGES`] needs an approval, and so does a query. It also refuses the ports of services that show
//! everything or treat every line as a command. Output is masked as well.

use super::characters::is_number;

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

/// Pages that say whether a service works, at the root or behind one of [`PREFIXES`].
const HEALTH: &str = "\
    alive buildinfo health health.html health.php health/db health/live health/liveness health/ready health/readiness \
    health/startup healthcheck healthy healthz healthz/live healthz/ready heartbeat live liveness livez metrics ping \
    ready readiness ready.html readyz startup startupz status status.html status.json up version version.txt";

/// What may stand before such a page.
const PREFIXES: [&str; 9] =
    ["actuator/", "api/", "api/v1/", "api/v2/", "v1/", "v2/", "-/", "minio/", "internal/"];

/// Other pages without an effect: a site's front and its files for robots, and what known services say of themselves.
const PAGES: &str = "\
    .well-known/security.txt favicon.ico index.html index.php robots.txt sitemap.xml \
    basic_status fpm-ping fpm-status fpm_status haproxy/stats nginx-status nginx_status server-status stub_status \
    haproxy-status haproxy_stats php-fpm-status \
    api/v1/alerts api/v1/rules api/v1/status/buildinfo api/v1/status/runtimeinfo api/v1/targets api/v2/alerts \
    api/v2/status targets \
    _cat _cat/allocation _cat/count _cat/health _cat/indices _cat/master _cat/nodes _cat/shards _cluster/health \
    v1/status/leader v1/status/peers v1/sys/health v1/sys/leader v1/sys/seal-status \
    v2/health/ready v2/health/live minio/health/cluster";

/// Whether a path is one of a page that only says how a service is.
fn is_page(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    let is_in = |pages: &str, page: &str| pages.split_whitespace().any(|known| known == page);
    let mut prefixes = PREFIXES.iter().filter_map(|prefix| path.strip_prefix(prefix));
    path.is_empty()
        || is_in(HEALTH, path)
        || is_in(PAGES, path)
        || prefixes.any(|page| is_in(HEALTH, page))
}

/// The host with its port, and the path behind it. Without a scheme, curl takes these hosts for those of `http`.
fn parts(word: &str) -> (&str, &str) {
    let rest = word.strip_prefix("http://").or_else(|| word.strip_prefix("https://"));
    let rest = rest.unwrap_or(word);
    rest.split_once('/').unwrap_or((rest, ""))
}

/// The port of the loopback URL of a known page; `None` for any other text.
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
    (web && !CONTROL_PORTS.contains(&port) && is_page(path)).then_some(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_not_a_known_page_may_have_an_effect() {
        for path in [
            "orders",
            "orders/7/ship",
            "payments/7/capture",
            "counter/increment",
            "door/open",
            "queue/pop",
            "devices/7/on",
            "mail/forward/all",
            "tasks/7",
            "v1/items",
            "api/runtime",
            // Known pages with something before, between or behind.
            "health/orders",
            "orders/health",
            "7/up",
            "up/7",
            "server/7/up",
            "login/123456",
            "health//ready",
            "/health",
            "health/../door/open",
            "health/./",
            "health;up",
            "health?up",
            "health#up",
            "health%2fup",
            "HEALTH",
            "api/api/health",
            "v1/v1/status",
            "?",
            "?wc-ajax=checkout",
        ] {
            let url = format!("http://localhost:8000/{path}");
            assert_eq!(loopback_port(&url), None, "{url}");
        }
        assert_eq!(loopback_port("http://localhost:8000?x"), None);
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
            ("http://localhost:3000/api/v1/status", 3000),
            ("http://localhost:3000/health/startup", 3000),
            ("http://localhost:3000/health/", 3000),
            ("http://localhost/.well-known/security.txt", 80),
        ] {
            assert_eq!(loopback_port(url), Some(port), "{url}");
        }
    }
}
