//! Finds variables and directives that nginx does not have, and statements without an end: with one of them, it does not
//! start.

mod blocks;
mod parameters;
mod quantifiers;
mod statements;

use super::config::is_nginx;
use super::error;
use super::spelling::nearest;
use crate::{FILES, Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    for file in unit.written().filter(|file| is_nginx(file)) {
        let found = [
            unknown(file, &all),
            statements::mistakes(file),
            quantifiers::mistakes(&file.text),
            parameters::mistakes(file),
        ];
        let blocks = if file.expands { None } else { blocks::mistake(&file.text) };
        for (line, message) in found.into_iter().flatten().chain(blocks) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// Whether bash, `envsubst` or a template fills in its own variables.
fn is_filled(file: &Written) -> bool {
    let ends = [".template", ".tftpl", ".tpl", ".envsubst", ".in"];
    file.expands || ends.iter().any(|end| file.name().contains(end)) || file.text.contains("{{")
}

/// nginx's own variables.
const OWN: &str = "args binary_remote_addr body_bytes_sent bytes_received bytes_sent connection \
    connection_requests connection_time connections_active connections_reading connections_waiting \
    connections_writing content_length content_type date_gmt date_local document_root document_uri \
    fastcgi_path_info fastcgi_script_name gzip_ratio host hostname http2 http3 https \
    invalid_referer is_args limit_conn_status limit_rate limit_req_status memcached_key \
    modern_browser ancient_browser msec msie nginx_version pid pipe protocol proxy_add_x_forwarded_for \
    proxy_host proxy_port proxy_protocol_addr proxy_protocol_port proxy_protocol_server_addr \
    proxy_protocol_server_port query_string quic realip_remote_addr realip_remote_port realpath_root \
    remote_addr remote_port remote_user request request_body request_body_file request_completion \
    request_filename request_id request_length request_method request_port request_time request_uri \
    scheme secure_link secure_link_expires server_addr server_name server_port server_protocol \
    session_time slice_range spdy status tcpinfo_rcv_space tcpinfo_rtt tcpinfo_rttvar \
    tcpinfo_snd_cwnd time_iso8601 time_local uid_got uid_reset uid_set uri userid";

/// What the names of other variables of nginx begin with.
const FAMILIES: [&str; 18] = [
    "arg_",
    "auth_",
    "brotli_",
    "cookie_",
    "date_",
    "geoip2_",
    "geoip_",
    "http_",
    "jwt_",
    "njs",
    "proxy_protocol_",
    "sent_http_",
    "sent_trailer_",
    "session_log_",
    "ssl_",
    "trailer_",
    "upstream_",
    "webp",
];

/// The variables that `map`, `set` and the like define, and the named parts of expressions.
fn defined<'a>(all: &[&'a Written]) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    for text in all.iter().map(|file| file.text.as_str()) {
        for line in text.lines() {
            // What follows the brace are the values.
            let head = line.split(" {").next().unwrap_or_default();
            let head = head.split(';').next().unwrap_or_default();
            let words: Vec<&str> = head.split_whitespace().collect();
            let name = match words.as_slice() {
                ["set" | "auth_request_set" | "perl_set" | "js_set" | "js_var", name, ..]
                | ["map" | "geo" | "split_clients", .., name] => Some(name),
                _ => None,
            };
            names.extend(name.and_then(|name| name.strip_prefix('$')));
        }
        for rest in text.split("(?").skip(1) {
            let rest = rest.trim_start_matches('P');
            let part = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            names.extend(part.map(|(name, _)| name));
        }
    }
    names
}

/// Variables that are almost a defined one, and those that nginx does not have.
fn unknown(file: &Written, all: &[&Written]) -> Vec<(usize, String)> {
    let defined = defined(all);
    let names: Vec<&str> = defined.iter().copied().collect();
    let filled = is_filled(file);
    let own = |name: &str| {
        OWN.split_whitespace().any(|own| own == name)
            || FAMILIES.iter().any(|family| name.starts_with(family))
    };
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let line = line.split(" #").next().unwrap_or_default();
        if line.trim_start().starts_with('#') {
            continue;
        }
        for rest in line.split('$').skip(1) {
            let rest = rest.strip_prefix('{').unwrap_or(rest);
            let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
            let name = name.filter(|name| !defined.contains(name)).unwrap_or_default();
            // A variable in upper case is for another program.
            let lower = name.contains(|c: char| c.is_ascii_lowercase());
            let begins = name.starts_with(|c: char| !c.is_ascii_digit());
            if let Some(near) = nearest(name, &names) {
                let message = format!("nginx does not know `${name}`, but `${near}` is defined.");
                found.push((at + 1, message));
            } else if !filled && lower && begins && !own(name) {
                found.push((at + 1, format!("nginx has no variable `${name}`.")));
            }
        }
    }
    found
}
