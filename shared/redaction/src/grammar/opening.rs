//! Words that open a context, or refer to the text before it.

use super::before::{starts_field, starts_line};
use super::context::{Context, Tie};
use super::machines::is_long_name;
use super::plain::{is_plain, is_tool};
use super::{Called, Reader, Role};
use crate::command::takes_nothing;
use crate::names::{self, variable};
use crate::things::is_hyphenated_secret;
use crate::weight::{Weight, is_hex, weigh};
use crate::words::{self, fold, is_one_time, is_rescue};
use crate::{Raw, SecretKind, bare};
use std::borrow::Cow;
use std::ops::Range;

/// Whether a word for a password is part of "phrase secrète", "frase de contraseña".
fn is_phrase(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    let before =
        before.strip_suffix(" de").or_else(|| before.strip_suffix(" di")).unwrap_or(before);
    before.ends_with("rase")
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

/// A word that opens a context.
struct Opener<'t> {
    word: &'t str,
    folded: &'t str,
    /// The text before it.
    before: &'t str,
    /// The word before it, folded.
    word_before: Cow<'t, str>,
}

impl Opener<'_> {
    /// "basic auth"
    fn is_basic(&self) -> bool {
        self.folded == "auth" && self.word_before == "basic"
    }

    /// Whether a word with this role announces a code: "passcode", "recovery key".
    fn is_for_codes(&self, role: Role) -> bool {
        self.folded == "passcode"
            || words::is_pin(self.folded)
            || (matches!(role, Role::Password | Role::MaybePassword) && is_code_word(self.folded))
            || (matches!(role, Role::Token | Role::Key) && is_one_time(&self.word_before))
            || (role == Role::Key && matches!(self.word_before.as_ref(), "recovery" | "rescue"))
    }
}

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
        let name =
            names::proposed(role, word, folded, &self.text[self.before_span.clone()], self.before);
        self.take_called(role, &name);
        self.take_said_before(role, &span, &name);
        self.pipes_into(role, word, folded);
        if self.opens_nothing(role, &span, folded) {
            return;
        }
        let word_before = words::folded(&self.text[self.before_span.clone()]);
        let opener = Opener { word, folded, before: &self.text[..span.start], word_before };
        let context = self.context_at(&opener, role, name);
        self.is_polish = folded.starts_with("hasl");
        self.before = Some(context.role);
        self.context = Some(context);
        self.before_span = span;
    }

    /// Takes the word with a digit that a word for a secret names: "use X for the password".
    fn take_called(&mut self, role: Role, name: &str) {
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
                self.found.push(Raw::likely(value, name, SecretKind::of(role)));
            }
        }
    }

    /// Takes the value that a clause says before the word for it.
    fn take_said_before(&mut self, role: Role, span: &Range<usize>, name: &str) {
        let chosen = matches!(role, Role::Password | Role::MaybePassword);
        // "use lantern-saddle-gravel as the secret"
        let worded =
            |value: &Range<usize>| chosen || is_hyphenated_secret(&self.text[value.clone()]);
        let joined = || self.sentence_before(span.start).matches('-').nth(1).is_some();
        if (chosen || (role == Role::Token && joined()))
            && self.text[..span.start].ends_with([' ', '\''])
            && let Some(value) = self.said_before(span.start).or_else(|| self.mirrored(span))
            && worded(&value)
        {
            self.found.push(Raw::likely(value, name, SecretKind::Password));
        }
    }

    /// The context that a word for a secret opens.
    fn context_at(&self, opener: &Opener<'_>, role: Role, name: String) -> Context {
        let Opener { word, folded, before, .. } = *opener;
        let start = before.len();
        let option = self.byte_before(start) == Some(b'-') && !before.ends_with(" - ");
        let is_list = role == Role::Code;
        let in_network = self.context.as_ref().is_some_and(|known| known.role == Role::Network);
        let role = self.role_in_place(opener, role, in_network);
        let code = is_list || opener.is_for_codes(role);
        let role = if code && role == Role::Key { Role::Token } else { role };
        let is_variable = word.contains('_') && variable(word) == word;
        // `setx DB_PASSWORD X`
        let is_set = is_variable
            && matches!(opener.word_before.as_ref(), "setx" | "setenv" | "env" | "x" | "gx")
            && before.ends_with(' ');
        Context {
            role,
            is_variable,
            identifier: word.contains(['_', '-', '.']) || option || before.ends_with('<'),
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
            line_starts: self.walled != start && (starts_line(before) || starts_field(before)),
            said: matches!(self.before, Some(Role::With | Role::Copula)) || in_network,
            governed: false,
            compound: false,
            is_capitals: names::is_capitals(word),
            placed: false,
            plural: is_list
                || (folded.ends_with('s')
                    && !matches!(folded, "geheimnis" | "pass")
                    && matches!(role, Role::Password | Role::Token | Role::Login)),
            phrase: is_phrase_word(folded) || is_phrase(before),
            code,
            listed: false,
            pairs: role == Role::Login
                && (CREDENTIALS.contains(&folded) || opener.is_basic() || self.is_heading(start)),
            command: (option && (has_option(before) || self.is_argument(word))) || is_set,
            lines: 0,
            implied: false,
        }
    }

    /// The role that a word for a secret has in its place.
    fn role_in_place(&self, opener: &Opener<'_>, role: Role, in_network: bool) -> Role {
        let Opener { word, folded, before, .. } = *opener;
        // "WiFi: Office, key X"
        let role = match role {
            Role::Key | Role::MaybePassword if in_network => Role::Password,
            // "user: bob, pass X"
            Role::MaybePassword
                if self.line.has_options()
                    && !folded.starts_with("pin")
                    && before.trim_end().ends_with([',', ';', '/', '|']) =>
            {
                Role::Password
            }
            Role::Code => Role::Password,
            role => role,
        };
        match role {
            Role::Token | Role::Key if self.is_chosen(word, folded) => Role::Password,
            Role::Password | Role::MaybePassword if self.is_heading(before.len()) => Role::Login,
            Role::MaybePassword if opener.is_basic() => Role::Login,
            role => role,
        }
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
