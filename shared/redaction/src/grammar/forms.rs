//! Finds secrets in lines with a known form: `snmp-server community …`, `username ops secret 5 …`.
//!
//! Network gear, installers and servers write a secret after certain words, without any sign, and the secret may look
//! like any word. Each form is a line of words: `a|b` is either word, `_` any word, `#` a number, `#?` an optional
//! number, `*` the secret, `$` the end of the line, and `+` a secret that must look like one, or `!` one that must not
//! be a word about passwords, because the same words also begin sentences. `pass:*` is a secret after a mark in the
//! same word, `/user:~` a word that begins this way, `~password` a word that contains this, `-?b` flags with this
//! letter, and `_/*` or `_:*` a secret after a user's name.

mod list;

use super::Reader;
use super::cues::is_joined_title;
use super::plain::{is_plain, is_tool};
use crate::talk::{Says, says};
use crate::value::{Value, is_blank};
use crate::weight::{Weight, weigh};
use crate::words::Table;
use crate::{Raw, SecretKind, blocks};
use list::FORMS;
use std::ops::Range;
use std::sync::OnceLock;

/// How much of a line is compared with a form, in bytes.
const FORM_BYTES: usize = 256;

/// For each first word, the rest of the forms that begin with it.
struct Forms {
    first: Table<usize>,
    rest: Vec<Vec<&'static str>>,
}

fn forms() -> &'static Forms {
    static READ: OnceLock<Forms> = OnceLock::new();
    READ.get_or_init(|| {
        let mut words: Vec<&'static str> = Vec::new();
        let mut rest: Vec<Vec<&'static str>> = Vec::new();
        for (first, form) in FORMS.iter().filter_map(|form| form.split_once(' ')) {
            for word in first.split('|') {
                let at = words.iter().position(|known| *known == word).unwrap_or(words.len());
                if at == words.len() {
                    words.push(word);
                    rest.push(Vec::new());
                }
                rest[at].push(form);
            }
        }
        Forms { first: Table::of(words.into_iter().enumerate().map(|(at, word)| (word, at))), rest }
    })
}

/// The length of a secret without quotes after a user's name, for the part `_/*` or `_:*` of a form, before the rest of
/// a line.
fn secret_of_user(part: &str, (user, secret): (&str, &str), rest: &str) -> Option<usize> {
    // A host follows the secret of a database's program.
    let host = if part.starts_with("_/") { secret.rfind('@') } else { None };
    let bare = &secret[..host.unwrap_or(secret.len())];
    let secret = bare.trim_end_matches(['`', '"', '\'', ')', ',', ';']);
    // "does sqlplus read/write from a file?"
    let alone = part.starts_with("_:")
        || host.is_some()
        || weigh(secret) >= Weight::Name
        || !rest.starts_with(char::is_alphanumeric)
        || rest.starts_with("as ");
    let own = weigh(secret) >= Weight::Weak && blocks::is_password(secret);
    (!user.is_empty() && alone && (own || is_joined_title(secret, '.'))).then_some(secret.len())
}

/// Whether a word is what a part of a form allows: `-?b`, `/user:~`, `~password`, `a|b`.
fn is_word_of_form(word: &str, part: &str) -> bool {
    if let Some(letter) = part.strip_prefix("-?") {
        return word.strip_prefix('-').is_some_and(|letters| {
            letters.bytes().all(|b| b.is_ascii_alphanumeric()) && letters.contains(letter)
        });
    }
    if let Some(start) = part.strip_suffix('~') {
        return word.get(..start.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(start));
    }
    if part.starts_with('~') {
        let word = word.to_ascii_lowercase();
        return !word.contains('=')
            && part.split("|~").any(|part| word.contains(part.trim_start_matches('~')));
    }
    part.split('|').any(|known| word.eq_ignore_ascii_case(known))
}

impl Reader<'_> {
    /// Finds the secrets of a form whose first word ends here.
    pub(super) fn form(&mut self, first: &str, end: usize) -> bool {
        if !self.text.as_bytes().get(end).is_some_and(|b| is_blank(*b)) {
            return false;
        }
        let Some(at) = forms().first.get(first) else { return false };
        let text = self.open();
        let line = &text[end..text.floor_char_boundary(end + FORM_BYTES)];
        let line = end..end + line.find('\n').unwrap_or(line.len());
        let Some(found) = forms().rest[at].iter().find_map(|form| self.filled(form, &line)) else {
            return false;
        };
        for span in found {
            self.take(Raw::likely(span, "PASSWORD", SecretKind::Password));
        }
        true
    }

    /// The secrets in the rest of a line, if it has this form.
    fn filled(&mut self, form: &str, line: &Range<usize>) -> Option<Vec<Range<usize>>> {
        let mut found = Vec::new();
        let mut at = line.start;
        for part in form.split(' ') {
            let word_at = at + self.text[at..line.end].bytes().take_while(|b| is_blank(*b)).count();
            let word = &self.text[word_at..line.end];
            let word = &word[..word.find([' ', '\t']).unwrap_or(word.len())];
            if part == "$" && word.trim_end().is_empty() {
                continue;
            }
            if word.is_empty() || word_at == at {
                return None;
            }
            let is_number = word.len() <= 5 && word.bytes().all(|b| b.is_ascii_digit());
            match part {
                "#?" if !is_number => continue,
                "#" if !is_number => return None,
                "_/*" | "_:*" => {
                    let (user, secret) = word.split_once(&part[1..2])?;
                    let start = word_at + user.len() + 1;
                    // `scott/"wal nut"@db`
                    if secret.starts_with('"') {
                        found.push(self.argument(start)?.span);
                        return Some(found);
                    }
                    let rest = self.text[word_at + word.len()..line.end].trim_start();
                    let length = secret_of_user(part, (user, secret), rest)?;
                    found.push(start..start + length);
                }
                secret if secret.ends_with(['*', '+', '!']) => {
                    let (span, end) = self.secret_of_form(secret, (word_at, word), line)?;
                    found.push(span);
                    at = end;
                    continue;
                }
                "#" | "#?" | "_" => {}
                known if is_word_of_form(word, known) => {}
                _ => return None,
            }
            at = word_at + word.len();
        }
        Some(found)
    }

    /// The secret in a word of a line, for a part of a form such as `pass:*`, and where the rest of the line begins.
    fn secret_of_form(
        &mut self,
        part: &str,
        (word_at, word): (usize, &str),
        line: &Range<usize>,
    ) -> Option<(Range<usize>, usize)> {
        let least = if part.ends_with('+') { Weight::Name } else { Weight::Weak };
        // "openssl passwd -6 prompts me"
        if says(word) == Some(Says::Parts) {
            return None;
        }
        // "enable secret Walnut!" in a device's file, but "enable secret scanning!"
        let bare = word.trim_end_matches(['!', '?', '.']);
        let worded =
            part.ends_with('!') || (part.ends_with('+') && bare.chars().all(char::is_alphabetic));
        if worded && (!is_plain(bare) || is_tool(bare)) {
            return None;
        }
        let mark = &part[..part.len() - 1];
        let quote = usize::from(!mark.is_empty() && word.starts_with(['"', '\'']));
        let marked = word.get(quote..).is_some_and(|word| word.starts_with(mark));
        let start = word_at + quote + mark.len();
        let value = if marked { self.argument(start) } else { None };
        let value = value.filter(|value| value.weight >= least && value.span.end <= line.end)?;
        let (mut span, mut at) = (value.span.clone(), value.span.end + usize::from(value.quoted));
        // `enable secret Walnut?`: a line of a device has no marks of its own.
        if self.text[at..line.end].trim_end() == "?" && self.is_line(line.start) {
            (span.end, at) = (at + 1, at + 1);
        }
        Some((span, at))
    }

    /// Whether only the first word of a line is before this place.
    fn is_line(&self, at: usize) -> bool {
        let before = self.sentence_before(at).trim_start_matches([' ', '\t']);
        !before.contains(' ') && !before.is_empty()
    }

    /// The argument of a command that begins here, with or without quotes.
    fn argument(&mut self, at: usize) -> Option<Value> {
        let start = at + usize::from(self.text[at..].starts_with(['"', '\'']));
        let found = self.values.candidate(self.open(), start)?;
        let value = &self.text[found.span.clone()];
        // `$1$…`: a hash that a device accepts in place of the password.
        let hash =
            value.starts_with('$') && value.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        (!value.starts_with('-') && (hash || found.quoted || blocks::is_password(value)))
            .then_some(found)
    }

    /// The password after `<<<`, for a program that reads one.
    pub(super) fn here_string(&mut self) -> bool {
        const MARK: &str = "<<<";
        if !self.line.reads || !self.open()[self.at..].starts_with(MARK) {
            return false;
        }
        let rest = &self.text[self.at + MARK.len()..];
        let start = self.at + MARK.len() + rest.bytes().take_while(|b| is_blank(*b)).count();
        let found = self.argument(start).filter(|value| value.weight >= Weight::Weak);
        let Some(found) = found else { return false };
        self.take(Raw::likely(found.span, "PASSWORD", SecretKind::Password));
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_sign_at_the_end_of_a_line_of_a_device_belongs_to_the_value() {
        for (text, secret) in [
            ("enable secret Walnut!", "Walnut!"),
            ("hostname r1\nenable secret Walnut?\nline vty 0 4", "Walnut?"),
            ("username kim secret Walnut!", "Walnut!"),
            (" ip ftp password Walnut!", "Walnut!"),
            ("radius-server key walnut7?", "walnut7?"),
            ("please enable secret walnut7.", "walnut7"),
            ("fastcgi_param DB_PASS walnut;", "walnut"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in ["enable secret scanning!", "enable password authentication?"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_user_comes_before_the_secret_in_the_same_word() {
        for (text, secret) in [
            ("  stats auth ops:walnut_grove", "walnut_grove"),
            ("we have `stats auth ops:walnut-grove` there", "walnut-grove"),
            ("sqlplus scott/walnut@db1", "walnut"),
            ("sqlplus -L -S scott/walnut @report.sql", "walnut"),
            ("sqlplus -s scott/\"wal nut\"@db1", "wal nut"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "stats auth $USER:$PASS",
            "sqlplus / as sysdba",
            "sqlplus /nolog",
            "sqlplus app/$APP_PW@db1",
            "sqlplus ${USER}/${PW}@db1",
            "sqlplus app@db1",
            "does sqlplus read/write from a file?",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
