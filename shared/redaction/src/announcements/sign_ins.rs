//! Finds passwords by how people speak about signing in: "with X I no longer get in by SSH", "should be X unless Tom changed
//! the admin password", "just type X".

use super::chosen::{Chosen, is_chosen};
use super::{COMPARED_BYTES, Line, apostrophed, trim};
use crate::lexicon::{Part, part};
use crate::weight::is_titled;
use crate::words::{Table, lists};
use std::ops::Range;
use std::sync::OnceLock;

/// Words right before a password with which somebody signs in.
const WITH: &str = "with mit con avec using using: met";
/// Words that say that somebody signs in, in a sentence with such a password.
const ENTERS: &str = "login logins logon ssh rdp sudo anmelden einloggen eingeloggt angemeldet anmeldung reinkommen reinkomme reinkomm rein drauf \
     einwählen entsperren connecter connecte connectes connectez connecté connexion passe passer entrer entre rentre identifier entrais entrait entraba kam reinkam entro entra \
     entrar entrado acceder accedo conectar conecto conectarme loguear logueo loguearme sesión accéder access authenticate authentifier";
/// The same in two words.
const PHRASES: [&str; 12] = [
    "log in",
    "logs in",
    "logged in",
    "sign in",
    "signed in",
    "get in",
    "let me in",
    "lets me in",
    "lets you in",
    "got in",
    "melde mich",
    "meldet sich",
];
/// Words for a password that other words of a line do not have, and for its owner.
const NOUNS: &str = "clave claves pass passe mdp kennwort pw pwd passwort password contraseña";
const OWNERS: &str = "admin root administrator administrador";
/// Verbs of a try, with what may come between them and the password.
const TRIES: &str = "try probier probiere versuch versuche teste essaie essaye essayez tente prueba pruebe intenta nimm nehmen";
const BETWEEN: &str = "with mit con avec mal it's es einfach just";
/// Words after a password that people type, and after one that they only believe to know.
const TYPED: &str = "eingeben eintippen tippen";
const SUPPOSED: &str = "sein heißen heissen lauten";
/// Words right before the name of something else that people type or suppose.
const OTHERS: &str = "name hostname servername benutzer benutzername user username server host domain domäne titel title version modell model \
     called named heißt nom nombre serveur servidor";

/// The passwords of such a line.
pub(super) fn values(line: &Line, chosen: &Chosen<'_>) -> Vec<Range<usize>> {
    let entered = chosen.values.iter().filter(|(at, _)| is_entered(line, &chosen.words, *at));
    entered.map(|(_, value)| line.span(value)).collect()
}

/// `ok: X`, `Claro, es esta → X`: an answer of few words, and the password.
pub(super) fn after_lead(line: &Line) -> Option<Range<usize>> {
    const LEAD_WORDS: usize = 6;
    const LEAD: &str = "ok okay sure yes yep yeah here this one that it's it is the then so now use ja klar gerne gern bitte also dann hier das ist es          sí si claro vale bien esta este aquí es la pues usa oui voici voilà alors c'est d'accord bon bien celui celle";
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let (lead, value) = line.text.rsplit_once([':', '→', '–'])?;
    let value = trim(value.trim().trim_end_matches(['.', ',']));
    let mut words =
        lead.split([' ', ',', '\u{a0}']).map(apostrophed).filter(|word| !word.is_empty());
    let short = lead.split_whitespace().count() <= LEAD_WORDS;
    let led = short && words.clone().next().is_some() && words.all(|word| lists(LEAD, &word));
    let shaped = is_titled(value) || value.contains(|c| "!#$%&*+".contains(c));
    (led && shaped && is_chosen(value)).then(|| line.span(value))
}

/// Whether the words around a place say that a password is there.
fn is_entered(line: &Line, words: &[&str], at: usize) -> bool {
    let before =
        |far: usize| at.checked_sub(far).map(|at| apostrophed(words[at])).unwrap_or_default();
    let (last, second) = (before(1), before(2));
    let next = words.get(at + 1).map(|word| apostrophed(word)).unwrap_or_default();
    let with = lists(WITH, &last);
    let tried = lists(TRIES, &last) || (lists(BETWEEN, &last) && lists(TRIES, &second));
    let is = part(&last) == Some(Part::Is) || last.ends_with("'s") || last == "c'est";
    let supposed = lists(SUPPOSED, &next);
    // "nur noch X eingeben"
    let typed = lists(TYPED, &next) && !words[at].ends_with([',', ';', '.']);
    let code = matches!(last.as_str(), "code" | "código" | "kode");
    let told = typed
        || ((with || code) && (speaks(line, words) || enters(line, words)))
        || (tried && (speaks(line, words) || owned(words)))
        || ((is || supposed) && speaks(line, words));
    told && ![&last, &second, &before(3)].iter().any(|word| lists(OTHERS, word))
}

/// Whether a line has a word for a password.
fn speaks(line: &Line, words: &[&str]) -> bool {
    line.announces || words.iter().any(|word| lists(NOUNS, &apostrophed(word)))
}

fn owned(words: &[&str]) -> bool {
    words.iter().any(|word| lists(OWNERS, &apostrophed(word)))
}

/// Whether somebody signs in.
fn enters(line: &Line, words: &[&str]) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let table = TABLE.get_or_init(|| Table::listed(ENTERS));
    words.iter().any(|word| apostrophed(word).split('\'').any(|word| table.get(word).is_some()))
        || PHRASES.iter().any(|phrase| line.lower.contains(phrase))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn what_people_say_about_signing_in_shows_no_password() {
        seals(&[
            (
                "With Lantern.Saddle.31 I no longer get in by ssh, was the password changed?",
                &["Lantern.Saddle.31"],
            ),
            ("Mit Segel-Mast-44 komme ich nicht mehr rein.", &["Segel-Mast-44"]),
            ("Avec Voile.Grise.7 je ne passe plus en ssh", &["Voile.Grise.7"]),
            ("Con Vela_Gris_7 ya no entro, ¿alguien cambió la clave?", &["Vela_Gris_7"]),
            ("should be Cedar_Bench_6 unless Mia changed the admin password", &["Cedar_Bench_6"]),
            ("müsste Boot_Steg_6 sein, wenn das Passwort noch stimmt", &["Boot_Steg_6"]),
            ("essaie avec TarteAuCitron_4, c'était le pass de l'admin", &["TarteAuCitron_4"]),
            ("für sudo dann Segel.Mast.44 eingeben", &["Segel.Mast.44"]),
        ]);
        for text in [
            "With Ubuntu-Server-24 I cannot log in by ssh, is the password wrong?",
            "Mit Web-Server-2 geht die Anmeldung nicht, das Passwort stimmt aber.",
            "the hostname should be Cedar-Bench-6, and the password is in the vault",
            "Als Namen bitte Segel-Mast-44 nehmen.",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
