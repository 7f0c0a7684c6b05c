//! Tokens that look as random as a password but are not one: amounts of money, names of firms, and parts of commands.

use super::class::Class;
use super::features;
use super::tokens::Token;
use crate::identifiers::is_identifier;
use std::ops::Range;

/// The most tokens of a message in which a secret may come without any word for one: an answer, or a correction.
const SHORT: usize = 32;
/// The most tokens of a message in which that word may be more than a line away.
const LONG: usize = 64;
/// Programs that sign in to a host, and how far before it they are, in tokens.
const PROGRAMS: [&str; 7] = ["ssh", "scp", "sftp", "rsync", "mosh", "ssh-copy-id", "sshfs"];
const NEAR: usize = 8;
/// Last words of the names of settings that hold no secret.
const SETTINGS: [&str; 27] = [
    "name",
    "model",
    "engine",
    "provider",
    "method",
    "type",
    "backend",
    "mode",
    "host",
    "hostname",
    "url",
    "uri",
    "driver",
    "algorithm",
    "alg",
    "region",
    "version",
    "image",
    "tag",
    "issuer",
    "realm",
    "scheme",
    "port",
    "database",
    "dbname",
    "bucket",
    "path",
];
/// How far back the start of an address is looked for, in bytes.
const ADDRESS_BYTES: usize = 120;
/// How much of its line before and after a token is read, in tokens.
const LINE: usize = 16;
/// What only lines of a shell have.
const SHELL: [&str; 8] = [" && ", " || ", " | ", "; ", "$(", " --", "=$", " >"];

/// The ordinary tokens of a message.
pub struct Ordinary<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Where it shows code between backticks, or a line of a shell.
    code: Vec<Range<usize>>,
}

impl<'a> Ordinary<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token]) -> Self {
        Self { text, tokens, code: code(text) }
    }

    /// Whether no odd look makes this token a secret. Next to a word for a secret, only an amount of
    /// money and a label are ordinary.
    pub fn is(&self, at: usize) -> bool {
        let span = &self.tokens[at].span;
        let word = &self.text[span.clone()];
        if is_amount(word)
            || is_size(word)
            || is_date(word)
            || self.is_account(at, word)
            || self.is_of_phone(span)
            || is_label(self.text, span)
            || self.is_setting(at)
            || self.is_compared(at)
            || self.is_login(at, word)
        {
            return true;
        }
        if features::is_invited(self.tokens, at) {
            // The word for a secret may be on another line, but in a long text it is not far away.
            let far = self.tokens.len() > LONG && !self.is_invited_within(at, 2);
            return far || (!self.is_invited_within(at, 1) && is_identifier(self.text, span));
        }
        let next = self.code.partition_point(|range| range.end <= span.start);
        let in_code = self.code.get(next).is_some_and(|range| range.start <= span.start);
        in_code
            || is_firm(word)
            || expands(word)
            || self.tokens.len() > SHORT
            || self.is_in_address(span)
            || is_identifier(self.text, span)
    }

    /// Whether a word often comes with a secret that is on the same line, or on one of so many lines up to it.
    pub fn is_invited_within(&self, at: usize, lines: usize) -> bool {
        let Some(last) = self.tokens.get(..=at) else { return false };
        let before = last.iter().rev().scan(lines, |left, token| {
            let inside = *left > 0;
            *left = left.saturating_sub(usize::from(token.starts_line));
            inside.then_some(token)
        });
        let mut after = self.tokens[at + 1..].iter().take_while(|token| !token.starts_line);
        before.take(lines * LINE).any(|token| token.class.invites())
            || after.by_ref().take(LINE).any(|token| token.class.invites())
    }

    /// Whether a token is a part of an address, or the query of one.
    fn is_in_address(&self, span: &Range<usize>) -> bool {
        let from = self.text.floor_char_boundary(span.start.saturating_sub(ADDRESS_BYTES));
        let begun = self.text[from..span.start].rsplit(char::is_whitespace).next();
        let word = &self.text[span.clone()];
        begun.is_some_and(|begun| begun.contains("://"))
            || (word.starts_with('?') && word.contains('='))
    }

    /// Whether a token is a user at a host, and no word before it announces a password: "one for ubuntu@auth-01".
    fn is_account(&self, at: usize, word: &str) -> bool {
        let host = word.split_once('@').map(|(_, host)| host).unwrap_or_default();
        is_user_at_host(word)
            && host.starts_with(|c: char| c.is_ascii_lowercase())
            && !matches!(features::cue(self.tokens, at), Some(Class::Password | Class::Code))
    }

    /// Whether a token belongs to a phone number: "+49 30 9377366".
    fn is_of_phone(&self, span: &Range<usize>) -> bool {
        const BYTES: usize = 12;
        let from = self.text.floor_char_boundary(span.start.saturating_sub(BYTES));
        let sign = |c: char| c.is_ascii_digit() || " ()-/".contains(c);
        let head = self.text[from..span.start].trim_end_matches(sign);
        let between = &self.text[from + head.len()..span.start];
        self.text[span.clone()].bytes().all(|b| b.is_ascii_digit())
            && head.ends_with('+')
            && between.contains(|c: char| c.is_ascii_digit())
    }

    /// Whether a token is the value of a setting or an option that holds no secret: `AUTH_PROVIDER=keycloak24`,
    /// `--info=progress2`.
    fn is_setting(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let key = at.checked_sub(1).map(|key| &self.tokens[key]);
        "=:".contains(token.before)
            && key.is_some_and(|key| {
                let last = key.folded.rsplit(['_', '-', '.']).next().unwrap_or_default();
                let head = &self.text[..key.span.end];
                let named = head.rsplit(' ').next().unwrap_or_default();
                let option = token.before == '=' && named.starts_with("--") && !key.class.invites();
                if option {
                    return true;
                }
                key.span.end + 1 >= token.span.start.saturating_sub(1)
                    && last.len() < key.folded.len()
                    && SETTINGS.contains(&last)
            })
    }

    /// Whether a script compares a variable with it: `[ "$PASSWORD" == "x1y2" ]`.
    fn is_compared(&self, at: usize) -> bool {
        let before = self.text[..self.tokens[at].span.start].trim_end_matches(['"', '\'', ' ']);
        let name = ["==", "!=", "=~"].iter().find_map(|sign| before.strip_suffix(sign));
        name.is_some_and(|name| {
            let name = name.trim_end_matches(['"', '\'', ' ']);
            name.rsplit([' ', '"', '\'']).next().is_some_and(|name| name.starts_with('$'))
        })
    }

    /// Whether a token says to a program where to sign in, and as whom.
    fn is_login(&self, at: usize, word: &str) -> bool {
        let near = &self.tokens[at.saturating_sub(NEAR)..at];
        is_user_at_host(word) && near.iter().any(|token| PROGRAMS.contains(&token.folded.as_str()))
    }
}

/// Whether a text is a user at a host: `deploy@web1`.
fn is_user_at_host(word: &str) -> bool {
    word.split_once('@').is_some_and(|(user, host)| {
        let name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.:".contains(c);
        let is_name = |part: &str| !part.is_empty() && part.chars().all(name);
        is_name(user) && is_name(host)
    })
}

/// The parts of a message that are code.
fn code(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let ticks: Vec<usize> = text.match_indices('`').map(|(at, _)| at).collect();
    found.extend(ticks.chunks_exact(2).map(|pair| pair[0]..pair[1]));
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        // Most lines end here.
        let may = line.bytes().any(|b| matches!(b, b'&' | b'|' | b';' | b'$' | b'-' | b'>'));
        if may && SHELL.iter().any(|sign| line.contains(sign)) {
            found.push(start..start + line.len());
        }
        start += line.len();
    }
    found.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in found {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Whether a shell would replace a part of it: "line-$n".
fn expands(word: &str) -> bool {
    if word.contains(['!', '^', '#', '*', '&', '@']) {
        return false;
    }
    let mut rest = word.split('$').skip(1);
    rest.any(|name| {
        name.starts_with(['{', '(']) || name.starts_with(|c: char| c.is_ascii_lowercase())
    })
}

/// Whether a token is all of its line up to a colon: `Retype:`, as programs and forms ask.
fn is_label(text: &str, span: &Range<usize>) -> bool {
    let word = text[span.clone()].trim_end_matches(':');
    let after = &text[span.start + word.len()..];
    let ends = after
        .strip_prefix(':')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
    let starts = span.start == 0 || text[..span.start].ends_with('\n');
    starts && (ends || is_button(text, span)) && word.chars().all(char::is_alphabetic)
}

/// Whether a word is alone on its line, below two labels of a form: `Password:`, `Repeat it:`, `Submit`.
fn is_button(text: &str, span: &Range<usize>) -> bool {
    const FORM_BYTES: usize = 120;
    let from = text.floor_char_boundary(span.start.saturating_sub(FORM_BYTES));
    let mut above = text[from..span.start].lines().rev();
    let alone = text[span.end..].is_empty() || text[span.end..].starts_with(['\n', '\r']);
    alone && (0..2).all(|_| above.next().is_some_and(|line| line.trim_end().ends_with(':')))
}

/// Signs of currencies.
const CURRENCIES: &str = "€$£¥₹₽₺₩";

/// Whether a token is an amount of money, perhaps for each of something: "40€/Monat", "~US$120.50/month".
fn is_amount(word: &str) -> bool {
    let (amount, per) = word.split_once('/').unwrap_or((word, ""));
    let signs = amount.chars().filter(|c| CURRENCIES.contains(*c)).count();
    let number = amount.trim_start_matches(['~', '<', '>', '≤', '≥', '±']);
    let number = number.strip_prefix("US").or_else(|| number.strip_prefix("CA")).unwrap_or(number);
    let plain = |c: char| c.is_ascii_digit() || ".,'’-–".contains(c) || CURRENCIES.contains(c);
    let rest = number.strip_suffix(['k', 'K', 'm', 'M']).unwrap_or(number);
    signs == 1
        && rest.contains(|c: char| c.is_ascii_digit())
        && rest.chars().all(plain)
        && per.chars().all(|c| c.is_alphabetic() || c == '.')
}

/// Whether a token is a date: "2025-06-11".
fn is_date(word: &str) -> bool {
    const FORM: &[u8] = b"0000-00-00";
    let fits = |(byte, form): (u8, &u8)| {
        if *form == b'0' { byte.is_ascii_digit() } else { byte == *form }
    };
    word.len() == FORM.len() && word.bytes().zip(FORM).all(fits)
}

/// Whether a token is a size of data: "200gb", "64GiB".
fn is_size(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < word.len()
        && [
            "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "mo", "go", "to", "gbit", "mbit",
            "mbps",
        ]
        .contains(&unit.to_ascii_lowercase().as_str())
}

/// Whether a token is names that "&" joins, as firms have them: "Müller&Söhne".
fn is_firm(word: &str) -> bool {
    let is_name = |part: &str| {
        let mut chars = part.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_alphabetic)
    };
    word.contains('&') && word.split('&').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_money_are_ordinary() {
        for word in [
            "40€/Monat",
            "35,50€/Monat",
            "$120/mo",
            "~US$1.500/year",
            "£40",
            "10-20€/Tag",
            "$5k/month",
        ] {
            assert!(is_amount(word), "{word}");
        }
        for word in ["pa$$w0rd", "Hugo$5", "40/Monat", "€", "$", "5€Monat7", "9$/x7Kq", "4$2€"]
        {
            assert!(!is_amount(word), "{word}");
        }
    }

    #[test]
    fn sizes_and_phone_numbers_are_ordinary() {
        for word in ["200gb", "64GiB", "500mbit"] {
            assert!(is_size(word), "{word}");
        }
        for word in ["gb", "200walnut", "2gb7"] {
            assert!(!is_size(word), "{word}");
        }
        for text in [
            "the PIN never came to +49 30 9377366",
            "Please remove her key from all servers, its comment is kim@xps13.",
            "| ingest | staging/metrics/token | 2025-06-11 | Kim |",
        ] {
            assert!(crate::model::find(text, &[]).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_value_of_an_option_is_ordinary() {
        for text in ["rsync -a --info=progress2 /srv/ nas:/srv/", "run it with --format=xml7"] {
            assert!(crate::model::find(text, &[]).is_empty(), "{text}");
        }
    }

    #[test]
    fn parts_of_commands_are_code() {
        for (text, shown) in [
            ("run `echo line-$n` now", "echo line-$n"),
            ("a\nps aux | grep X7-q\nb", "ps aux | grep X7-q"),
            ("a `b` c; d", "a `b` c; d"),
        ] {
            let all: String = code(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(all.trim_matches(['`', '\n']), shown, "{text}");
        }
        assert!(code("it's Marlowe!77, honestly").is_empty());
    }

    #[test]
    fn names_of_firms_are_ordinary() {
        for word in ["Müller&Söhne", "B&B", "Johnson&Johnson", "Smith&Wesson&Co"] {
            assert!(is_firm(word), "{word}");
        }
        for word in ["Blau&weiss", "Müller&Söhne7", "&Söhne", "Müller&", "Sommer"] {
            assert!(!is_firm(word), "{word}");
        }
    }
}
