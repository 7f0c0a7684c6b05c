//! Recognizes finds that their surroundings show to be harmless: published keys and records, code, the output of
//! programs, and forms.
//!
//! A vendor's mark is stronger than its surroundings, so what [`super::shapes`] finds is not judged here.

mod machines;
mod published;

use super::things::is_prose;
use super::weight::{is_hex, is_wordy};
use super::words::lists;
use std::ops::Range;

/// How far the line of a find is read, in bytes.
const LINE_BYTES: usize = 240;

/// A find with the rest of its line.
struct Place<'a> {
    value: &'a str,
    before: &'a str,
    after: &'a str,
    /// The line above.
    above: &'a str,
}

impl<'a> Place<'a> {
    fn of(text: &'a str, span: &Range<usize>) -> Option<Self> {
        let value = text.get(span.clone())?;
        let from = text.floor_char_boundary(span.start.saturating_sub(LINE_BYTES));
        let mut lines = text[from..span.start].rsplit('\n');
        let before = lines.next().unwrap_or_default();
        let above = lines.next().unwrap_or_default().trim_end();
        let until = text.floor_char_boundary(span.end + LINE_BYTES);
        let after = text[span.end..until].split('\n').next().unwrap_or_default();
        Some(Self { value, before, after, above })
    }
}

/// Whether a find is none, by what is around it.
pub fn is_harmless(text: &str, span: &Range<usize>) -> bool {
    Place::of(text, span).is_some_and(|place| {
        is_public(text, span, &place)
            || is_of_form(text, span)
            || is_code(&place)
            || machines::is_machine(&place)
            || is_program_output(&place)
    })
}

/// Whether a value is a part of code, a pattern, or a reference in a configuration.
fn is_code(place: &Place<'_>) -> bool {
    const PARTS: [&str; 12] = [
        "$ENV{", "\\s*", "\\s+", "\\S+", "\\S*", "\\d+", "\\d{", "\\w+", "\\w*", "[0-9", "[a-z]",
        "[A-Z",
    ];
    let Place { value, before, after, .. } = *place;
    // `api-key="$KEY`, `hosts/$name`
    let variable = value.split_once('$').is_some_and(|(before, name)| {
        let name = name.trim_end_matches(['"', '\'', '}']).trim_start_matches('{');
        before.trim_end_matches(['"', '\'']).ends_with(['=', '/'])
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    });
    // `password: !vault name`, `Password: !Ref Name`: tags of YAML
    let tag = value.strip_prefix('!').is_some_and(|tag| {
        before.trim_end().ends_with(':')
            && after.trim_end().starts_with(' ')
            && tag.chars().all(|c| c.is_ascii_alphabetic() || "-_".contains(c))
    });
    // `salt: &SaltString)`
    let borrowed = value.strip_prefix('&').is_some_and(|name| {
        let ends = |text: &str| text.contains([')', ',']);
        before.trim_end().ends_with(':')
            && (ends(name) || after.starts_with([')', ',']))
            && name.trim_end_matches([')', ',']).bytes().all(|b| b.is_ascii_alphabetic())
    });
    // "user:password@tcp(host:3306)/db": the word stands for a password
    let example = value
        .split_once('@')
        .is_some_and(|(name, host)| is_prose(name) && host.contains(['(', '/', ':']));
    let pattern = PARTS.iter().any(|part| value.contains(part));
    variable || tag || borrowed || example || pattern || is_call(value)
}

/// `user.verify(password`, `check_password(x`, `Argon2::default(`, `toset([80`: not `oT(9v-Xk!2`, and not `Summer.Night(7)`
fn is_call(value: &str) -> bool {
    let Some((name, argument)) = value.split_once('(') else { return false };
    let mut parts = name.split(['.', '_', ':']).filter(|part| !part.is_empty());
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        letters.len() >= 2
            && letters.bytes().all(|b| b.is_ascii_alphanumeric())
            && is_wordy(letters)
    };
    let camel = name
        .as_bytes()
        .windows(3)
        .any(|of| of[..2].iter().all(u8::is_ascii_lowercase) && of[2].is_ascii_uppercase());
    let lower = |part: &str| part.starts_with(|c: char| c.is_ascii_lowercase());
    let digit = argument.starts_with(|c: char| c.is_ascii_digit()) && !argument.starts_with("0x");
    // `connect(host="db1"`
    let named = argument.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    });
    if named && name.bytes().all(|b| b.is_ascii_lowercase() || b"_.".contains(&b)) {
        return true;
    }
    if argument.starts_with(['[', '{']) && name.len() >= 3 {
        return name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    }
    (camel || parts.clone().count() > 1)
        && (name.contains("::") || parts.clone().all(lower))
        && parts.all(is_word)
        && !digit
}

/// Whether a value is a part of what a program prints, or of a file that a program keeps.
fn is_program_output(place: &Place<'_>) -> bool {
    let Place { value, before, after, above } = *place;
    let alone = before.trim().is_empty() && after.trim().is_empty();
    let starts = before.trim().is_empty();
    let is_kind = before.trim_end().ends_with("type:");
    // A line of a history below one that ends with "password": `0b7e94a add a test`
    let commit = before.is_empty()
        && after.starts_with(' ')
        && (7..=12).contains(&value.len())
        && is_hex(value);
    // A row of a table, from the middle of one cell into another
    let address = value.split(',').any(|cell| {
        cell.split('.').count() == 4 && cell.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    });
    let cells = value.matches(',').count() >= 2 && address;
    // `<string name="forgot_pin">Forgot PIN?</string>`
    let words = after.trim_start_matches(['?', '!', ',']).starts_with(' ');
    let text = before.ends_with('>') && after.contains("</") && words;
    // "[sudo] password for ann:" and below it "Sorry, try again."
    let refused = ["Sorry", "Permission", "Access denied", "Authentication", "Login incorrect"]
        .iter()
        .any(|answer| value.starts_with(answer));
    (asks(above) && ((starts && !alone) || is_kind || refused))
        || is_comment(before, value)
        || is_expired(value)
        || is_record(before, value)
        || is_header(before)
        || commit
        || cells
        || text
        || is_package(value)
}

/// Whether a value is the comment of a public key: `ssh-rsa AAAA… deploy@web1`.
fn is_comment(before: &str, value: &str) -> bool {
    const KEY_BYTES: usize = 60;
    let key = before.trim_end().rsplit(' ').next().unwrap_or_default();
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    value.contains('@') && key.len() >= KEY_BYTES && key.bytes().all(base64)
}

/// Whether words say that a password is no longer valid: "est expiré d'après …".
fn is_expired(value: &str) -> bool {
    const STEMS: [&str; 9] = [
        "expir",
        "abgelaufen",
        "caducad",
        "scadut",
        "verlopen",
        "wygas",
        "vencid",
        "périm",
        "ungültig",
    ];
    let first = value.split_once(' ').map(|(first, _)| first.to_lowercase());
    first.is_some_and(|first| STEMS.iter().any(|stem| first.starts_with(stem)))
}

/// Whether a line is a program's question for a password: what is typed below it is not shown.
fn asks(line: &str) -> bool {
    const STARTS: [&str; 5] = ["Enter ", "Retype ", "Re-enter ", "Confirm ", "[sudo] "];
    line.ends_with(':') && STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a value belongs to a record that holds no secret: a hashed host of SSH, a user without a hash, a public key
/// in JSON.
fn is_record(before: &str, value: &str) -> bool {
    const PUBLIC_PARTS: [&str; 4] = ["\"n\":\"", "\"x\":\"", "\"y\":\"", "\"e\":\""];
    let compact: String = before.chars().filter(|c| *c != ' ').collect();
    let of_user =
        value.strip_prefix("x:").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let of_key =
        compact.contains("\"kty\"") && PUBLIC_PARTS.iter().any(|part| compact.ends_with(part));
    before.starts_with("|1|") || of_user || of_key
}

/// Whether a value belongs to a header of HTTP that names a request or a version of a page.
fn is_header(before: &str) -> bool {
    const NAMES: [&str; 8] = [
        "cf-ray",
        "x-amz-id-2",
        "x-amz-cf-id",
        "etag",
        "x-vercel-id",
        "traceparent",
        "x-trace",
        "x-cache-key",
    ];
    const NAME_BYTES: usize = 24;
    let name = before.trim_end_matches([' ', '"', ':']);
    let name = name.rsplit([' ', ',', ';', '"', '(']).next().unwrap_or_default();
    name.len() <= NAME_BYTES && NAMES.iter().any(|known| name.to_ascii_lowercase().ends_with(known))
}

/// Whether a value is a version of a package: `2+deb12u2`.
fn is_package(value: &str) -> bool {
    const MARKS: [&str; 4] = ["+deb", "~deb", "~bpo", "ubuntu"];
    value.starts_with(|c: char| c.is_ascii_digit())
        && MARKS.iter().any(|mark| {
            value
                .split_once(mark)
                .is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
}

/// Whether a text that seems to be a secret is public: an ARN, a digest of an image, a fingerprint, what follows the
/// placeholder in an address, or what follows a key that opens nothing: "the key to success is …", "the keyword …".
fn is_public(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const IDIOMS: [&str; 41] = [
        "clave del éxito",
        "clave del exito",
        "key to success",
        "secret to a",
        "secret to success",
        "secret of a",
        "geheimnis eines",
        "geheimnis einer",
        "secreto del éxito",
        "secret du succès",
        "schlüssel zum erfolg",
        "clé du succès",
        "chiave del successo",
        "sleutel tot succes",
        "chave do sucesso",
        "klucz do sukcesu",
        "key takeaway",
        "public key",
        "pubkey",
        "clave pública",
        "clave publica",
        "clé publique",
        "chiave pubblica",
        "chave pública",
        "öffentliche schlüssel",
        "öffentlicher schlüssel",
        "öffentlichen schlüssel",
        "publieke sleutel",
        "klucz publiczny",
        "keyword",
        "palabra clave",
        "palabras clave",
        "mot clé",
        "mot-clé",
        "mots clés",
        "mots-clés",
        "schlüsselwort",
        "parola chiave",
        "parole chiave",
        "palavra-chave",
        "sleutelwoord",
    ];
    /// Each idiom has one of these.
    const KEYS: [&str; 10] = [
        "key",
        "clave",
        "schlüssel",
        "clé",
        "chiave",
        "sleutel",
        "chave",
        "klucz",
        "secret",
        "geheimnis",
    ];
    const IDIOM_BYTES: usize = 64;
    const AGE_BYTES: usize = 62;
    const CONTENT_BYTES: usize = 46;
    let Place { value, before, after, .. } = *place;
    // The text up to the value and from it on, between spaces.
    const DIGESTS: [&str; 8] = [
        "hash",
        "checksum",
        "digest",
        "prüfsumme",
        "suma de ",
        "somme de ",
        "suma kontrolna",
        "sha",
    ];
    let begun = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let rest = after.split(char::is_whitespace).next().unwrap_or_default();
    let run = [value, rest].concat();
    let fingerprint = ["SHA256:", "sha256:", "MD5:"]
        .iter()
        .any(|digest| value.starts_with(digest) || begun.starts_with(digest));
    let from = text.floor_char_boundary(span.start.saturating_sub(IDIOM_BYTES));
    let clause = text[from..span.start].to_lowercase();
    // `'nonce-…'` of a page's policy, `***-4471`, `<contraseña>`
    let nonce = value.starts_with("nonce-") && begun.ends_with('\'');
    let masked = begun.ends_with("**");
    let empty = ["\"\" ", "'' "].iter().any(|end| before.ends_with(end));
    let named = begun.ends_with('<')
        && rest.starts_with('>')
        && value.chars().all(|c| c.is_alphabetic() || c == '_' || c == '-');
    // sqlplus's `app@//db1:1521/orders`
    let service = begun.contains("@//");
    // "arn:aws:secretsmanager:…:secret:shop": the name of a secret
    let resource = begun.starts_with("arn:") || begun.starts_with("(arn:");
    // An address of IPFS
    let content = value.len() == CONTENT_BYTES && value.starts_with("Qm");
    // `peer: …=` with `endpoint: …` below it, as `wg show` prints it
    let peer = before.trim_start() == "peer: " && published::is_key_of_wireguard(value);
    let in_page = begun.contains("://") && value.contains('?');
    let in_path = begun.ends_with('/') && (value.contains('/') || in_page);
    value.starts_with("arn:")
        || run.contains("@sha256:")
        || fingerprint
        || nonce
        || masked
        || service
        || resource
        || content
        || peer
        || empty
        || named
        || in_path
        || value.contains("/?")
        || published::is_object(value)
        || (value.starts_with("age1") && value.len() == AGE_BYTES)
        || published::is_dns_text(text, span)
        || (value.starts_with('@') && if begun.is_empty() { &run } else { begun }.ends_with('>'))
        || (is_hex(value)
            && DIGESTS.iter().any(|digest| {
                clause.rsplit_once(digest).is_some_and(|(_, between)| !announces(between))
            }))
        || KEYS.iter().any(|key| clause.contains(key))
            && IDIOMS.iter().any(|idiom| {
                clause.rsplit_once(idiom).is_some_and(|(_, between)| !announces(between))
            })
}

/// Whether a part of a sentence has a word for a secret.
fn announces(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "passw",
        "token",
        "secret",
        "key",
        "pwd",
        "kennw",
        "contras",
        "clave",
        "mot de passe",
        "senha",
        "wachtw",
        "pin",
    ];
    let lower = text.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// Whether a word belongs to a form and is no secret: "il campo password è rosso", a button below the labels,
/// "GitHub2FA".
fn is_of_form(text: &str, span: &Range<usize>) -> bool {
    const PAGES: &str = "campo pagina página champ pole strona feld veld formulario formulaire modulo maschera casella casilla \
         schermata pantalla écran tela ekran bouton botón bottone botão przycisk";
    const IS: [&str; 9] = ["è", "e'", "es", "est", "é", "ist", "jest", "is", "in"];
    const CLAUSE_BYTES: usize = 48;
    const WORDS: usize = 6;
    const BUTTONS: &str = "submit cancel save absenden abbrechen speichern enviar guardar envoyer annuler invia annulla \
         verzenden annuleren";
    let Some(value) = text.get(span.clone()) else { return false };
    if value.ends_with("2FA") {
        return true;
    }
    if text[..span.start].ends_with(":\n") && lists(BUTTONS, &value.to_lowercase()) {
        return true;
    }
    if !value.chars().all(char::is_lowercase) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(CLAUSE_BYTES));
    let before = text[from..span.start].to_lowercase();
    let clause = before.rsplit(['\n', '.', ',', ':']).next().unwrap_or_default();
    let mut words = clause.split_whitespace().rev();
    words.next().is_some_and(|word| IS.contains(&word))
        && words.take(WORDS).any(|word| lists(PAGES, word))
}
