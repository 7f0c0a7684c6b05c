//! Recognizes matches that their context shows to be harmless: published keys and records, code, the output of
//! programs, and forms.
//!
//! A vendor's mark is stronger than its surroundings, so what [`super::shapes`] finds is not judged here.

mod absent;
mod accounts;
mod code;
mod columns;
mod compounds;
mod digests;
mod files;
mod forms;
mod headers;
mod idioms;
mod issues;
mod labels;
mod listings;
mod locations;
mod logs;
mod machines;
mod manners;
pub(crate) mod manuals;
mod markup;
mod networks;
mod notations;
mod other_codes;
mod output;
mod packages;
mod pairs;
mod products;
mod prose;
mod public_data;
mod publishable;
mod questions;
mod references;
mod reports;
mod roles;
mod scripts;
mod settings;
mod speech;
mod stages;
mod standards;
mod templates;
mod traces;
mod warnings;
mod zones;

use super::identifiers;
use std::ops::Range;

/// How far the line of a match is read, in bytes.
const LINE_BYTES: usize = 240;

/// Words before a value that is said to be something.
const IS: [&str; 13] =
    ["is", "was", "ist", "war", "es", "est", "è", "é", "to", "jest", "lautet", "heißt", "são"];

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

    /// The text up to the value, between spaces.
    fn begun(&self) -> &'a str {
        // By bytes: nearly every match is asked for it several times.
        let blank = self.before.bytes().rposition(|b| b.is_ascii_whitespace());
        &self.before[blank.map_or(0, |at| at + 1)..]
    }

    /// The last word before the value.
    fn last(&self) -> &'a str {
        self.before.trim_end().rsplit(' ').next().unwrap_or_default()
    }

    /// Whether a sign or a word says that the value is what was announced: `key: X`, `"X"`, "the password is X".
    fn is_announced(&self) -> bool {
        let said = self.before.trim_end();
        said.ends_with([':', '=', '"', '\'', '`'])
            || IS.contains(&self.last().to_lowercase().as_str())
    }

    /// The same, and its sentence has a word for a secret.
    fn is_announced_as_secret(&self) -> bool {
        let sentence = self.before.rsplit(". ").next().unwrap_or_default();
        self.is_announced() && announces(sentence)
    }

    /// Whether the value is in a question.
    fn is_of_question(&self) -> bool {
        self.value.ends_with('?') || self.after.contains('?')
    }
}

/// Whether the text around a match shows that it is not a secret.
pub fn is_harmless(text: &str, span: &Range<usize>) -> bool {
    Place::of(text, span).is_some_and(|place| {
        is_public(text, span, &place)
            || forms::is_of_form(text, span)
            || idioms::is_plain_text(&place)
            || idioms::is_exclaimed(&place)
            || idioms::is_adjective(&place)
            || idioms::is_of_title(&place)
            || questions::is_of_question(&place)
            || code::is_code(&place)
            || markup::is_of_document(&place)
            || publishable::is_publishable(&place)
            || accounts::is_account(&place)
            || standards::is_known(&place)
            || stages::is_of_stage(&place)
            || compounds::is_compound(&place)
            || packages::is_of_package(&place)
            || references::is_reference(&place)
            || headers::is_of_header(&place)
            || issues::is_issue(&place)
            || files::is_file(&place)
            || settings::is_setting(&place)
            || notations::is_notation(&place)
            || scripts::is_of_script(&place)
            || networks::is_of_network(&place)
            || machines::is_machine(&place)
            || roles::is_numbered(&place)
            || roles::is_called(&place)
            || output::is_program_output(&place)
            || manners::is_greeting(&place)
            || manners::is_somebody(&place)
            || manners::is_nickname(&place)
            || products::is_numbered(&place)
            || manners::is_planned(&place)
            || manners::is_public_key(&place)
            || reports::is_reported(&place)
            || traces::is_trace(&place)
            || templates::is_of_template(&place)
            || listings::is_listed(&place)
            || locations::is_location(&place)
            || prose::is_prose(&place)
            || absent::is_absent(&place)
            || speech::is_speech(&place)
            || pairs::is_of_pair(&place)
            || labels::is_label(&place)
            || manuals::is_of_manual(&place)
            || warnings::is_warning(&place)
            || other_codes::is_other_code(&place)
            || logs::is_logged(text, span, &place)
            || columns::is_of_column(text, span, &place)
            || zones::is_of_zone(text, span, &place)
    })
}

/// Whether a text that seems to be a secret is public: an ARN, a digest of an image, a fingerprint, what follows the
/// placeholder in an address, or what follows a key that opens nothing: "the key to success is …", "the keyword …".
fn is_public(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const IDIOM_BYTES: usize = 64;
    const AGE_BYTES: usize = 62;
    const CONTENT_BYTES: usize = 46;
    let Place { value, before, after, .. } = *place;
    // The text up to the value and from it on, between spaces.
    let begun = place.begun();
    let rest = after.split(char::is_whitespace).next().unwrap_or_default();
    let run = [value, rest].concat();
    let from = text.floor_char_boundary(span.start.saturating_sub(IDIOM_BYTES));
    let clause = text[from..span.start].to_lowercase();
    // `'nonce-…'` of a page's policy, `***-4471`, `<contraseña>`
    let nonce = value.starts_with("nonce-") && begun.ends_with('\'');
    // Not `**Password**: **X**`, which is bold.
    let bold = before.ends_with(" **") && rest.starts_with("**");
    let masked = begun.ends_with("**") && !bold;
    let empty = ["\"\" ", "'' "].iter().any(|end| before.ends_with(end));
    let named = begun.ends_with('<')
        && rest.starts_with('>')
        && value.chars().all(|c| c.is_alphabetic() || c == '_' || c == '-');
    // sqlplus's `app@//db1:1521/orders`
    let service = begun.contains("@//");
    // "arn:aws:secretsmanager:…:secret:shop": the name of a secret or a key
    let resource = begun.contains("arn:aws")
        || begun.contains("/keyRings/")
        || ["arn:", "(arn:"].iter().any(|start| begun.starts_with(start));
    // An address of IPFS
    let content = value.len() == CONTENT_BYTES && value.starts_with("Qm");
    // A task of Proxmox: `UPID:pve1:251B4D60:…`
    let task = begun.starts_with("UPID:") || value.starts_with("UPID:");
    // `"GET /auth/index.php?page=60 HTTP/1.1"`
    let asked = begun.starts_with('/') && before.ends_with(begun) && {
        let method =
            before[..before.len() - begun.len()].trim_end().trim_start_matches(['"', '\'']);
        ["GET", "POST", "PUT", "HEAD", "DELETE", "PATCH"]
            .iter()
            .any(|known| method.ends_with(known))
    };
    let in_page = (begun.contains("://") || asked) && value.contains('?');
    let in_path = begun.ends_with('/') && (value.contains('/') || in_page);
    value.starts_with("arn:")
        || digests::is_digest(place, &clause, &run)
        || nonce
        || masked
        || service
        || resource
        || content
        || task
        || public_data::is_media(begun)
        || public_data::is_of_mail(place, begun)
        || public_data::is_of_peer(place, begun)
        || public_data::is_click(begun)
        || public_data::is_urn(begun, &run)
        || identifiers::forms::is_identifier(value)
        // `orders:…@tcp(…)` is a login.
        || (!after.starts_with('@')
            && !is_piped(after)
            && identifiers::is_field(before, value))
        || is_piped_user(after)
        || identifiers::is_number(before, value)
        || identifiers::is_labeled(before, value)
        || empty
        || named
        || in_path
        || value.contains("/?")
        || public_data::is_object(value)
        || public_data::is_sealed(text, span, begun, &run)
        || (value.starts_with("age1") && value.len() == AGE_BYTES)
        || public_data::is_certificate(text, span)
        || begun.starts_with("~/")
        || (value.starts_with('@') && if begun.is_empty() { &run } else { begun }.ends_with('>'))
        || (value.bytes().all(|b| b.is_ascii_digit()) && clause.contains("token range"))
        || (idioms::opens_nothing(&clause) && !follows_user(place.above))
}

/// Whether a program reads what precedes: `echo 'deploy:…' | chpasswd`.
fn is_piped(after: &str) -> bool {
    after.trim_start_matches(['"', '\'', ' ']).starts_with("| ")
}

/// Whether a user's name precedes a secret that a program reads: `echo 'deploy:{{secret:PASSWORD}}' | chpasswd`.
fn is_piped_user(after: &str) -> bool {
    let rest = after.strip_prefix(":{{secret:").and_then(|rest| rest.split_once("}}"));
    rest.is_some_and(|(_, rest)| is_piped(rest))
}

/// Whether a line tells a user's name, so that the next one tells the password: in Italian, its word is also the one for
/// "keyword".
fn follows_user(above: &str) -> bool {
    let above = above.to_lowercase();
    ["nome utente:", "utente:"].iter().any(|name| above.trim_start().starts_with(name))
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

/// The name with which a text ends, as programs and files write it: `db_user`, `stripe.publishableKey`.
fn last_name(text: &str) -> &str {
    let other = |c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c);
    text.rsplit(other).next().unwrap_or_default()
}

/// Whether a word for a secret and a sign stand right before a value.
fn is_tied(before: &str) -> bool {
    before
        .trim_end_matches([' ', '"', '\'', '`'])
        .strip_suffix(['=', ':'])
        .is_some_and(|name| announces(name.rsplit([' ', ',', '(']).next().unwrap_or_default()))
        || before.ends_with(['"', '\''])
}
