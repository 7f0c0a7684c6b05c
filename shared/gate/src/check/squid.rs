//! Checks the lists of Squid: kinds that it does not have, and names that nothing defines.

use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;

/// The kinds of lists in squid.conf.
const KINDS: &str = "adaptation_service all_of annotate_client annotate_transaction any-of all-of any_of arp \
    at_step browser ca_cert client_connection_mark clientside_mark connections_encrypted dst dst_as dstdom_regex \
    dstdomain eui64 ext_user ext_user_regex external has hier_code http_status ident ident_regex \
    localip localport max_user_ip maxconn method myport myportname note peername peername_regex \
    port proto proxy_auth proxy_auth_regex random referer_regex rep_header rep_mime_type \
    req_header req_mime_type server_cert_fingerprint snmp_community src src_as srcdom_regex srcdomain squid_error \
    ssl_error tag time transaction_initiator url_regex urllogin urlpath_regex user_cert \
    ssl::server_name ssl::server_name_regex";

/// Lists that Squid or its packages define.
const SHIPPED: &str = "all manager localhost localnet to_localhost to_localnet to_linklocal \
    CONNECT Safe_ports SSL_ports \
    ssl::certHasExpired ssl::certNotYetValid ssl::certDomainMismatch ssl::certUntrusted \
    ssl::certSelfSigned";

/// Settings whose values name lists after `allow` or `deny`.
const NAMING: [&str; 8] = [
    "adapted_http_access",
    "always_direct",
    "cache",
    "http_access",
    "http_reply_access",
    "icp_access",
    "never_direct",
    "sslproxy_cert_error",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> =
        unit.tree.iter().chain(&unit.there).filter(|file| is_squid(file)).collect();
    let texts: Vec<String> = all.iter().map(|file| file.filled()).collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let mut known: Vec<&str> = lines.filter_map(defined).map(|(name, _)| name).collect();
    known.extend(SHIPPED.split_whitespace());
    for file in unit.written().filter(|file| is_squid(file) && !file.text.contains("{%")) {
        for (at, line) in file.filled().lines().enumerate() {
            if let Some(message) = mistake(line, &known) {
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

fn is_squid(file: &Written) -> bool {
    file.path.contains("squid") && file.path.trim_end_matches(".j2").ends_with(".conf")
}

/// The name and the kind of the list that a line defines.
fn defined(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    (words.next() == Some("acl")).then_some(())?;
    Some((words.next()?, words.next()?))
}

fn mistake(line: &str, known: &[&str]) -> Option<String> {
    if let Some((_, kind)) = defined(line) {
        let has = KINDS.split_whitespace().any(|one| one == kind) || kind == "x";
        return (!has).then(|| format!("Squid has no kind of list `{kind}`."));
    }
    let line = line.split('#').next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [setting, "allow" | "deny", names @ ..] = words.as_slice() else { return None };
    let names = names.iter().map(|name| name.trim_start_matches('!'));
    let mut names = names.filter(|name| *name != "x" && !name.contains(['{', '$']));
    let lost = names.find(|name| !known.iter().any(|one| one.eq_ignore_ascii_case(name)))?;
    NAMING.contains(setting).then(|| format!("Nothing defines the list `{lost}`."))
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_of_squid_are_defined() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let text = "cat >/etc/squid/conf.d/a.conf <<'E'\nacl office src 10.0.0.0/8\nacl tls port 443\nhttp_access deny CONNECT !tls\nhttp_access allow office # inside\nhttp_access deny all\nE\n";
        for (text, count) in [
            (text.to_owned(), 0),
            (text.replace("allow office", "allow offices"), 1),
            (text.replace("tls port", "tls ports"), 1),
            (text.replace("!tls", "!ssl"), 1),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
