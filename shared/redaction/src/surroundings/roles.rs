//! Recognizes names of machines by their parts: `db-prod-22`, `ci-eu-04`, `cache2`.

use super::{IS, Place};
use crate::words::{Table, lists};
use std::sync::OnceLock;

/// What machines do, for whom, and where they are.
const ROLES: &str = "api app apps auth backend backup bastion billing broker build builder cache ci cd compute consul control cp \
     db demo dev dns docker edge elk es etcd files frontend ftp gateway git gitlab grafana gw ha haproxy host int jenkins job jump \
     k3s k8s kafka kube lb ldap log logs mail main mariadb master mgmt minio mon monitor monitoring mongo mq mysql nas nfs nginx \
     node nomad ns ntp obs ops pg postgres pre preprod primary prod production prom proxy qa queue redis registry relay \
     replica rt rtr runner s3 search secondary server shop smtp sql squid srv stage staging standby stg storage store sw \
     syslog test traefik uat vault vm vpn web wiki wordpress worker wp www eu us uk de fr es nl pl it asia ap fra fsn ams \
     nbg hel ber par lon nyc sfo sgp syd tor east west north south central internal intern";
/// The most digits of a number of a machine.
const DIGITS: usize = 3;

/// Whether a match consists of what machines are named after and a number, and nothing says that it is a password.
pub(super) fn is_numbered(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    let name = value.trim_end_matches([',', '.', '?', '!', ';']);
    let role = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !role || !name.ends_with(|c: char| c.is_ascii_digit()) || !name.split('-').all(is_part) {
        return false;
    }
    before.trim_end().ends_with("host=") || (before.ends_with([' ', '(']) && !place.is_announced())
}

/// "The new SSID is Tin-Crate-19", "call the server Tin-Crate-19", "with user Anna.Schmidt2": the name of what comes before.
pub(super) fn is_called(place: &Place<'_>) -> bool {
    /// Nouns right before a name, and those before "is".
    const NOUNS: &str = "server serveur servidor rechner host hostname ssid branch zweig rama branche user benutzer usuario utilisateur";
    const SUBJECTS: &str = "ssid hostname rechnername servername branch";
    /// Whose password may come right after.
    const OWNERS: &str = "root admin administrator sa postgres mysql db database super";
    let Place { value, before, .. } = *place;
    let name = value.trim_end_matches([',', '.', '?', '!', ';']);
    let plain = |part: &str| part.chars().all(char::is_alphanumeric) && !part.is_empty();
    if !name.contains(['-', '.', '_']) || !name.split(['-', '.', '_']).all(plain) {
        return false;
    }
    let mut last = before.split_whitespace().rev().map(str::to_lowercase);
    let first = last.next().unwrap_or_default();
    // "the hostname should be Tin-Crate-19"
    let be = first == "be";
    let second = last.nth(usize::from(be)).unwrap_or_default();
    let is = be || IS.contains(&first.as_str()) || first == "c'est";
    let named = lists(NOUNS, &first) && !lists(OWNERS, second.trim_matches('-'));
    before.ends_with(' ') && (named || (is && lists(SUBJECTS, &second)))
}

/// `db`, `prod`, `22`, `cache2`
fn is_part(part: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let role = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let short = part.len() - role.len() <= DIGITS;
    let known = |role| TABLE.get_or_init(|| Table::listed(ROLES)).get(role).is_some();
    short && if role.is_empty() { !part.is_empty() } else { known(role) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_machine(before: &str, value: &str) -> bool {
        is_numbered(&Place { value, before, after: "", above: "" })
    }

    #[test]
    fn a_machine_is_recognized_by_its_parts_where_nothing_calls_it_a_password() {
        for (before, value) in [
            ("soll Zugang zu ", "mail-prod-17"),
            ("fine for me, start with ", "cache2"),
            ("psql \"host=", "ci-eu-04"),
            ("I don't have the root password for ", "db-prod-22,"),
        ] {
            assert!(is_machine(before, value), "{before}{value}");
        }
        for (before, value) in [
            ("the root password is ", "web1"),
            ("password: ", "db-prod-22"),
            ("password for it ", "hunter2"),
            ("with ", "dragon-prod-77"),
            ("with ", "web12345"),
            ("with ", "web-"),
            ("http://192.168.1.1,admin,", "gateway9"),
        ] {
            assert!(!is_machine(before, value), "{before}{value}");
        }
    }
}
