//! Finds a plain word after what it opens: `password for the hosting sunflower`.
//!
//! Such a message names the password and has no verb, so its last word is either the password or a noun for something:
//! "password for the hosting panel". Only a word that names no kind of thing is taken.

use super::{Line, NOUNS, SHORT_NOUNS, fits};
use crate::grammar::{is_article, is_plain, is_tool};
use crate::identifiers::{is_product, is_service, is_thing_noun};
use crate::names::is_opened;
use crate::words::{FOR, OF, Role, folded, lists, role};
use std::ops::Range;

/// Contractions of "for the" and "of the".
const FOR_THE: &str = "fürs vom zum del do da della dello dell du pro pra al";
/// Things that people name without a service's name.
const OPENED: &str = "router nas server box switch firewall vpn ftp mail printer drucker camera \
     kamera laptop pc phone handy tablet wiki shop blog forum intranet backup backups dashboard account konto cuenta compte conta";
/// Nouns that a name before them describes.
const NOUN_WORDS: &str = "panel panels provider customer customers client clients user users team teams company firma kunde kunden area page \
     portal contract plan package partner support hotline admin admins owner domain website app site login console";
/// The most words of such a message.
const WORDS: usize = 8;

/// The last word of the message.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    let words = &line.words;
    // Behind a sign, other forms read the password.
    if !(4..=WORDS).contains(&words.len()) || line.text.contains([':', '=', '?']) {
        return None;
    }
    let plain = |word: &str| folded(word).into_owned();
    let noun = words.iter().position(|word| {
        let word = word.to_lowercase();
        let last = word.rsplit('-').next().unwrap_or_default();
        NOUNS.contains(&last) || SHORT_NOUNS.contains(&last)
    })?;
    // "mot de passe" has three words.
    let lead = words[..noun].iter().all(|word| {
        is_article(word) || matches!(plain(word).as_str(), "mot" | "de" | "new" | "neues" | "nueva")
    });
    let mut rest = words[noun + 1..].iter();
    let of = *rest.next()?;
    let placed = FOR.contains(&of) || OF.contains(&of) || lists(FOR_THE, of) || of == "fuer";
    let mut rest = rest.skip_while(|word| is_article(word));
    let name = plain(rest.next()?);
    let opens =
        |word: &str| is_opened(word) || is_service(word) || is_product(word) || lists(OPENED, word);
    let opened = opens(&name);
    let value = *rest.next()?;
    let bare = value.trim_end_matches('!');
    let known = plain(bare);
    let thing = is_thing_noun(&known)
        || opens(&known)
        || lists(NOUN_WORDS, &known)
        || matches!(role(&known), Some(Role::Subject | Role::Login | Role::Name));
    let own = is_plain(bare) && !is_tool(bare) && !thing && fits(value);
    (lead && placed && opened && own && rest.next().is_none()).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_plain_word_follows_what_it_opens() {
        seals(&[
            ("password for the hosting sunflower", &["sunflower"]),
            ("pw for the nas sunflower", &["sunflower"]),
            ("Passwort für das Hosting Sonnenblume", &["Sonnenblume"]),
            ("passwort fürs hosting sonnenblume", &["sonnenblume"]),
            ("password for grafana sunflower", &["sunflower"]),
            ("contraseña del router girasol", &["girasol"]),
            ("mot de passe du serveur tournesol", &["tournesol"]),
        ]);
        for text in [
            "password for the hosting panel",
            "the password for the hosting provider",
            "password for grafana dashboard",
            "password for the mail server expired",
            "password for the db please",
            "passwort für den router vergessen",
            "what is the password for the hosting sunflower",
            "password for the backup job",
            "password for the hosting account?",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
