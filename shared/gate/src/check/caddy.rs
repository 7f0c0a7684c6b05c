//! Finds names in Caddy's file that nothing in it defines, snippets and matchers, and directives of other servers.

use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    let own: Vec<&Written> = all.iter().copied().filter(|file| is_caddy(file)).collect();
    let snippets: BTreeSet<&str> =
        own.iter().flat_map(|file| file.text.lines()).filter_map(snippet).collect();
    let matchers: BTreeSet<&str> =
        own.iter().flat_map(|file| file.text.lines()).filter_map(matcher).collect();
    for file in unit.written().filter(|file| is_caddy(file)) {
        for (at, line) in file.text.lines().enumerate() {
            let words: Vec<&str> =
                line.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
            let message = match words.as_slice() {
                ["import", name, ..] => {
                    let open = name.contains(['/', '*', '.', '$', '{']);
                    let known = snippets.contains(name) || all.iter().any(|it| it.name() == *name);
                    (!open && !known)
                        .then(|| format!("No snippet here is named `{name}`: `({name}) {{ … }}`."))
                }
                // Only the global options have no name before their bracket.
                ["{"] if line.starts_with([' ', '\t']) => {
                    Some("This brace belongs after the name on the line above.".to_owned())
                }
                [first, ..] if FOREIGN.contains(first) => Some(format!(
                    "`{first}` is a directive of another server, and Caddy has none of that name."
                )),
                [_, rest @ ..] => {
                    let mut names = rest.iter().filter(|word| is_name(word));
                    let lost = names.find(|name| !matchers.contains(**name));
                    lost.map(|name| format!("No matcher here is named `{name}`."))
                }
                [] => None,
            };
            if let Some(message) = message {
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

/// Directives of nginx, Apache and HAProxy.
const FOREIGN: [&str; 37] = [
    "add_header",
    "access_log",
    "alias",
    "auth_basic",
    "auth_basic_user_file",
    "backend",
    "client_max_body_size",
    "DocumentRoot",
    "error_log",
    "expires",
    "fastcgi_index",
    "fastcgi_param",
    "fastcgi_pass",
    "frontend",
    "gzip",
    "index",
    "limit_req",
    "listen",
    "location",
    "proxy_http_version",
    "proxy_pass",
    "proxy_read_timeout",
    "proxy_set_header",
    "ProxyPass",
    "ProxyPassReverse",
    "return",
    "RewriteRule",
    "ServerName",
    "server_name",
    "ssl_certificate",
    "ssl_certificate_key",
    "ssl_protocols",
    "upstream",
    "uwsgi_pass",
    "proxy_cache",
    "proxy_redirect",
    "ServerAlias",
];

fn is_caddy(file: &Written) -> bool {
    file.name().starts_with("Caddyfile") || file.extension() == "caddy"
}

/// The name of a snippet that begins in a line.
fn snippet(line: &str) -> Option<&str> {
    line.trim().strip_prefix('(')?.split_once(')').map(|(name, _)| name)
}

/// The matcher that a line defines.
fn matcher(line: &str) -> Option<&str> {
    line.split_whitespace().next().filter(|word| is_name(word))
}

fn is_name(word: &str) -> bool {
    let rest = word.strip_prefix('@').unwrap_or_default();
    !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_caddy_are_defined() {
        let said = |text: &str| {
            let text = format!("cat >Caddyfile <<'E'\n{text}E\n");
            crate::testing::said(super::examine, &text).len()
        };
        let site = "(common) {\n\tencode gzip\n}\na.example {\n\timport common\n\t@static path *.css\n\theader @static Cache-Control \"max-age=1\"\n\ttls ops@a.example\n}\n";
        assert_eq!(said(site), 0);
        assert_eq!(said("{\n\tadmin off\n}\na.example {\n\troute {\n\t}\n}\n"), 0);
        assert_eq!(said("a.example {\n\treverse_proxy web:80\n\t{\n\t}\n}\n"), 1);
        assert_eq!(said(&site.replace("import common", "import sites/*.caddy")), 0);
        assert_eq!(said(&site.replace("import common", "import comon")), 1);
        assert_eq!(said(&site.replace("header @static", "header @assets")), 1);
        assert_eq!(said(&site.replace("encode gzip", "gzip on")), 1);
        assert_eq!(said(&site.replace("tls ops@a.example", "php_fastcgi wordpress:9000")), 0);
        assert_eq!(said(&site.replace("tls ops@a.example", "fastcgi_pass wordpress:9000")), 1);
    }
}
