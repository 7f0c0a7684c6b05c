//! Finds passphrases that are named by what they open: `for restic: …`, "the disk unlocks with …".

use super::{COMPARED_BYTES, Line, fits, hyphenated, is_made_up, trim};
use crate::talk::{Says, says};
use crate::words::{FOR, Table, lists};
use std::ops::Range;
use std::sync::OnceLock;

/// Programs that ask for a passphrase, and what it opens if a word says that it is encrypted.
const PROGRAMS: &str = "restic borg borgbackup borgmatic vorta kopia duplicati duplicity cryfs gocryptfs luks cryptsetup dm-crypt \
     veracrypt truecrypt keepass keepassxc gnupg gpg pgp bitlocker filevault";
/// What a passphrase opens, in the languages in which people write to us.
const OPENED: &str = "key keys disk drive volume partition stick archive zip backup backups repository vault safe wallet keystore \
     keyring container laptop schlüssel ssh-key ssh-schlüssel gpg-schlüssel platte festplatte backup-platte laufwerk partition usb-stick \
     archiv tresor sicherung llave clave disco unidad partición partition archivo copia caja bóveda memoria clé disque volume coffre \
     archive sauvegarde pfx p12 pfx-datei p12-datei pdf pdf-datei zip-datei datei fichier fichero";
/// Words that say that something is encrypted, or holds backups: one of them makes its passphrase likely.
const CLOSED: &str = "encrypted crypto backup backups ssh gpg luks verschlüsselt verschlüsselte verschlüsselten verschlüsselter backup-platte \
     ssh-key ssh-schlüssel gpg-schlüssel cifrado cifrada encriptado encriptada chiffré chiffrée sauvegarde copia copias sicherung";
/// Verbs before "with", and how a verb of several words begins.
const OPENS: &str = "opens open opened unlocks unlock unlocked decrypts decrypt decrypted öffnet öffnen entsperrt entsperren entschlüsselt \
     entschlüsseln abre abren abro desbloquea desbloqueo descifra descifro ouvre déverrouille déchiffre s'ouvre geht";
/// Parts of these verbs: most lines have none of them.
pub(super) const STEMS: [&str; 13] = [
    "open",
    "unlock",
    "crypt",
    "öffne",
    "sperr",
    "schlüssel",
    "abr",
    "desbloque",
    "ouvr",
    "geht ",
    "descifr",
    "verrouille",
    "chiffre",
];
/// German verbs before "mit" if a verb of [`CLOSING`] ends the clause.
const HELPING: &str = "wird werden wurde lässt kann muss";
/// Words right before the passphrase, and how a line shows that it has one of them.
const WITH: &str = "with mit con avec using";
pub(super) const TIES: [&str; 5] = [" with ", " mit ", " con ", " avec ", " using "];
/// Words that end a German clause after the passphrase.
const CLOSING: &str =
    "auf öffnen entsperren entschlüsseln entsperrt geöffnet entschlüsselt aufsperren";
/// Words about backups, disks, keys and settings, in which no passphrase is meant.
const TECHNICAL: &str = "daily weekly monthly hourly nightly yearly snapshot snapshots retention storage backend bucket buckets server servers \
     disk disks drive volume partition raid default defaults setting settings config configuration version latest stable minimum \
     maximum gigabyte gigabytes terabyte terabytes repository repo prune check cron timer systemd service services container \
     docker image tag cache local remote cloud sftp rest nfs smb box hetzner aws azure google glacier wasabi backblaze windows hello pin \
     fingerprint face touch yubikey tpm tpm2 token smartcard keyfile keyslot passphrase password key keys shards shares clevis tang \
     ext4 xfs btrfs zfs ed25519 rsa nehmen compression compress compressed zstd lz4 exclude include excludes only one two three four five six seven eight nine ten \
     twelve week month year mount root boot ubuntu debian linux systemd-cryptenroll libreoffice finder explorer täglich wöchentlich \
     monatlich stündlich nachts aufbewahrung speicher voreinstellung einstellung einstellungen standard version größe \
     diaria diario diarias semanal semanales mensual mensuales retención almacenamiento defecto ajustes versión servidor \
     quotidien quotidienne quotidiennes hebdomadaire hebdomadaires mensuel mensuelle rétention stockage défaut réglages serveur";
/// How far before its colon what is opened begins, in words.
const NAME_WORDS: usize = 5;
/// How far before "with" the verb and what it opens are, in words.
const VERB_WORDS: usize = 2;
const SUBJECT_WORDS: usize = 8;
/// How many words a passphrase has.
const PHRASE_WORDS: std::ops::RangeInclusive<usize> = 3..=8;
/// How many words it has at least if one of them may describe a password.
const FEW_WORDS: usize = 4;
/// How long its words are, in characters.
const WORD_CHARS: std::ops::RangeInclusive<usize> = 2..=14;
/// The shortest passphrase of one word, in bytes.
const ALONE_BYTES: usize = 6;
/// The most colons of a line that are looked at.
const LABELS: usize = 4;

/// The words of a text, from its end.
fn back(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().rev().map(hyphenated).filter(|word| !word.is_empty())
}

/// `for restic: correct horse battery staple`, `für die Backup-Platte: …`
pub(super) fn labeled(line: &Line) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return Vec::new();
    }
    let labels = line.text.match_indices(':').take(LABELS);
    labels.filter_map(|(at, _)| of_label(line, &line.text[..at], &line.text[at + 1..])).collect()
}

fn of_label(line: &Line, before: &str, after: &str) -> Option<Range<usize>> {
    // The cheapest test: most colons of settings and addresses fail it.
    if !after.starts_with([' ', '\t']) {
        return None;
    }
    let words: Vec<_> = back(before).take(NAME_WORDS).collect();
    let start = words.iter().position(|word| FOR.contains(&word.as_str()))?;
    let name = words.get(..start)?;
    let program = name.iter().any(|word| lists(PROGRAMS, word));
    let closed = || name.iter().any(|word| lists(CLOSED, word));
    let opened = || name.iter().any(|word| lists(OPENED, word));
    if !(program || (opened() && closed())) {
        return None;
    }
    value(after, false).map(|value| line.span(value))
}

/// `the key opens with velvet onion tractor`, `die Platte entsperrt man mit …`
pub(super) fn opened(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let mut words = line.words();
    let (mut subject, mut verb, mut helped) = (None, None, false);
    for at in 0_usize.. {
        let word = words.next()?;
        let lower = hyphenated(word);
        let near = |seen: Option<usize>, far: usize| seen.is_some_and(|seen| at - seen <= far);
        if lists(WITH, &lower) && near(verb, VERB_WORDS) && near(subject, SUBJECT_WORDS) {
            let end = word.as_ptr() as usize - line.text.as_ptr() as usize + word.len();
            let text = line.text.get(end..)?;
            return value(text, helped).map(|value| line.span(value));
        }
        if lists(OPENED, &lower) || lists(PROGRAMS, &lower) {
            subject = Some(at);
        }
        // "s'ouvre", "s’ouvre"
        if lists(OPENS, lower.rsplit(['\'', '’']).next().unwrap_or_default()) {
            (verb, helped) = (Some(at), false);
        }
        if lists(HELPING, &lower) {
            (verb, helped) = (Some(at), true);
        }
        if word.ends_with(['.', '?', '!', ';']) {
            (subject, verb) = (None, None);
        }
    }
    None
}

/// "to unlock the disk, type X at the prompt": a word or several joined ones.
pub(super) fn typed(line: &Line) -> Option<Range<usize>> {
    const TYPE: [&str; 9] = [
        "type ",
        "enter ",
        "tippe ",
        "eingeben: ",
        "gib ",
        "escribe ",
        "introduce ",
        "tape ",
        "saisis ",
    ];
    const AT: [&str; 8] =
        [" at the ", " into the ", " in the ", " am ", " beim ", " en el ", " à l", " au "];
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    // "am Prompt X eingeben"
    let german = || {
        let at = line.text.find(" eingeben").or_else(|| line.text.find(" eintippen"))?;
        let value = line.text[..at].rsplit(' ').next().map(trim)?;
        line.lower.contains("prompt ").then_some(value)
    };
    let english = || {
        let (at, verb) = TYPE.iter().find_map(|verb| Some((line.lower.find(verb)?, verb)))?;
        let value = line.text.get(at + verb.len()..)?.split(' ').next().map(trim)?;
        let after = line.text.get(line.span(value).end - line.start..)?.to_lowercase();
        let after = after.trim_start_matches(['"', '\'', '`']);
        let place = AT.iter().any(|at| after.starts_with(at)) && after.contains("prompt");
        place.then_some(value)
    };
    let value = english().or_else(german)?;
    let words = value.split('-').count() >= *PHRASE_WORDS.start()
        && value.split('-').all(|word| word.len() > 2 && word.chars().all(char::is_lowercase))
        && !value.split('-').all(is_technical);
    (words || is_alone(value)).then(|| line.span(value))
}

/// The passphrase at the start of a text, up to the end of its clause; `closes` is whether a verb has to end it.
fn value(text: &str, closes: bool) -> Option<&str> {
    let clause = text.trim_start();
    let clause = clause.split([',', ';', '(', ')', '?', '\u{2013}']).next()?;
    let clause = clause.split(". ").next()?;
    let clause = trim(clause.trim_end_matches(['.', '!', ' ']));
    let clause = match clause.rsplit_once(' ') {
        Some((rest, last)) if lists(CLOSING, &last.to_lowercase()) => trim(rest),
        _ if closes => return None,
        _ => before_joint(clause),
    };
    let words = clause.split(' ').count();
    let phrase = PHRASE_WORDS.contains(&words) && is_phrase(clause);
    let alone = words == 1 && clause.len() >= ALONE_BYTES && is_alone(clause);
    (phrase || alone).then_some(clause)
}

/// The words of a passphrase at the start of a text, up to the end of its clause.
pub(super) fn phrase(text: &str) -> Option<&str> {
    value(text, false).filter(|value| value.contains(' '))
}

/// "velvet onion tractor moon at boot": the words before the first that belongs to a sentence, if they are enough.
fn before_joint(clause: &str) -> &str {
    let mut words = clause.match_indices(' ').skip(*PHRASE_WORDS.start());
    let joins = |at: usize| {
        let next = clause[at + 1..].split(' ').next().unwrap_or_default();
        matches!(says(next), Some(Says::Joins | Says::Links | Says::Parts))
    };
    let end = words.find(|(at, _)| joins(*at)).map_or(clause.len(), |(at, _)| at);
    &clause[..end]
}

/// Whether words make no sense together: they are part of no sentence, no list and no setting.
fn is_phrase(clause: &str) -> bool {
    let word = |word: &str| {
        let letters = word.chars().all(char::is_alphabetic);
        let digits = word.chars().all(|c| c.is_ascii_digit());
        // Capitals inside are a product's: "LibreOffice", "TPM".
        let plain = !word.chars().skip(1).any(char::is_uppercase);
        let length = word.chars().count();
        (WORD_CHARS.contains(&length) || (digits && length == 1)) && (letters || digits) && plain
    };
    // "correct horse battery staple"
    let describes = |word: &str| matches!(says(word), Some(Says::Describes));
    let telling = |word: &str| (says(word).is_some() && !describes(word)) || is_technical(word);
    let numbers = clause.split(' ').filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let described = clause.split(' ').filter(|word| describes(word)).count();
    numbers.count() <= 1
        && described <= 1
        && (described == 0 || clause.split(' ').count() >= FEW_WORDS)
        && clause.split(' ').all(|one| word(one) && !telling(one))
}

/// Whether a text consists of words about backups, disks and settings.
pub fn is_technical(text: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let table = TABLE.get_or_init(|| Table::listed(TECHNICAL));
    text.split(' ').all(|word| table.get(&word.to_lowercase()).is_some())
}

/// Whether a word is made up, and names no program, file or address.
fn is_alone(word: &str) -> bool {
    let digit = word.contains(|c: char| c.is_ascii_digit());
    let part = |part: &str| {
        let name = part.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
        is_technical(&name) || lists(PROGRAMS, &name) || lists(OPENED, &name)
    };
    let known = word.split(['-', '_']).any(part) || part(word);
    let joined = word.contains(['/', '=', '\\', '@', '.', ':', '$', '<', '{']);
    let signed = word.contains(['_', '#', '!', '%', '&', '*', '+']);
    let mixed = word.contains(char::is_uppercase) && word.contains(char::is_lowercase);
    digit && (signed || mixed) && !joined && !known && is_made_up(word) && fits(word)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_passphrase_is_named_by_what_it_opens() {
        seals(&[
            ("for restic: correct horse battery staple", &["correct horse battery staple"]),
            (
                "to unlock it type onion-tractor-moon at the initramfs prompt",
                &["onion-tractor-moon"],
            ),
            ("für restic: Apfel Lampe Wolke Stein", &["Apfel Lampe Wolke Stein"]),
            ("para el disco cifrado: seda cebolla tractor luna", &["seda cebolla tractor luna"]),
            ("pour le disque chiffré : velours oignon tracteur lune", &["velours oignon"]),
            ("for borg: Sunny_Day42, for the wiki none", &["Sunny_Day42"]),
            ("the key opens with velvet onion tractor moon", &["velvet onion tractor moon"]),
            ("the disk unlocks with blue Tractor 77", &["blue Tractor 77"]),
            ("der Tresor geht mit Samt_Zwiebel_7 auf", &["Samt_Zwiebel_7"]),
            ("die Platte entsperrt man mit Samt Zwiebel Mond", &["Samt Zwiebel Mond"]),
            ("el disco se desbloquea con seda cebolla luna", &["seda cebolla luna"]),
            ("la clé s'ouvre avec velours oignon lune", &["velours oignon lune"]),
        ]);
    }

    #[test]
    fn what_opens_or_sets_something_else_stays() {
        for text in [
            "for nginx: use the default",
            "to unlock it type cryptroot-unlock at the dropbear prompt",
            "for restic: run prune weekly",
            "for restic: S3 bucket in Frankfurt",
            "for the backup disk: two terabytes",
            "für das Backup: Hetzner Storage Box",
            "the archive opens with 7zip",
            "the key opens with PuTTY",
            "the disk unlocks with Clevis and Tang",
            "the disk unlocks with systemd-cryptenroll and TPM2",
            "das Laufwerk entsperrt sich mit dem TPM",
            "le coffre s'ouvre avec la clé du serveur",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
