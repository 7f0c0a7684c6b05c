//! Notes the names to which a script gives a value, and the names that it reads.

use super::lexer::Lexer;
use super::scan::matching_paren;
use super::{Command, Read, Word, assignment, is_name};

impl Lexer {
    /// Reads a calculation, and returns it with its parentheses.
    pub(super) fn arithmetic(&mut self) -> String {
        let from = self.at;
        let end = matching_paren(&self.text, self.at);
        let line = self.line;
        while self.at < end {
            self.advance();
        }
        let text: String = self.text[from..end.min(self.text.len())].iter().collect();
        self.note_arithmetic(&text, line);
        text
    }

    pub(super) fn note_arithmetic(&mut self, text: &str, line: usize) {
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let from = &rest[start..];
            let end =
                from.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(from.len());
            let (name, after) = from.split_at(end);
            rest = after;
            let sign = after.trim_start();
            let sets = (sign.starts_with('=') && !sign.starts_with("=="))
                || ["++", "--", "+=", "-=", "*="].iter().any(|set| sign.starts_with(set));
            if sets {
                self.script.assigned.insert(name.to_owned(), None);
            }
        }
        self.inside(text, line);
    }

    pub(super) fn note_assignment(&mut self, word: &Word) {
        if let Some((name, value)) = assignment(&word.text) {
            let value = self.resolved(value);
            // Readers of the value know the home.
            let rest = value.replace("${HOME}", "").replace("$HOME", "");
            let plain = !rest.contains(['$', '`']) && !word.text.contains("+=");
            let value = plain.then_some(value);
            // A name that gets a second value has no known value.
            let known = self.script.assigned.contains_key(name);
            let value = if known { None } else { value };
            self.script.assigned.insert(name.to_owned(), value);
        }
    }

    /// A value with those of the variables in it: `$base/live`, `/etc/postgresql/$version/main`.
    fn resolved(&self, value: &str) -> String {
        let (mut whole, mut rest) = (String::new(), value);
        while let Some((before, behind)) = rest.split_once('$') {
            whole.push_str(before);
            let bare = behind.strip_prefix('{').unwrap_or(behind);
            let end =
                bare.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(bare.len());
            let (name, after) = bare.split_at(end);
            let after = if behind.starts_with('{') { after.strip_prefix('}') } else { Some(after) };
            match (self.script.assigned.get(name), after) {
                (Some(Some(known)), Some(after)) => {
                    whole.push_str(known);
                    rest = after;
                }
                _ => {
                    whole.push('$');
                    rest = behind;
                }
            }
        }
        whole + rest
    }

    /// Names to which builtins give a value.
    pub(super) fn note_names(&mut self, command: &Command) {
        let argv: Vec<String> = command.argv().into_iter().map(str::to_owned).collect();
        let Some((program, rest)) = argv.split_first() else { return };
        let named: Vec<&String> = match program.as_str() {
            "read" | "mapfile" | "readarray" | "local" | "declare" | "typeset" | "export"
            | "readonly" | "unset" => rest.iter().collect(),
            "for" | "select" => rest.iter().take(1).collect(),
            "getopts" => rest.iter().skip(1).take(1).collect(),
            "printf" if rest.first().is_some_and(|first| first == "-v") => {
                rest.iter().skip(1).take(1).collect()
            }
            "source" | "." => {
                // The names that a file sets are not known.
                self.script.assigned.insert("*".to_owned(), None);
                return;
            }
            _ => return,
        };
        for word in named {
            let quoted = false;
            if assignment(word).is_some() {
                self.note_assignment(&Word { text: word.clone(), quoted });
            } else if is_name(word) {
                self.script.assigned.entry(word.clone()).or_insert(None);
            }
        }
    }

    pub(super) fn note_read(&mut self, name: &str, line: usize) {
        if is_name(name) {
            self.script.reads.push(Read { name: name.to_owned(), line });
        }
    }
}
