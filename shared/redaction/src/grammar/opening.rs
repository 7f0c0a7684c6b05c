//! Words that open a context, tie it to the text after it, or refer to the text before it.

use super::before::{starts_field, starts_line};
use super::context::{Context, Tie};
use super::machines::is_long_name;
use super::plain::{is_plain, is_tool};
use super::{Called, Reader, Role};
use crate::command::takes_nothing;
use crate::names::{self, variable};
use crate::talk::{Says, says};
use crate::things::is_hyphenated_secret;
use crate::weight::{Weight, is_hex, weigh};
use crate::words::{self, Table, fold, is_one_time, is_rescue};
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

/// Whether a word for a password is part of "phrase secrète", "frase de contraseña".
fn is_phrase(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    let before =
        before.strip_suffix(" de").or_else(|| before.strip_suffix(" di")).unwrap_or(before);
    before.ends_with("rase")
}

fn is_changing(folded: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE
        .get_or_init(|| Table::of(CHANGED.map(|word| (word, ())).into_iter()))
        .get(folded)
        .is_some()
}

/// Words for a user's name together with its password.
const CREDENTIALS: [&str; 19] = [
    "acces",
    "acesso",
    "acceso",
    "accesso",
    "zugriff",
    "dostep",
    "toegang",
    "accessi",
    "creds",
    "cred",
    "credentials",
    "credential",
    "zugangsdaten",
    "anmeldedaten",
    "credenciales",
    "identifiants",
    "credenziali",
    "credenciais",
    "inloggegevens",
];

/// How far back to look for another option, in bytes.
const OPTIONS_BYTES: usize = 64;
/// Up to this length, a word for codes needs another word that makes the codes secrets, in bytes.
const LONE_CODE_BYTES: usize = 8;
/// How far a word for codes may be from the word that makes the codes secrets, in bytes.
const CODES_BYTES: usize = 8;

impl Reader<'_> {
    /// Whether a word makes codes secrets: "recovery codes", "codes de secours".
    pub(super) fn codes(&self, word: &str, folded: &str, role: Option<Role>) -> bool {
        if role != Some(Role::Code) {
            let near = |end: usize| self.at - word.len() <= end + CODES_BYTES;
            return self.codes.is_some_and(near) && is_rescue(folded);
        }
        let mut before = String::new();
        let joined = word.rfind(['_', '-']).map(|at| &word[..at]);
        fold(joined.unwrap_or(&self.text[self.before_span.clone()]), &mut before);
        folded.len() > LONE_CODE_BYTES || before.rsplit(['_', '-']).next().is_some_and(is_rescue)
    }

    /// Notes a reference, or another place to skip.
    pub(super) fn wall_passed(&mut self, wall: Range<usize>) {
        let name = self.text[wall.clone()].strip_prefix("{{secret:");
        let is_password =
            name.is_some_and(|name| ["PASS", "PW"].iter().any(|part| name.contains(part)));
        let said = self.text[..wall.start].ends_with([' ', '"', '\'', '`']);
        if self.context.is_none() && is_password && said && !self.line.has_program() {
            self.context = Some(Context::implied());
            self.before = None;
            self.digits = None;
            self.echo = false;
            return;
        }
        self.echo = false;
        self.value_passed();
    }

    /// Opens a context at a word for a secret.
    pub(super) fn opens(&mut self, role: Role, span: Range<usize>, folded: &str) {
        let word = &self.text[span.clone()];
        let text_before = &self.text[..span.start];
        let name =
            names::proposed(role, word, folded, &self.text[self.before_span.clone()], self.before);
        if self.called != Called::No
            && matches!(role, Role::Password | Role::MaybePassword | Role::Token)
            && let Some(value) = self.digits.take()
        {
            let known = self.found.last().is_some_and(|raw| raw.span.end > value.start);
            let least = if self.called == Called::Used { Weight::Strong } else { Weight::Fair };
            let shown = &self.text[value.clone()];
            let named = bare::is_named(&self.text[..value.start])
                || (self.called == Called::Used && (is_hex(shown) || is_long_name(shown)));
            if !known && !named && weigh(shown) >= least {
                self.found.push(Raw::likely(value, &name, SecretKind::of(role)));
            }
        }
        let chosen = matches!(role, Role::Password | Role::MaybePassword);
        // "use lantern-saddle-gravel as the secret"
        let worded =
            |value: &Range<usize>| chosen || is_hyphenated_secret(&self.text[value.clone()]);
        let joined = || self.sentence_before(span.start).matches('-').nth(1).is_some();
        if (chosen || (role == Role::Token && joined()))
            && text_before.ends_with([' ', '\''])
            && let Some(value) = self.said_before(span.start).or_else(|| self.mirrored(&span))
            && worded(&value)
        {
            self.found.push(Raw::likely(value, &name, SecretKind::Password));
        }
        self.pipes_into(role, word, folded);
        if self.opens_nothing(role, &span, folded) {
            return;
        }
        let option = self.byte_before(span.start) == Some(b'-') && !text_before.ends_with(" - ");
        let is_list = role == Role::Code;
        let in_network = self.context.as_ref().is_some_and(|known| known.role == Role::Network);
        let said = matches!(self.before, Some(Role::With | Role::Copula)) || in_network;
        // "WiFi: Office, key X"
        let role = match role {
            Role::Key | Role::MaybePassword if in_network => Role::Password,
            // "user: bob, pass X"
            Role::MaybePassword
                if self.line.has_options()
                    && !folded.starts_with("pin")
                    && text_before.trim_end().ends_with([',', ';', '/', '|']) =>
            {
                Role::Password
            }
            Role::Code => Role::Password,
            role => role,
        };
        let word_before = words::folded(&self.text[self.before_span.clone()]);
        let is_basic = folded == "auth" && word_before == "basic";
        let role = match role {
            Role::Token | Role::Key if self.is_chosen(word, folded) => Role::Password,
            Role::Password | Role::MaybePassword if self.is_heading(span.start) => Role::Login,
            Role::MaybePassword if is_basic => Role::Login,
            role => role,
        };
        let code = is_list
            || folded == "passcode"
            || words::is_pin(folded)
            || (matches!(role, Role::Password | Role::MaybePassword) && is_code_word(folded))
            || (matches!(role, Role::Token | Role::Key) && is_one_time(&word_before))
            || (role == Role::Key && matches!(word_before.as_ref(), "recovery" | "rescue"));
        let role = if code && role == Role::Key { Role::Token } else { role };
        self.is_polish = folded.starts_with("hasl");
        let is_variable = word.contains('_') && variable(word) == word;
        // `setx DB_PASSWORD X`
        let is_set = is_variable
            && matches!(word_before.as_ref(), "setx" | "setenv" | "env" | "x" | "gx")
            && text_before.ends_with(' ');
        self.context = Some(Context {
            role,
            is_variable,
            identifier: word.contains(['_', '-', '.']) || option || text_before.ends_with('<'),
            name,
            tie: if option || is_set {
                Tie::Option
            } else if role == Role::Program {
                Tie::Near
            } else {
                Tie::Direct
            },
            words: 0,
            values: 0,
            line_starts: self.walled != span.start
                && (starts_line(text_before) || starts_field(text_before)),
            said,
            governed: false,
            compound: false,
            is_capitals: names::is_capitals(word),
            placed: false,
            plural: is_list
                || (folded.ends_with('s')
                    && !matches!(folded, "geheimnis" | "pass")
                    && matches!(role, Role::Password | Role::Token | Role::Login)),
            phrase: is_phrase_word(folded) || is_phrase(text_before),
            code,
            listed: false,
            pairs: role == Role::Login
                && (CREDENTIALS.contains(&folded) || is_basic || self.is_heading(span.start)),
            command: (option && (has_option(text_before) || self.is_argument(word))) || is_set,
            lines: 0,
            implied: false,
        });
        self.before = Some(role);
        self.before_span = span;
    }

    /// Whether no secret follows a word for one: `sudo passwd anna` names a user, rsync's `auth users` are names, and
    /// "without a password:" explains.
    fn opens_nothing(&self, role: Role, span: &Range<usize>, folded: &str) -> bool {
        const WITHOUT: [&str; 10] =
            ["without", "ohne", "sans", "sin", "senza", "sem", "zonder", "bez", "utan", "uden"];
        let before = &self.text[..span.start];
        let user =
            folded == "passwd" && ["sudo ", "pveum ", "bin/"].iter().any(|at| before.ends_with(at));
        let users = folded == "auth" && self.text[span.end..].starts_with(" users");
        let last = words::folded(&self.text[self.before_span.clone()]);
        let none = matches!(role, Role::Password | Role::MaybePassword | Role::Token)
            && WITHOUT.contains(&last.as_ref());
        user || users || none || takes_nothing(before, &self.text[span.start..])
    }

    /// Whether `option`, a word for a password, is a command's option with a plain word as its argument.
    fn is_argument(&self, option: &str) -> bool {
        let text = self.open();
        let start = self.at + usize::from(text[self.at..].starts_with([' ', '=']));
        let rest = text[start..].trim_start_matches(['"', '\'']);
        let word = &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())];
        let dashed = option.len() >= 5 || text[..self.at - option.len()].ends_with("--");
        dashed && is_plain(word) && !is_tool(word)
    }

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
        // "setze das Passwort auf X"
        self.sets |= ["setz", "ander", "stell"].iter().any(|verb| folded.starts_with(verb));
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

/// Whether another option comes shortly before this one on the same line.
fn has_option(before: &str) -> bool {
    let from = before.ceil_char_boundary(before.len().saturating_sub(OPTIONS_BYTES));
    let line = before[from..].trim_end_matches('-').rsplit('\n').next().unwrap_or_default();
    line.contains(" -")
}

/// Whether a word announces a secret of several words.
fn is_phrase_word(folded: &str) -> bool {
    folded.contains("phrase")
        || matches!(
            folded,
            "mnemonic" | "frase" | "wachtzin" | "wachtwoordzin" | "kennsatz" | "passsatz" | "fraza"
        )
}

/// Whether a word is one for codes: "code", "código", "Zugangscode".
fn is_code_word(folded: &str) -> bool {
    ["otp", "tan", "code", "codes", "kod", "kody", "codigo", "codice", "codici"]
        .iter()
        .any(|code| folded.ends_with(code))
}
