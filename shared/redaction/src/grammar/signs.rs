//! How signs and line ends change a context.

use super::context::Tie;
use super::machines::is_long_name;
use super::{Called, Reader, Role};
use crate::command::CommandLine;
use crate::weight::{Weight, is_hex, weigh};
use crate::words::lists;
use std::ops::Range;

/// How much of a line is read after a sign, in bytes.
const LINE_BYTES: usize = 128;
/// The longest prompt before its word for a secret, in bytes.
const PROMPT_BYTES: usize = 48;

impl Reader<'_> {
    /// Ends a line, its commands, and most contexts.
    pub(super) fn line_ends(&mut self) {
        self.at += 1;
        let rest = &self.text[self.at..];
        let blank = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let continued = self.text[..self.at - 1].trim_end_matches('\r').ends_with('\\');
        if !continued {
            self.line = CommandLine::default();
            (self.echoed, self.echo) = (None, false);
        }
        // The last column of a table: `host,user,auth`.
        let heads = self.before_span.end + 1 == self.at
            && self.byte_before(self.before_span.start) == Some(b',')
            && self.text[self.before_span.clone()].eq_ignore_ascii_case("auth");
        if heads {
            self.context = None;
        }
        (self.digits, self.sets, self.changed) = (None, false, None);
        self.before = None;
        if !continued
            && let Some(context) = &mut self.context
            && !context.next_line(blank)
        {
            self.context = None;
        }
        if !continued && self.context.is_none() {
            self.quiet_line();
        }
    }

    /// Whether a text can only be a password, so that a comma does not separate it from its word.
    fn is_made(&self, span: &Range<usize>) -> bool {
        let value = &self.text[span.clone()];
        weigh(value) == Weight::Strong && value.len() >= 8 && !is_hex(value) && !is_long_name(value)
    }

    /// Whether the word for a password is a path in the program before a pipe, or a program comes after the pipe:
    /// `yq '.db.password' | pbcopy`.
    fn is_piped_on(&self, rest: &str) -> bool {
        const READERS: &str = "base64 pbcopy xclip xsel wl-copy clip xargs head tail cut tr sed awk grep jq yq tee cat less \
             sort uniq wc gpg openssl age sops sudo sh bash kubectl docker while";
        let line = &rest[..rest.floor_char_boundary(LINE_BYTES)];
        let line = line.split('\n').next().unwrap_or_default();
        let program = line.strip_prefix(' ').and_then(|line| line.split(' ').next());
        self.byte_before(self.before_span.start) == Some(b'.')
            || (!line.contains('|') && program.is_some_and(|program| lists(READERS, program)))
    }

    /// Whether a placeholder in angle brackets ends here, and not the tag of an element: `<your-password>`.
    fn is_stand_in(&self, rest: &str) -> bool {
        let line = &rest[..rest.floor_char_boundary(LINE_BYTES)];
        let line = line.split('\n').next().unwrap_or_default();
        self.before_span.end + 1 == self.at
            && self.byte_before(self.before_span.start) == Some(b'<')
            && !line.contains("</")
    }

    /// Whether the text that begins here only refers to a value: `PASS="$(pass show db)"` names a program, `${PASS}` and
    /// psql's `PASSWORD :'pw'` a variable, and the words of `=<generate-with-openssl>` stand for a value.
    pub(super) fn refers_here(&self) -> bool {
        let before = &self.text.as_bytes()[..self.at];
        if [&b"$("[..], b"${", b" :'"].iter().any(|sign| before.ends_with(sign)) {
            return true;
        }
        if self.byte_before(self.at) != Some(b'<') {
            return false;
        }
        let rest = &self.open()[self.at..];
        let rest = &rest[..rest.floor_char_boundary(LINE_BYTES)];
        let word = |c: char| c.is_ascii_lowercase() || matches!(c, '-' | '_' | ' ');
        rest.split_once('>').is_some_and(|(inner, _)| inner.chars().all(word))
    }

    /// Whether the stars that begin here are in place of the value: `password=*** retry=3`. Stars after a colon are those of
    /// Markdown: `***Password:*** X`.
    fn is_hidden(&self) -> bool {
        let before = self.byte_before(self.at - 1);
        let after = self.text[self.at..].trim_start_matches('*');
        matches!(before, Some(b'=' | b' '))
            && self.text[self.at..].starts_with("**")
            && after.chars().next().is_none_or(|c| c.is_whitespace() || "\"',;&)".contains(c))
    }

    /// Whether the quote at this place ends a prompt that began before the word for a secret: `read -p "Password: " PW`.
    pub(super) fn is_prompt(&self, at: usize) -> bool {
        let Some(quote) = self.text[at..].chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return false;
        };
        let from =
            self.text.floor_char_boundary(self.before_span.start.saturating_sub(PROMPT_BYTES));
        let before = &self.text[from..self.before_span.start];
        let before = before.rsplit('\n').next().unwrap_or_default();
        let opens = before
            .rfind(quote)
            .is_some_and(|at| !before[..at].ends_with(|c: char| c.is_alphanumeric() || c == quote));
        let asked = &self.text[self.before_span.end..at];
        opens && !asked.contains(['"', '\'']) && asked.ends_with([' ', ':', '?'])
    }

    /// Whether the quote before this byte ends a prompt: `getpass("Password: ")`.
    fn ends_prompt(&self, next: Option<u8>) -> bool {
        let asked = &self.text[..self.at - 1];
        let apart = asked.ends_with(": ") || asked.ends_with("? ");
        match next {
            Some(b')') => apart || asked.ends_with([':', '?']),
            Some(next) => {
                apart && (next.is_ascii_whitespace() || matches!(next, b';' | b',' | b']'))
            }
            None => apart,
        }
    }

    /// Whether a reference follows at once, after `:`, or in the next cell: `web1,"{{secret:PASSWORD}}"`. The text
    /// before it is then a name, or the rest of a value.
    pub(super) fn is_joined_to_wall(&self, end: usize) -> bool {
        let rest = &self.open()[end..];
        let rest = rest.strip_suffix(['"', '\'']).unwrap_or(rest);
        self.wall() < self.text.len() && matches!(rest, "" | ":" | "/" | "%" | "|" | ",")
    }

    /// Reads a character that is not part of a word.
    pub(super) fn sign(&mut self, byte: u8) {
        let rest = &self.text[self.at + 1..];
        let next = rest.bytes().next();
        let alone = next.is_none_or(|b| b.is_ascii_whitespace());
        self.at += 1;
        let before = self.before;
        self.echo &= !matches!(byte, b';' | b'|' | b'&');
        if alone && matches!(byte, b';' | b'.') {
            self.digits = None;
        }
        if alone && byte == b',' && self.digits.as_ref().is_some_and(|span| !self.is_made(span)) {
            self.digits = None;
        }
        let quoted = self.text[..self.at - 1].ends_with(['"', '\''])
            && rest.trim_start_matches(' ').starts_with(['"', '\'']);
        // "X <- the root password"
        if byte == b'<' && next == Some(b'-') && self.digits.is_some() {
            self.called = Called::Yes;
        }
        let ends_line = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let pipes = self.echoed.is_some() || (byte == b'|' && self.is_piped_on(rest));
        let stands_in = byte == b'>' && alone && self.is_stand_in(rest);
        let hidden = byte == b'*' && self.is_hidden();
        let asks = matches!(byte, b'"' | b'\'') && self.ends_prompt(next);
        let Some(context) = &mut self.context else { return };
        match byte {
            _ if hidden || asks => self.context = None,
            b':' | b'=' => {
                let named = match before {
                    Some(Role::Subject) => !context.governed,
                    before => before == Some(Role::Name),
                };
                context.tie = match context.tie {
                    _ if named => Tie::Subject,
                    // `user:` in "login: root:secret"
                    Tie::Near if context.values > 0 && !alone => Tie::Slash,
                    _ => Tie::Sign,
                };
            }
            b'|' if pipes && self.echoed.is_none() => self.context = None,
            b'>' if stands_in => context.tie = Tie::Near,
            b'|' if context.lines == 0 && !pipes => context.tie = Tie::Sign,
            b'>' if context.words == 0
                || (context.words <= 2 && (!alone || self.text[..self.at].ends_with("->"))) =>
            {
                context.tie = Tie::Sign;
            }
            // `define('DB_PASSWORD', '…')`
            b',' if context.is_variable && context.words + context.values == 0 && quoted => {
                context.tie = Tie::Sign;
            }
            b'-' if alone && self.text[..self.at - 1].ends_with(' ') => {
                context.tie = if context.words <= 3 { Tie::Copula } else { Tie::Near };
            }
            b'/' if alone => context.tie = Tie::Slash,
            b',' | b'&' | b'+' => {
                context.tie = if context.values > 0 { Tie::And } else { Tie::Near };
            }
            // The end of a statement: "IDENTIFIED VIA unix_socket;"
            b';' if context.words > 0 && ends_line => self.context = None,
            b'{' | b'}' | b';' => context.tie = Tie::Near,
            // "The root password? X"
            b'?' if alone && context.words + context.values == 0 => context.tie = Tie::Asked,
            b'.' if self.text[..self.at].ends_with("...") => {}
            b'.' | b'!' | b'?' if alone => self.context = None,
            _ => {}
        }
    }
}

/// The length of a YAML tag that refers to a value, or of an encrypted value: `!Ref DbPassword`, `!vault`.
pub(super) fn tag(text: &str) -> usize {
    const TAGS: [&str; 14] = [
        "Ref",
        "Sub",
        "GetAtt",
        "ImportValue",
        "Join",
        "Select",
        "Split",
        "FindInMap",
        "If",
        "Transform",
        "vault",
        "secret",
        "reference",
        "env",
    ];
    // `ENC[AES256_GCM,data:…]`: the value is encrypted.
    if text.starts_with("ENC[") {
        return text.split(['\n', ']']).next().map_or(0, str::len);
    }
    if !text.starts_with('!') {
        return 0;
    }
    let length = text[1..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len() - 1);
    let known = TAGS.contains(&&text[1..=length]);
    if known && text[1 + length..].starts_with([' ', '\n']) { 1 + length } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn the_cell_before_a_secret_is_not_a_part_of_it() {
        let text = "name,host,password\nweb1,10.0.0.4,\"kx9,pq!7\"\nweb2,10.0.0.5,mango77tree";
        assert_eq!(found(text), ["kx9,pq!7", "mango77tree"]);
    }

    #[test]
    fn words_in_angle_brackets_stand_for_a_value() {
        for text in [
            "DB_PASSWORD=<generate-with-openssl>",
            "password: <generate with openssl>",
            "POSTGRES_PASSWORD=<generate_me>\nREDIS_PASSWORD=$REDIS_PW",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found("<password>walnut</password>"), ["walnut"]);
    }
}
