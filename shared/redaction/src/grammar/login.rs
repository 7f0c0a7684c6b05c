//! Finds passwords next to their users, and in options of programs.

use super::Reader;
use super::cues::is_mixed;
use super::fields::{is_assignment, is_role};
use super::machines::is_long_name;
use super::plain::ends_clause;
use crate::command::Takes;
use crate::talk::{Says, says};
use crate::things::{is_named_thing, is_stand_in};
use crate::value::paired;
use crate::weight::{Weight, is_hex, weigh};
use crate::words::Table;
use crate::{Raw, SecretKind, blocks};
use std::ops::Range;
use std::sync::OnceLock;

/// Users that every system has: `root:…` needs no other word.
const USERS: &str = "root admin administrator postgres ubuntu debian deploy user ec2-user mysql sa test guest pi vagrant \
     tomcat jenkins wordpress";

/// Users with whom only a password is listed: `root / toor`.
const LONE_USERS: [&str; 3] = ["root", "pi", "vagrant"];
/// Users that are not also the names of programs or machines.
const SIGNING: [&str; 6] = ["root", "admin", "Admin", "administrator", "Administrator", "sa"];
/// The least length of a password beside such a user within a sentence, in bytes.
const MIXED_BYTES: usize = 8;
/// Words other than passwords that may follow these users.
const OTHERS: [&str; 12] = [
    "boot", "home", "sudo", "wheel", "data", "swap", "https", "backup", "docker", "ubuntu",
    "debian", "deploy",
];

/// Whether every system has this user.
pub fn is_user(name: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(USERS)).get(name).is_some()
}

/// What may come between a user and the password, after a space.
const SIGNS: [&str; 10] = ["/ ", "// ", "| ", "-> ", "- ", ", ", ": ", ":: ", "(", ""];

/// The longest host name after a user that is read, in bytes. Longer host names do not exist.
const HOST_BYTES: usize = 254;
/// The longest word of an option that is read, in bytes.
const OPTION_BYTES: usize = 256;

impl Reader<'_> {
    /// The password that a program's option takes.
    pub(super) fn option(&mut self) -> Option<Raw> {
        let rest = &self.text[self.at..self.wall()];
        let may_take = match self.line.has_program() {
            true => rest.starts_with(['-', '/']),
            false => self.line.has_options() && rest.starts_with("-p "),
        };
        if !may_take {
            return None;
        }
        // The name of an option is short. Without this limit, a long text without spaces would be read to its end many
        // times.
        let rest = &rest[..rest.floor_char_boundary(OPTION_BYTES)];
        let word = &rest[..rest.find([' ', '\t', '\n']).unwrap_or(rest.len())];
        let (takes, skipped) = self.line.option(word)?;
        let mut start = self.at + skipped;
        if word.len() == skipped {
            if takes == Takes::Attached {
                return None;
            }
            let blank = self.text[start..].bytes().take_while(|b| *b == b' ').count();
            start += blank;
        }
        if self.text[start..].starts_with(['"', '\'']) {
            start += 1;
        }
        let found = self.values.candidate(self.open(), start)?;
        let span = match takes {
            Takes::Pair => {
                let value = &self.text[found.span.clone()];
                let user = value.find([':', '%', ','])?;
                found.span.start + user + 1..found.span.end
            }
            Takes::Attached | Takes::Either | Takes::Next | Takes::After => found.span,
        };
        let value = &self.text[span.clone()];
        let least = if self.line.has_program() { Weight::Weak } else { Weight::Strong };
        // `-w 0rchard`
        let mixed = self.line.has_program()
            && value.contains(|c: char| c.is_ascii_alphabetic())
            && value.contains(|c: char| c.is_ascii_digit())
            && !is_stand_in(value);
        // `net use … /user:kim asks for a password`
        let told = takes == Takes::After && says(value) == Some(Says::Parts);
        (!told && (mixed || weigh(value) >= least) && blocks::is_password(value))
            .then(|| Raw::likely(span, "PASSWORD", SecretKind::Password))
    }

    /// `root:S3cret!pw`, `admin / hunter22`, without any context.
    pub(super) fn pair_of_user(&mut self, start: usize, end: usize) -> bool {
        if !(is_user(&self.text[start..end]) || SIGNING.contains(&&self.text[start..end]))
            || self.text[..start].ends_with("//")
        {
            return false;
        }
        let after = &self.text[end..];
        let joined = after.starts_with([':', '/', '%']);
        let span = if joined && !after[1..].starts_with([' ', ':']) {
            let found = self.values.candidate(self.open(), start);
            found.and_then(|found| paired(self.open(), &found.span)).filter(|span| {
                let value = &self.text[span.clone()];
                weigh(value) >= Weight::Strong && !is_assignment(value)
            })
        } else {
            self.apart_from_user(start, end)
        };
        let span = span.or_else(|| self.led_pair(start, end));
        let Some(span) = span else { return false };
        self.take(Raw::likely(span, "PASSWORD", SecretKind::Password));
        true
    }

    /// The password at the end of a line, after its user and a sign or a space.
    fn apart_from_user(&mut self, start: usize, end: usize) -> Option<Range<usize>> {
        let text = self.open();
        let host = text[end..]
            .strip_prefix('@')
            .map_or(0, |host| 1 + host.bytes().take(HOST_BYTES).take_while(|b| *b != b' ').count());
        let rest = text.get(end + host..)?;
        let blank = rest.starts_with(' ');
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        if !blank && !rest.starts_with([',', ':']) {
            return None;
        }
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
        let at = text.len() - rest.len() + sign.len();
        let found = self.values.candidate(text, at)?;
        let value = &text[found.span.clone()];
        // The user must begin the line or follow a host name, so that the line says nothing else. A line may be as long
        // as the text, so it is not read back to its start.
        let before = text[..start].trim_end_matches([' ', '-', '*', '\t']);
        let alone = before.is_empty() || before.ends_with(['\n', ':']);
        let before = text[..start].trim_end_matches([' ', '\t']);
        let server = text[..start].ends_with(' ') && before.ends_with(|c: char| c.is_ascii_digit());
        let word = value.chars().all(char::is_alphabetic)
            && found.weight == Weight::Weak
            && says(value).is_none()
            && !is_role(value)
            && !OTHERS.contains(&value);
        let placed = || {
            [" on ", " auf ", " en ", " sur ", " su "]
                .iter()
                .any(|on| text[found.span.end..].starts_with(on))
        };
        if *sign == "/ "
            && alone
            && word
            && (found.last || placed())
            && LONE_USERS.contains(&&text[start..end])
        {
            return Some(found.span);
        }
        // "for the console, root / X, I wrote it down"
        let part = |part: &str| !is_named_thing(&part.to_lowercase());
        let made = is_mixed(value)
            && value.len() >= MIXED_BYTES
            && (found.weight >= Weight::Fair || is_uneven(value))
            && value.split(['-', '_', '.']).all(part);
        if *sign == "/ "
            && made
            && SIGNING.contains(&&text[start..end])
            && blocks::is_password(value)
            && ends_clause(&text[found.span.end..])
        {
            return Some(found.span);
        }
        let least = match *sign {
            "" if alone || server => Weight::Strong,
            "" => return None,
            ": " | ":: " => Weight::Strong,
            _ if alone || host > 0 => Weight::Name,
            _ => Weight::Strong,
        };
        let made = match *sign {
            "" | ", " => {
                value.contains(|c: char| "!?#$%&*+=@".contains(c)) || (server && is_mixed(value))
            }
            _ => value.contains(|c: char| c.is_ascii_digit()),
        };
        let fits = found.weight >= least && made && !is_hex(value) && !is_long_name(value);
        (found.last && fits && blocks::is_password(value)).then_some(found.span)
    }
}

/// `walnut_Tree7`: words in different cases, which names seldom have.
fn is_uneven(value: &str) -> bool {
    let mut parts = value.split(['-', '_', '.']).filter_map(|part| part.chars().next());
    parts.clone().any(char::is_uppercase) && parts.any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_sentence_may_name_a_user_and_the_password() {
        for (text, secret) in [
            ("the iDRAC again, root / walnut_Tree7, it is on the board", "walnut_Tree7"),
            ("the console is Administrator / Wal-nut-tree2, please check", "Wal-nut-tree2"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "admin / operator, both can read",
            "root / Ubuntu-Server24, as you like",
            "the roles admin / Editor_Role2, viewer",
            "test / Staging2, prod / Live1, both are up",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
