//! Checks the lines of NFS's exports: what stands between a client and its options, and the names of options.

use super::{FILES, error};
use crate::check::nearest;
use crate::{Unit, Written};
use domain::gate::Finding;

/// The options of exports(5), without their values.
const OPTIONS: [&str; 39] = [
    "all_squash",
    "anongid",
    "anonuid",
    "async",
    "auth_nlm",
    "crossmnt",
    "fsid",
    "hide",
    "insecure",
    "insecure_locks",
    "mountpoint",
    "mp",
    "no_acl",
    "no_all_squash",
    "no_auth_nlm",
    "no_pnfs",
    "no_root_squash",
    "no_subtree_check",
    "no_wdelay",
    "nocrossmnt",
    "nohide",
    "nordirplus",
    "pnfs",
    "reexport",
    "refer",
    "replicas",
    "ro",
    "root_squash",
    "rw",
    "sec",
    "secure",
    "secure_locks",
    "security_label",
    "squash_gids",
    "squash_uids",
    "subtree_check",
    "sync",
    "wdelay",
    "xprtsec",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_exports(file)) {
        for (at, line) in file.filled().lines().enumerate() {
            if let Some(message) = mistake(line) {
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

fn is_exports(file: &Written) -> bool {
    file.path.ends_with("/exports") || file.path.ends_with(".exports")
}

fn mistake(line: &str) -> Option<String> {
    let line = line.split('#').next().unwrap_or_default().trim();
    if !line.starts_with('/') || line.contains("{%") {
        return None;
    }
    if line.contains(" (") || line.contains("\t(") {
        let message = "The space before `(` gives these options to every client, and none to the one before it.";
        return Some(message.to_owned());
    }
    if line.matches('(').count() != line.matches(')').count() {
        return Some("A bracket of these options is unmatched.".to_owned());
    }
    let lists = line.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    let mut options = lists.flat_map(|list| list.split(','));
    options.find_map(|option| {
        let name = option.split('=').next().unwrap_or_default().trim();
        let open = name.is_empty() || name == "x" || name.contains(['{', '$']);
        let known = open || OPTIONS.contains(&name);
        (!known).then(|| match nearest(name, &OPTIONS) {
            Some(near) => format!("NFS has no option `{name}`, but it has `{near}`."),
            None => format!("NFS has no option `{name}`."),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_nfs_belong_to_their_client() {
        for line in [
            "/srv/a 10.0.0.0/24 (rw,sync)",
            "/srv/a 10.0.0.0/24(rw,snyc)",
            "/srv/a 10.0.0.0/24(rw,no_root_sqash)",
            "/srv/a 10.0.0.0/24(rw,sync",
        ] {
            assert!(mistake(line).is_some(), "{line}");
        }
        for line in [
            "/srv/a 10.0.0.0/24(rw,sync,no_subtree_check) host.example(ro,fsid=0,sec=krb5p)",
            "# /srv/a 10.0.0.0/24 (rw)",
            "/srv/a host.example",
            "/srv/a x(rw,sync,anonuid=1000)",
        ] {
            assert_eq!(mistake(line), None, "{line}");
        }
    }
}
