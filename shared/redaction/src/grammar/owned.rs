//! Finds plain words after a word for a password and its owner, in either order: "root pw ⟦walnut⟧ and db pw ⟦plum⟧",
//! "mdp root ⟦noix⟧, ip 192.0.2.7".
//!
//! Without a verb or a sign, only what follows shows that the clause is over: the end of its line, a comma, or the name
//! of another password.

use super::context::{Context, Tie};
use super::login::is_user;
use super::phrase::is_temporary;
use super::plain::{is_article, is_plain, is_tool, words_before};
use super::{Reader, Role};
use crate::identifiers::is_product;
use crate::lexicon::{Part, part};
use crate::names::is_opened;
use crate::talk::{Says, says};
use crate::weight::{Weight, weigh};
use crate::words::{AND, folded, is_letter, lists, role};
use std::ops::Range;

/// The most words before the word for a password if only a password can follow: "my new wifi password".
const NAMED: usize = 4;
/// How far another word for a password may be, in words and in bytes.
const NEXT: (usize, usize) = (4, 64);
/// Words for a password before what it opens, and short ones, which take any order: in English and in German, the whole
/// word comes last.
const FIRST: &str = "mdp passe senha clave contrasena pw pwd pass psw haslo";

/// Whether the name of another password follows: "and the mysql pw", "redis pw".
pub(super) fn leads_to_another(after: &str) -> bool {
    let after = &after[..after.floor_char_boundary(NEXT.1)];
    let after = after.split(['\n', ',', ';', '.', ':', '=']).next().unwrap_or_default();
    let mut words = after.split([' ', '-']).filter(|word| !word.is_empty()).take(NEXT.0);
    let noun = |word: &str| {
        matches!(role(&folded(word)), Some(Role::Password)) || matches!(word, "pass" | "clave")
    };
    after.starts_with(' ') && words.position(noun).is_some_and(|at| at > 0)
}

/// Whether a line has so far only named a password: "my new wifi", "root".
pub(super) fn is_named(before: &str) -> bool {
    let words = words_before(before, 0).take(NAMED + 1);
    let (mut all, mut named) = (0, false);
    for (_, word) in words {
        if word.ends_with([':', ',', ';']) || AND.contains(&word) {
            return named && all > 0;
        }
        let folded = folded(word.trim_end_matches("'s"));
        let place = matches!(role(&folded), Some(Role::Qualifier | Role::Subject | Role::Network))
            || lists(
                "root vpn sudo ssh mysql postgres redis router nas smtp imap mail ftp sftp old new current initial \
                 default temporary usual key store keystore truststore",
                &folded,
            )
            || is_product(&folded);
        named |= place;
        all += 1;
        if !place && !is_article(word) && part(word) != Some(Part::It) {
            return false;
        }
    }
    named && all <= NAMED
}

impl Reader<'_> {
    /// The word after the word for a password and its owner: "mdp root ⟦noix⟧, ip 192.0.2.7".
    pub(super) fn owned(&self, context: &Context) -> Option<Range<usize>> {
        let near = matches!(context.tie, Tie::Direct | Tie::Near);
        if !near || context.words != 1 || context.plural || context.identifier || context.implied {
            return None;
        }
        if !matches!(context.role, Role::Password | Role::MaybePassword) {
            return None;
        }
        let owner = self.before_span.clone();
        if self.text[owner.end..self.at] != *" " {
            return None;
        }
        let name = folded(&self.text[owner.clone()]);
        let named = is_user(&name) || is_opened(&name);
        // "senha provisória X": an adjective
        let described = says(&name) == Some(Says::Describes) || is_temporary(&name);
        if !(named || described) {
            return None;
        }
        let before = self.sentence_before(owner.start);
        let mut words = words_before(before, 0).map(|(_, word)| word);
        let noun = words.next().is_some_and(|word| lists(FIRST, &folded(word)));
        let starts = words.next().is_none_or(|word| {
            AND.contains(&word) || word.ends_with([',', ';']) || matches!(word, "de" | "la" | "le")
        });
        let rest = &self.open()[self.at..];
        let inner = |c: char| is_letter(c) || "-_".contains(c);
        let word = &rest[..rest.find(|c: char| !inner(c)).unwrap_or(rest.len())];
        let after = &rest[word.len()..];
        let ends = after.is_empty()
            || after.starts_with([',', '\n', '\r', ';'])
            || leads_to_another(after);
        let own = weigh(word) >= Weight::Weak
            && (weigh(word) >= Weight::Name || (named && is_plain(word)))
            && says(word).is_none()
            && !is_temporary(word)
            && !is_tool(word)
            && !is_opened(&folded(word))
            && !is_user(word);
        (noun && starts && ends && own).then(|| self.at..self.at + word.len())
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_password_follows_its_owner_or_its_noun() {
        for (text, secrets) in [
            ("mdp root noix, ip 192.0.2.7", vec!["noix"]),
            ("senha root nogueira, ip 192.0.2.7", vec!["nogueira"]),
            ("senha provisória Gv8-nogueira-Mn, trocar em 48 horas", vec!["Gv8-nogueira-Mn"]),
            ("mdp root noix et mdp mysql prune", vec!["noix", "prune"]),
            ("key password walnut store password plum", vec!["walnut", "plum"]),
            ("root pw walnut and mysql pw plum", vec!["walnut", "plum"]),
            ("hosting password walnut", vec!["walnut"]),
            ("the usual password walnut", vec!["walnut"]),
            ("bios password walnut", vec!["walnut"]),
            ("root pw walnut db pw plum redis pw pear", vec!["walnut", "plum", "pear"]),
            ("root-pw Walnuss und mysql-pw Pflaume", vec!["Walnuss", "Pflaume"]),
        ] {
            assert_eq!(found(text), secrets, "{text}");
        }
        for text in [
            "root pw and mysql pw are in the vault",
            "password root login, ip 192.0.2.7",
            "mdp root et mdp mysql",
            "pw root expired, please help",
            "senha root pendente, ip 192.0.2.7",
            "mdp root oublié, ip 192.0.2.7",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
