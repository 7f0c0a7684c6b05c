//! Finds passwords that the author asks about or sets: "Is X a good password?", "für Redis X als Passwort", "das Passwort auf
//! X geändert", and the passwords of the controllers of servers.

use super::{COMPARED_BYTES, Line, NOUNS, fits, is_made_up, trim};
use crate::lexicon::{Part, part};
use crate::talk::says;
use crate::weight::is_titled;
use crate::words::{AND, FOR};
use std::ops::Range;

/// Words about how good a password is.
const GOOD: [&str; 63] = [
    "valid",
    "allowed",
    "accepted",
    "gültig",
    "gültiges",
    "erlaubt",
    "válida",
    "permitida",
    "valide",
    "valida",
    "geldig",
    "good",
    "ok",
    "okay",
    "strong",
    "safe",
    "secure",
    "weak",
    "short",
    "fine",
    "enough",
    "gut",
    "gutes",
    "sicher",
    "sicheres",
    "stark",
    "starkes",
    "schwach",
    "schwaches",
    "kurz",
    "reicht",
    "buena",
    "segura",
    "fuerte",
    "débil",
    "corta",
    "vale",
    "bien",
    "bon",
    "sûr",
    "solide",
    "fort",
    "faible",
    "court",
    "va",
    "buona",
    "sicura",
    "forte",
    "debole",
    "boa",
    "fraca",
    "bom",
    "goed",
    "goede",
    "sterk",
    "zwak",
    "kort",
    "dobre",
    "silne",
    "mocne",
    "słabe",
    "krótkie",
    "bezpieczne",
];
/// Words that follow a word for a password if the question is not about one.
const ABOUT: [&str; 14] = [
    "manager",
    "policy",
    "hash",
    "generator",
    "field",
    "reset",
    "rule",
    "file",
    "store",
    "vault",
    "length",
    "prompt",
    "gestor",
    "checker",
];
/// "as", before a word for a password.
const AS: [&str; 7] = ["as", "als", "como", "comme", "come", "jako", "for"];
/// The most words from "as" to the word for a password: "as the root password".
const AS_WORDS: usize = 4;

/// The words of a text without the signs around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let sign = |c: char| "?!,.:;()¿\"'`„“”«»".contains(c);
    text.split_whitespace().map(move |word| word.trim_matches(sign))
}

/// Whether a word may be a password that a person chose, and is not the name of a thing.
fn is_chosen(word: &str) -> bool {
    const LEAST_BYTES: usize = 5;
    let phrase = || {
        let parts = word.split('-');
        parts.clone().count() >= 4 && parts.into_iter().all(|part| part.len() >= 4)
    };
    let made = is_made_up(word) || is_titled(word) || phrase();
    word.len() >= LEAST_BYTES
        && made
        && !word.contains(['/', '=', '(', '\\'])
        && word.split_once('@').is_none_or(|(_, host)| !host.contains('.'))
        && fits(word)
}

/// `Is Adler1 a good password for the wiki?`
pub(super) fn judged(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.speaks || !line.text.contains('?') {
        return None;
    }
    line.text.split_inclusive(['?', '!']).find_map(|sentence| {
        let lower = sentence.to_lowercase();
        lower.trim_end().ends_with('?').then_some(())?;
        let judged = words(&lower).any(|word| GOOD.contains(&word));
        let about = ABOUT.iter().any(|about| lower.contains(about));
        let named =
            words(&lower).any(|word| NOUNS.contains(&word)) || lower.contains("mot de passe");
        if !judged || about || !named {
            return None;
        }
        let mut chosen = words(sentence).filter(|word| is_chosen(word));
        let value = chosen.next()?;
        // Of two, one is the name of a machine or a product.
        let own = chosen.next().is_none() && !is_of_place(sentence, value);
        own.then(|| line.span(value))
    })
}

/// Whether a word for a place or an owner comes right before a word.
fn is_of_place(sentence: &str, value: &str) -> bool {
    let before = sentence.split(value).next().unwrap_or_default().trim_end();
    let last = before.rsplit(' ').next().unwrap_or_default();
    part(last) == Some(Part::Of)
}

/// `für die DB X und für Redis Y als Passwort`: each value right before "and" or "as the password".
pub(super) fn assigned(line: &Line) -> Vec<Range<usize>> {
    const LEAST_BYTES: usize = 6;
    let assigns = || {
        let mut all = words(&line.lower);
        all.any(|word| FOR.contains(&word)) && all.any(|word| AS.contains(&word))
    };
    if line.text.len() > COMPARED_BYTES || !line.speaks || !assigns() {
        return Vec::new();
    }
    let all: Vec<_> = words(line.text).collect();
    let lower = |at: usize| all.get(at).map(|word| word.to_lowercase()).unwrap_or_default();
    let end = (0..all.len()).find(|at| {
        AS.contains(&lower(*at).as_str())
            && (1..=AS_WORDS).any(|far| NOUNS.contains(&lower(at + far).as_str()))
    });
    let Some(end) = end else { return Vec::new() };
    let starts = (0..end).filter(|at| FOR.contains(&lower(*at).as_str()));
    let values: Option<Vec<_>> = starts
        .map(|start| {
            let next = (start + 1..end).find(|at| {
                AND.contains(&lower(*at).as_str()) || FOR.contains(&lower(*at).as_str())
            });
            let value = *all.get(next.unwrap_or(end).checked_sub(1)?)?;
            let mixed = value.contains(char::is_uppercase) && value.contains(char::is_lowercase);
            let own = is_chosen(value) || (mixed && value.chars().skip(1).any(char::is_uppercase));
            (next.unwrap_or(end) > start + 2 && value.len() >= LEAST_BYTES && own).then_some(value)
        })
        .collect();
    let values = values.filter(|values| values.len() > 1).unwrap_or_default();
    values.into_iter().map(|value| line.span(value)).collect()
}

/// `das Passwort vom Backup-User auf X geändert`
pub(super) fn changed(line: &Line) -> Option<Range<usize>> {
    const TO: [&str; 4] = ["auf", "to", "op", "na"];
    const DONE: [&str; 7] =
        ["geändert", "gesetzt", "umgestellt", "gestellt", "zurückgesetzt", "gezet", "gewijzigd"];
    let told = || DONE.iter().any(|done| line.lower.contains(done));
    if line.text.len() > COMPARED_BYTES || !line.announces || !told() {
        return None;
    }
    let all: Vec<_> = words(line.text).collect();
    all.windows(3).find_map(|of| {
        let told = TO.contains(&of[0]) && DONE.contains(&of[2]);
        let digit = of[1].contains(|c: char| c.is_ascii_digit());
        (told && digit && says(of[1]).is_none() && is_chosen(of[1])).then(|| line.span(of[1]))
    })
}

/// `iDRAC on 10.0.4.7: root/X`, `Accesos al panel: admin / X`
pub(super) fn paired(line: &Line) -> Option<Range<usize>> {
    const CONTROLLERS: [&str; 8] =
        ["idrac", "ilo", "bmc", "ipmi", "imm", "xclarity", "cimc", "drac"];
    const ACCESS: [&str; 8] =
        ["acceso", "accesos", "accès", "accesso", "accessi", "acesso", "acessos", "zugang"];
    const USERS: [&str; 6] =
        ["root", "admin", "administrator", "administrador", "operator", "userid"];
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    const TIES: [&str; 10] =
        ["is", "ist", "es", "est", "è", "with", "mit", "login", "default", "→"];
    let (at, _) = line.text.match_indices('/').find(|(at, _)| {
        let mut words = line.lower.get(..*at).unwrap_or_default().split_whitespace().rev();
        let user = words.next().unwrap_or_default().trim_start_matches('(');
        let tie = words.next().unwrap_or_default();
        USERS.contains(&user) && (TIES.contains(&tie) || tie.ends_with([':', ',', '=', '-', '>']))
    })?;
    let before = line.lower.get(..at)?;
    let controlled = words(before).any(|word| CONTROLLERS.contains(&word));
    let told = before
        .split_once(':')
        .is_some_and(|(head, _)| words(head).any(|word| ACCESS.contains(&word)));
    let rest = line.text[at + 1..].trim_start();
    let value = trim(rest.split(' ').next()?.trim_end_matches([',', ';', ')', '.']));
    let path = value.contains('/') && value.chars().all(|c| c.is_ascii_lowercase() || c == '/');
    ((controlled || told) && !path && says(value).is_none() && fits(value))
        .then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_password_that_is_judged_or_set_is_found() {
        seals(&[
            ("Is Ir7pWGc_I3SrTOwB a good password for the db?", &["Ir7pWGc_I3SrTOwB"]),
            ("Ist Adler1 als Passwort zu kurz?", &["Adler1"]),
            ("¿es anchor478 una buena contraseña?", &["anchor478"]),
            ("est-ce que willow485 est un bon mot de passe ?", &["willow485"]),
            ("is dragon99 sterk genoeg als wachtwoord?", &["dragon99"]),
            ("czy chloe72 to dobre hasło?", &["chloe72"]),
            ("pepper-anchor-lantern-velvet è una password sicura?", &["pepper-anchor"]),
            (
                "für die DB mAF$n%mok9 und für Redis TcMuzfzbtr als Passwort, beide auf fra1",
                &["mAF$n%mok9", "TcMuzfzbtr"],
            ),
            ("hab das Passwort vom Backup-User auf qwe123 geändert", &["qwe123"]),
            ("iDRAC on 192.168.113.39: root/pass123 , console on 5900", &["pass123"]),
            ("Accesos al panel: admin / letmein", &["letmein"]),
        ]);
    }

    #[test]
    fn what_only_speaks_of_passwords_stays() {
        for text in [
            "Is KeePass2 a good password manager?",
            "Is twelve characters enough for a password?",
            "is the password of db-prod-2 strong enough?",
            "Ist das Passwort von web01 sicher?",
            "für Redis und für die DB nehmen wir Vault als Passwort-Speicher",
            "ich habe das Passwort von root auf web1 zurückgesetzt",
            "the iDRAC is at root/manuals on the share",
            "BMC firmware: admin/user roles changed",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
