//! Finds values in lists of fields, as connections and logins are written: `user=app;password=walnut;host=db`.
//!
//! A list of fields has no sentence around it. A plain word is a value there because of the signs beside it, and
//! because it is neither a word about passwords nor the role of a user.

use super::context::{Context, Tie};
use super::plain::{is_plain, is_tool};
use super::{Reader, Role};
use crate::names::{key, last_part};
use crate::talk::says;
use crate::value::Value;
use crate::weight::{Weight, is_labeled, weigh};
use crate::words::{folded, role};

/// How far after "changed" its "to" may come, in bytes.
const CHANGED_BYTES: usize = 48;

/// "admin / operator": roles of users, not a password.
pub(super) fn is_role(value: &str) -> bool {
    const ROLES: [&str; 18] = [
        "admin",
        "administrator",
        "auditor",
        "developer",
        "editor",
        "group",
        "gruppe",
        "guest",
        "manager",
        "member",
        "operator",
        "owner",
        "reader",
        "root",
        "user",
        "users",
        "viewer",
        "writer",
    ];
    value.starts_with("administrat") || ROLES.iter().any(|role| value.eq_ignore_ascii_case(role))
}

impl Reader<'_> {
    /// Whether a word shortly before says that something was changed.
    pub(super) fn is_changed(&self) -> bool {
        self.changed.is_some_and(|end| self.at <= end + CHANGED_BYTES)
    }

    /// Whether a string is assigned to the variable that ends here: `$db_pass = 'walnut'`.
    pub(super) fn is_string_set(&self, end: usize) -> bool {
        let rest = self.open()[end..].trim_start_matches(' ').strip_prefix('=');
        rest.is_some_and(|value| value.trim_start_matches(' ').starts_with(['"', '\'']))
    }

    /// Whether a word is the end of `login: admin / banana`.
    pub(super) fn is_of_login(&self, context: &Context, found: &Value) -> bool {
        let value = &self.text[found.span.clone()];
        matches!(context.role, Role::Login | Role::Network)
            && context.tie == Tie::Slash
            && context.words <= 1
            && self.text[..found.span.start].ends_with(" / ")
            && found.last
            && found.weight >= Weight::Weak
            && (value.chars().all(char::is_alphanumeric) || is_labeled(value))
            && says(value).is_none()
            && !is_role(value)
    }

    /// Whether a string follows a key of JSON: `"pass": "walnut"`.
    fn is_key(&self, found: &Value) -> bool {
        let start = self.before_span.start;
        found.quoted
            && self.byte_before(start) == Some(b'"')
            && self.text[self.before_span.end..].starts_with("\":")
    }

    /// Whether a value is part of a list of fields that describes a connection: `user=app;password=walnut;host=db`.
    pub(super) fn is_listed(&self, context: &Context, found: &Value) -> bool {
        let rest = &self.text[found.span.end..];
        let field = || {
            let name = rest.trim_start_matches(' ');
            let end =
                name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
            rest.starts_with(' ') && end > 0 && name[end..].starts_with('=')
        };
        // A value alone below "Password:".
        if context.tie == Tie::NextLine && context.role == Role::Password {
            let value = &self.text[found.span.clone()];
            let before = self.text[..found.span.start].trim_end();
            return found.last
                && context.words + context.values == 0
                && before.ends_with(':')
                && is_plain(value)
                && !is_tool(value);
        }
        let lone = self.text[self.before_span.clone()].eq_ignore_ascii_case("secret");
        let made = context.role == Role::Token
            && (context.is_variable || lone)
            && (context.line_starts
                || (lone && self.sentence_before(self.before_span.start).ends_with("{ ")));
        let in_list = self.byte_before(self.before_span.start) == Some(b',');
        (made || matches!(context.role, Role::Password | Role::MaybePassword))
            && context.words + context.values == 0
            && (matches!(self.byte_before(found.span.start), Some(b'=' | b'>'))
                || self.is_key(found)
                || (lone
                    && self.text[..found.span.start].ends_with("= ")
                    && is_plain(&self.text[found.span.clone()])))
            && found.weight >= Weight::Weak
            && says(&self.text[found.span.clone()]).is_none()
            && (rest.is_empty()
                || (context.line_starts && context.is_capitals)
                || rest.starts_with([';', '\n', '"', '\'', '&', ']'])
                || rest.starts_with("</")
                || rest.starts_with(" -")
                || (made && (rest.starts_with(' ') || found.last))
                || (in_list && rest.starts_with([' ', ',']))
                || field())
    }
}

/// Whether a text has digits inside and letters in both cases, as no name has.
fn is_made(name: &str) -> bool {
    const TURNS: usize = 3;
    let digit = |b: &u8| b.is_ascii_digit();
    let turns = name.as_bytes().windows(2).filter(|of| digit(&of[0]) != digit(&of[1])).count();
    turns >= TURNS - 1
        && name.contains(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && weigh(name) == Weight::Strong
}

/// `name=…`, another field.
pub(super) fn is_assignment(value: &str) -> bool {
    let name = value.find('=').map_or("", |at| &value[..at]);
    // `_authToken=…`, but not `xK3pQ9z=8v!`, which a machine made
    let name = name.trim_start_matches('_');
    !is_made(name)
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
}

/// `uid=1000`, `password=…`: another field, whatever comes before it.
pub(super) fn is_field(value: &str) -> bool {
    let (name, rest) = value.split_once('=').unwrap_or_default();
    let known = role(&folded(name));
    let field = || matches!(known, Some(Role::Subject | Role::Name | Role::Password | Role::Token));
    // `--from-literal=SMTP_PASS='…'`
    let compound = || {
        let tail = folded(&name[last_part(name)..]);
        tail.len() < name.len()
            && matches!(key(name, &tail, None), Some(Role::Password | Role::Token))
    };
    is_assignment(value) && (field() || (!rest.is_empty() && compound()))
}
