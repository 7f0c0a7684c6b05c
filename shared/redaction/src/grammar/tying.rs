//! Words that tie a context to the text after it, or end it.

use super::context::Tie;
use super::{Called, Reader, Role};
use crate::talk::{Says, says};
use crate::words::{self, Table};
use crate::{Raw, SecretKind, bare};
use std::ops::Range;
use std::sync::OnceLock;

/// "of" and "for", which tie a name to the word for its secret.
const PREPOSITIONS: [&str; 25] = [
    "of", "for", "on", "der", "des", "von", "vom", "fur", "fuer", "auf", "de", "du", "del",
    "della", "di", "da", "do", "pour", "para", "per", "van", "voor", "dla", "til", "av",
];

/// Words that report a change, and words that come before the new value.
const CHANGED: [&str; 26] = [
    "set",
    "reset",
    "put",
    "habe",
    "haben",
    "hab",
    "changed",
    "cambiato",
    "modificato",
    "cambie",
    "cambiado",
    "cambiamos",
    "mudei",
    "alterei",
    "mudado",
    "mudamos",
    "veranderd",
    "gewijzigd",
    "zmienilem",
    "zmienilam",
    "zmienilismy",
    "ustawilem",
    "ustawilam",
    "geandert",
    "gesetzt",
    "ingesteld",
];
pub const CHANGED_TO: [&str; 9] = ["to", "auf", "in", "a", "para", "por", "na", "naar", "op"];

fn is_changing(folded: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE
        .get_or_init(|| Table::of(CHANGED.map(|word| (word, ())).into_iter()))
        .get(folded)
        .is_some()
}

impl Reader<'_> {
    /// Notes any other word.
    pub(super) fn ties(&mut self, span: Range<usize>, role: Option<Role>, folded: &str) {
        // "en tant que": as
        if (folded == "tant" && self.text[..span.start].ends_with("en "))
            || (folded == "que" && self.text[..span.start].ends_with("en tant "))
        {
            return;
        }
        let sudo = folded == "s" && self.text[..span.start].ends_with("sudo -");
        self.line.reads |= sudo;
        if matches!(folded, "stdin" | "cryptsetup" | "veracrypt" | "realm")
            || (self.echoed.is_some() && self.reads_secret(&span))
            || sudo
        {
            self.line.reads |= folded == "stdin";
            self.piped();
        }
        if folded == "basic"
            && let Some(raw) = self.basic(span.end)
        {
            self.before = None;
            return self.take(raw);
        }
        let is = |word: &str| self.text[..span.start].ends_with(word);
        let short = folded == "s" && (is("that'") || is("this'") || is("it'"));
        // "setze das Passwort auf X", "das Passwort steht auf X"
        self.sets |=
            ["setz", "ander", "stell", "steht"].iter().any(|verb| folded.starts_with(verb));
        // The verb is not a word between the password and its tie.
        let next = &self.open()[span.end..];
        if folded == "steht" && (next.starts_with(" auf ") || next.starts_with(" jetzt auf ")) {
            return;
        }
        let role = if self.sets && folded == "auf" { Some(Role::Copula) } else { role };
        // "chave pública: X"
        if self.context.as_ref().is_some_and(|c| c.words == 0 && c.role != Role::Login)
            && bare::ends_public(&self.text[..span.end])
        {
            self.context = None;
        }
        // "the key vault is X" speaks about a place.
        if folded == "vault"
            && self.context.as_ref().is_some_and(|c| c.role == Role::Key && c.words == 0)
        {
            self.context = None;
        }
        // "salasana on X"
        let on = folded == "on" && {
            let before = words::folded(&self.text[self.before_span.clone()]);
            before.starts_with("salasana") || before.starts_with("parool")
        };
        // "ho cambiato la password in X", "das Kennwort habe ich auf X geändert", "the password's X"
        if is_changing(folded) || &self.text[span.clone()] == "changé" {
            self.changed = Some(span.end);
        }
        let named_by = folded == "s" && self.before == Some(Role::Password);
        let past = self.is_changed() && CHANGED_TO.contains(&folded);
        let role = if named_by || past { Some(Role::Copula) } else { role };
        let again = short && self.context.as_ref().is_some_and(|context| context.values > 0);
        let role = if on || again { Some(Role::Copula) } else { role };
        if self.digits.is_some() && (short || matches!(role, Some(Role::As | Role::Copula))) {
            self.called = Called::Yes;
        }
        if let Some(context) = &mut self.context {
            context.governed |= PREPOSITIONS.contains(&folded);
            let user = ["root", "admin", "ordine"].iter().any(|user| folded.starts_with(user));
            let place = user || matches!(role, Some(Role::Subject | Role::Network));
            context.placed |= place;
            let first = context.words == 0 && context.tie == Tie::Direct && role.is_none();
            context.compound |= first
                && !place
                && !matches!(says(folded), Some(Says::Links | Says::Joins | Says::Parts))
                && !is_changing(folded);
        }
        if let Some(context) = &mut self.context
            && !context.goes_on(role)
        {
            self.context = None;
        }
        self.before = role;
        self.before_span = span;
    }

    /// `Basic dXNlcjpwYXNz`
    fn basic(&self, end: usize) -> Option<Raw> {
        let blanks = self.text[end..].bytes().take_while(|b| *b == b' ').count();
        if blanks == 0 {
            return None;
        }
        let start = end + blanks;
        let run = start..bare::run_end(self.text, start).min(self.wall());
        let decoded = bare::decode(&self.text[run.clone()])?;
        let readable = decoded.iter().all(|b| (b' '..=b'~').contains(b)) && decoded.contains(&b':');
        (run.len() >= 8 && readable).then(|| Raw::likely(run, "BASIC_AUTH", SecretKind::Token))
    }
}
