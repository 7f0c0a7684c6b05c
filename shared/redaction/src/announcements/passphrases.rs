//! Finds passphrases that a verb tells: "pour déchiffrer la sauvegarde il faut taper …", "the zip is encrypted with …".

use super::unlocks::{self, is_technical};
use super::{COMPARED_BYTES, Line, hyphenated, trim};
use crate::grammar::is_tool;
use crate::talk::says;
use crate::words::lists;
use std::ops::Range;

/// Parts of verbs and nouns of what a passphrase does: most lines have none of them.
pub(super) const OPENS: [&str; 16] = [
    "cifrad",
    "protegid",
    "protected",
    "protégé",
    "geschützt",
    "crypt",
    "unlock",
    "chiffr",
    "schlüsselt",
    "descifr",
    "desencript",
    "entschlüssel",
    "entsperr",
    "déverrouill",
    "desbloque",
    "privaten schlüssel",
];
/// Verbs right before a passphrase.
const TYPES: &str = "type enter use taper tape tapez saisir saisis saisissez entrer entrez utiliser utilisez utilise escribir escribe usa usar \
     introducir introduce teclear teclea tippe gib nimm nehme with avec con noch";
/// Verbs right after one.
const TYPED: &str = "eingeben eintippen tippen abgefragt verwenden nehmen benutzen";
/// German words before the passphrase of such a verb.
const STARTS: &str = "entschlüsseln entsperren öffnen noch platte sicherung backup festplatte";
/// What is encrypted with a word.
const FILES: &str = "zip rar 7z zip-datei zipfile archive archiv archivo excel pdf docx xlsx kdbx usb-stick stick tar";
/// Words that say so.
const CLOSED: &str = "encrypted protected cifrado cifrada encriptado protegido chiffré chiffrée protégé verschlüsselt geschützt gesichert";
const WITH: &str = "with con avec mit par";
/// What encrypts: ciphers and programs.
const CIPHERS: &str = "aes aes256 gpg pgp luks bitlocker veracrypt truecrypt rsa age openssl chacha20 zipcrypto rijndael winzip winrar 7zip winzip7 zip \
     kms sse vault tls ssl password passwort kennwort contraseña clave key schlüssel clé code certificate zertifikat certificado certificat ransomware";
/// The shortest word that may be a password, in bytes.
const LEAST_BYTES: usize = 6;
/// How many words a passphrase has at least if no number ends it.
const FEW_WORDS: usize = 4;
/// The most words of a line that are read.
const WORDS: usize = 40;

/// The passphrase of such a line.
pub(super) fn phrase(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    told(line).or_else(|| typed(line)).or_else(|| closed(line))
}

/// `il faut taper lanterne citron velours 9`
fn told(line: &Line) -> Option<Range<usize>> {
    line.text.match_indices(' ').find_map(|(at, _)| {
        let verb = hyphenated(line.text[..at].rsplit(' ').next()?);
        lists(TYPES, &verb).then_some(())?;
        let value = unlocks::phrase(&line.text[at + 1..])?;
        is_recited(value).then(|| line.span(value))
    })
}

/// `zum Entschlüsseln apfel wolke besen 3 eintippen`
fn typed(line: &Line) -> Option<Range<usize>> {
    line.text.match_indices(' ').take(WORDS).find_map(|(at, _)| {
        let start = hyphenated(line.text[..at].rsplit(' ').next()?);
        lists(STARTS, &start).then_some(())?;
        let clause = line.text[at + 1..].split([',', ';', '.', '(', '?']).next()?;
        let (value, verb) = clause.trim_end_matches('!').trim().rsplit_once(' ')?;
        let value = unlocks::phrase(value).filter(|phrase| phrase.len() == value.len())?;
        (lists(TYPED, &hyphenated(verb)) && is_recited(value)).then(|| line.span(value))
    })
}

/// Whether words end in a number or are enough, and do not begin like a command.
fn is_recited(value: &str) -> bool {
    let mut words = value.split(' ');
    let number = value.ends_with(|c: char| c.is_ascii_digit());
    (number || words.clone().count() >= FEW_WORDS)
        && words
            .all(|word| !is_tool(word) && !is_technical(word) && !lists(CIPHERS, &hyphenated(word)))
}

/// `el zip va cifrado con manzanilla`, `das zip ist mit pfefferminz verschlüsselt`
fn closed(line: &Line) -> Option<Range<usize>> {
    let words = line.first_words(WORDS);
    words.iter().any(|word| lists(FILES, &hyphenated(word))).then_some(())?;
    words.windows(3).enumerate().find_map(|(at, of)| {
        let last = || words.len() == at + 3 || of[2].ends_with(['.', ',', ';']);
        let after = lists(CLOSED, &hyphenated(of[0])) && lists(WITH, &hyphenated(of[1])) && last();
        let before = lists(WITH, &hyphenated(of[0])) && lists(CLOSED, &hyphenated(of[2]));
        let value = match (after, before) {
            (true, _) => of[2],
            (_, true) => of[1],
            _ => return None,
        };
        let value = trim(value.trim_end_matches(['.', ',', ';']));
        let letters = value.chars().all(|c| c.is_alphabetic() || c == '-') && !value.ends_with('-');
        let small = value.chars().skip(1).all(|c| c.is_lowercase() || c == '-');
        let own = value.len() >= LEAST_BYTES
            && letters
            && small
            && says(value).is_none()
            && !is_tool(value)
            && !is_technical(value)
            && !value.split('-').any(|part| lists(CIPHERS, &hyphenated(part)));
        own.then(|| line.span(value))
    })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_verb_tells_a_passphrase() {
        seals(&[
            (
                "Pour déchiffrer la sauvegarde il faut taper noisette velours lampe 9",
                &["noisette velours lampe 9"],
            ),
            ("Para descifrar la copia usa nogal limon ventana 8", &["nogal limon ventana 8"]),
            ("zum Entschlüsseln nuss wolke besen 3 eintippen", &["nuss wolke besen 3"]),
            ("you decrypt the dump with walnut spoon harvest 9", &["walnut spoon harvest 9"]),
            ("el zip va cifrado con avellana", &["avellana"]),
            ("das zip ist mit pfefferminze verschlüsselt", &["pfefferminze"]),
        ]);
        for text in [
            "the zip is encrypted with BitLocker",
            "el zip está cifrado con contraseña",
            "das Archiv ist mit Veracrypt verschlüsselt",
            "to decrypt the file type gpg --decrypt backup",
            "to unlock the disk enter the passphrase at boot",
            "pour déchiffrer il faut utiliser la clé du coffre",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
