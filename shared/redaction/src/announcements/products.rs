//! Finds the password of a user that each product has, where a line names nothing else: `phpmyadmin root/rainbow`.

use super::{Line, fits, is_made_up, trim};
use crate::grammar::{is_plain, is_tool};
use crate::identifiers::{is_product, is_service, is_thing_noun};
use crate::words::{FIRST_USERS, Role, folded, lists, role};
use std::ops::Range;

/// Users that some products have from the start, besides [`FIRST_USERS`].
const USERS: &str = "ubnt root@pam elastic sysadmin webadmin manager operator";
/// What users may do, and which parts of a product have such paths.
const RIGHTS: &str = "read write execute viewer editor owner member maintainer maintain developer reporter guest operator auditor \
     billing enterprise team group page panel area login users settings config index home";
/// The longest such line, in bytes, and the most words before the user.
const LINE_BYTES: usize = 64;
const NAME_WORDS: usize = 2;
/// The shortest password of letters, in bytes.
const LEAST_BYTES: usize = 6;

/// The text behind the user.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    let text = line.text.trim();
    if text.len() > LINE_BYTES {
        return None;
    }
    let (head, value) = [" / ", "/", ": ", ":"].iter().find_map(|sign| text.rsplit_once(*sign))?;
    let value = trim(value);
    let mut words = head.split_whitespace().rev();
    let user = folded(words.next()?);
    let known = lists(FIRST_USERS, &user) || lists(USERS, &user);
    // Most lines end here.
    known.then_some(())?;
    let name: Vec<_> =
        words.map(|word| folded(word.trim_end_matches([':', ','])).into_owned()).collect();
    let named = (1..=NAME_WORDS).contains(&name.len())
        && name.last().is_some_and(|word| is_product(word) || is_service(word))
        && name.iter().all(|word| {
            is_product(word) || is_service(word) || matches!(role(word), Some(Role::Login))
        });
    let word = folded(value).into_owned();
    let plain = value.len() >= LEAST_BYTES
        && is_plain(value)
        && !is_tool(value)
        && !is_thing_noun(&word)
        && !is_service(&word)
        && !is_product(&word)
        && !lists(RIGHTS, &word);
    let whole = !value.contains([' ', '/', ':', '.']) && !text.contains("://");
    (named && whole && (plain || is_made_up(value)) && fits(value)).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_first_user_of_a_product_has_a_password() {
        seals(&[
            ("phpmyadmin root/rainbow", &["rainbow"]),
            ("jenkins admin:rainbow", &["rainbow"]),
            ("ilo Administrator / RAINBOW7", &["RAINBOW7"]),
            ("unifi ubnt/ubnt77", &["ubnt77"]),
            ("grafana login: admin / rainbow", &["rainbow"]),
        ]);
        for text in [
            "grafana admin/viewer",
            "github admin:enterprise",
            "wordpress admin/dashboard",
            "docker root/volume",
            "grafana admin: please",
            "https://grafana admin/rainbow",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
