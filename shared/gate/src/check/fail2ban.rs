//! Checks the jails and filters of fail2ban: names of filters and actions that nothing defines, and patterns that do
//! not say where the address is.

use super::{FILES, error};
use crate::check::nearest;
use crate::{Unit, Written};
use domain::gate::Finding;

const SHIPPED: &str = include_str!("fail2ban.txt");

/// What stands for the address in a pattern.
const ADDRESSES: [&str; 9] =
    ["<ADDR>", "<CIDR>", "<DNS>", "<F-ID", "<HOST>", "<IP4>", "<IP6>", "<SUBNET>", "(?P<host>"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let own = |folder: &str| -> Vec<String> {
        let places = unit.tree.iter().chain(&unit.there).map(|file| file.path.as_str());
        let texts = unit.texts().flat_map(str::lines);
        let copied = texts.flat_map(str::split_whitespace);
        places.chain(copied).filter_map(|path| defined(path, folder)).collect()
    };
    let (filters, actions) = (own("/filter.d/"), own("/action.d/"));
    for file in unit.written().filter(|file| file.path.contains("fail2ban")) {
        for (line, message) in patterns(file).into_iter().chain(names(file, &filters, &actions)) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// The name that a file in a folder defines.
fn defined(path: &str, folder: &str) -> Option<String> {
    let (_, name) = path.trim_matches(['"', '\'', ';']).split_once(folder)?;
    let name = name.strip_suffix(".conf").or_else(|| name.strip_suffix(".local"))?;
    Some(name.to_owned())
}

type Mistakes = Vec<(usize, String)>;

/// Patterns of a filter without an address, which ban nothing.
fn patterns(file: &Written) -> Mistakes {
    if !file.path.contains("/filter.d/") {
        return Vec::new();
    }
    // The prefix of all patterns may bring it.
    if file.text.lines().any(|line| line.starts_with("prefregex")) {
        return Vec::new();
    }
    let (mut found, mut begun, mut text) = (Vec::new(), None, String::new());
    for (at, line) in file.text.lines().chain(["end ="]).enumerate() {
        if begun.is_some() && line.starts_with([' ', '\t']) {
            text.push_str(line);
            continue;
        }
        // Another definition may bring the address.
        let definition = text
            .match_indices('<')
            .any(|(at, _)| text[at + 1..].starts_with(|c: char| c.is_ascii_lowercase()));
        let open = text.trim().is_empty()
            || definition
            || text.contains("%(")
            || file.expands && text.contains('$');
        if let Some(line) = begun.take().filter(|_| !open)
            && !ADDRESSES.iter().any(|sign| text.contains(sign))
        {
            let message = "fail2ban needs `<HOST>` in this pattern, where the address stands.";
            found.push((line, message.to_owned()));
        }
        if let Some((_, value)) = line.split_once('=').filter(|(key, _)| key.trim() == "failregex")
        {
            begun = Some(at + 1);
            value.clone_into(&mut text);
        }
    }
    found
}

/// Filters and actions that neither the package nor the script has.
fn names(file: &Written, filters: &[String], actions: &[String]) -> Mistakes {
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let Some((key, value)) = line.split_once('=') else { continue };
        let (what, own) = match key.trim() {
            "filter" => ("filter", filters),
            "banaction" | "banaction_allports" => ("action", actions),
            _ => continue,
        };
        let name = value.trim().split(['[', ' ']).next().unwrap_or_default();
        let shipped = SHIPPED.lines().filter_map(|line| line.strip_prefix(what));
        let mut known: Vec<&str> = shipped.flat_map(str::split_whitespace).collect();
        known.extend(own.iter().map(String::as_str));
        let open = name.is_empty() || name == "x" || name.contains(['%', '{', '$']);
        if !open && !known.contains(&name) {
            let near = nearest(name, &known);
            // A file may be there from before, unless the script writes others.
            if near.is_some() || !own.is_empty() {
                let near = near.map_or(String::new(), |near| format!(", but there is `{near}`"));
                found.push((at + 1, format!("fail2ban has no {what} `{name}`{near}.")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn jails_name_filters_that_exist_and_patterns_find_addresses() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let text = "cat >/etc/fail2ban/filter.d/shop.conf <<'E'\n[Definition]\nfailregex = ^login failed from <HOST>$\n            ^denied <HOST>\nignoreregex =\nE\ncat >/etc/fail2ban/jail.local <<'E'\n[sshd]\nfilter = sshd[mode=aggressive]\nbanaction = nftables-multiport\n[shop]\nfilter = shop\nE\n";
        for (text, count) in [
            (text.to_owned(), 0),
            (text.replace("= shop\n", "= shops\n"), 1),
            (text.replace("= shop\n", "= store\n"), 1),
            (text.replace("nftables-multiport", "nftable-multiport"), 1),
            (text.replace("<HOST>", "(\\S+)"), 1),
            (text.replace("<HOST>", "<ADDR>"), 0),
            (text.replace("^login failed from <HOST>$", "%(own)s"), 0),
            (text.replace("^login failed from <HOST>$", "<mdre-<mode>>"), 0),
            (
                text.replace(
                    "failregex",
                    "prefregex = ^<HOST> <F-CONTENT>.+</F-CONTENT>$\nfailregex",
                )
                .replace("from <HOST>", ""),
                0,
            ),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
