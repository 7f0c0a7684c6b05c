//! Reads words, quotes and expansions.

use super::lexer::Lexer;
use super::{KEYWORDS, Piece, Sign, Word};

/// Signs after a name in `${…}` that make an unset variable valid.
const GUARDS: [char; 5] = ['-', '=', '+', '?', ':'];

impl Lexer {
    /// Reads one word from here on, without its quotes.
    pub(super) fn word(&mut self) -> Word {
        let mut word = Word { text: String::new(), quoted: false };
        while self.at < self.text.len() {
            match self.peek(0) {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | ')' => break,
                '(' => break,
                '<' | '>' if self.peek(1) == '(' => self.process(&mut word.text),
                '<' | '>' => break,
                '\\' => {
                    self.advance();
                    if self.peek(0) == '\n' {
                        self.advance();
                    } else if self.at < self.text.len() {
                        word.text.push(self.advance());
                    }
                }
                '\'' => {
                    word.quoted = true;
                    self.single(&mut word.text);
                }
                '"' => {
                    word.quoted = true;
                    self.double(&mut word.text);
                }
                '$' if self.peek(1) == '\'' => {
                    word.quoted = true;
                    self.advance();
                    self.ansi(&mut word.text);
                }
                '$' => word.text.push_str(&self.expansion()),
                '`' => word.text.push_str(&self.backticks()),
                _ => word.text.push(self.advance()),
            }
        }
        if word.text.is_empty() && !word.quoted && self.at < self.text.len() {
            // Consume the character whatever it is, because the lexer must make progress.
            if !matches!(self.peek(0), ' ' | '\t' | '\n' | ';' | '&' | '|' | ')' | '(' | '<' | '>')
            {
                self.advance();
            }
        }
        word
    }

    /// Takes the words of the pattern that ends here: `install|upgrade)` runs nothing.
    pub(super) fn forget_pattern(&mut self) {
        for piece in self.script.pieces.iter().rev() {
            match piece {
                Piece::Sign(Sign::Pipe) => {}
                Piece::Command(at) => {
                    let Some(command) = self.script.commands.get_mut(*at) else { break };
                    let begins =
                        |word: &Word| word.text == "case" || KEYWORDS.contains(&word.text.as_str());
                    // The first pattern follows `case … in` in its line.
                    if !command.words.first().is_some_and(begins) {
                        command.words.clear();
                    }
                }
                _ => break,
            }
        }
    }

    fn single(&mut self, text: &mut String) {
        self.advance();
        while self.at < self.text.len() && self.peek(0) != '\'' {
            text.push(self.advance());
        }
        self.advance();
    }

    fn ansi(&mut self, text: &mut String) {
        self.advance();
        while self.at < self.text.len() && self.peek(0) != '\'' {
            if self.peek(0) == '\\' {
                text.push(self.advance());
            }
            text.push(self.advance());
        }
        self.advance();
    }

    fn double(&mut self, text: &mut String) {
        self.advance();
        while self.at < self.text.len() && self.peek(0) != '"' {
            match self.peek(0) {
                '\\' => {
                    self.advance();
                    match self.peek(0) {
                        '\n' => drop(self.advance()),
                        '"' | '$' | '`' | '\\' => text.push(self.advance()),
                        _ => text.push('\\'),
                    }
                }
                '$' => text.push_str(&self.expansion()),
                '`' => text.push_str(&self.backticks()),
                _ => text.push(self.advance()),
            }
        }
        self.advance();
    }

    /// Reads `<( … )`.
    fn process(&mut self, text: &mut String) {
        text.push(self.advance());
        let (from, line) = (self.at, self.line);
        let end = matching_paren(&self.text, from);
        self.substitution(from + 1, end.saturating_sub(1), line);
        while self.at < end {
            text.push(self.advance());
        }
    }

    pub(super) fn backticks(&mut self) -> String {
        let line = self.line;
        let mut text = String::from(self.advance());
        let from = self.at;
        while self.at < self.text.len() && self.peek(0) != '`' {
            if self.peek(0) == '\\' {
                text.push(self.advance());
            }
            text.push(self.advance());
        }
        self.substitution(from, self.at, line);
        text.push(self.advance());
        text
    }

    /// Reads an expansion that begins with a dollar sign, unchanged.
    pub(super) fn expansion(&mut self) -> String {
        let (start, line) = (self.at, self.line);
        self.advance();
        match self.peek(0) {
            '(' => {
                let arithmetic = self.peek(1) == '(';
                let from = self.at;
                let end = matching_paren(&self.text, from);
                while self.at < end {
                    self.advance();
                }
                if arithmetic {
                    let inner: String = self.text[from..end.min(self.text.len())].iter().collect();
                    self.note_arithmetic(&inner, line);
                } else {
                    self.substitution(from + 1, end.saturating_sub(1), line);
                }
            }
            '{' => {
                let inner = self.braces();
                self.parameter(&inner, line);
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let mut name = String::new();
                while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == '_' {
                    name.push(self.advance());
                }
                self.note_read(&name, line);
            }
            c if c.is_ascii_digit() || "@*#?-$!".contains(c) => drop(self.advance()),
            _ => {}
        }
        self.text[start..self.at.min(self.text.len())].iter().collect()
    }

    /// Reads the text between the braces of `${…}`.
    fn parameter(&mut self, inner: &str, line: usize) {
        let bare = inner.trim_start_matches(['#', '!']);
        let name: String =
            bare.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let rest = bare.get(name.len()..).unwrap_or_default();
        let guarded = rest.starts_with(GUARDS) && !is_slice(rest);
        if rest.starts_with(":=") || rest.starts_with('=') {
            self.script.assigned.entry(name.clone()).or_insert(None);
        }
        if !guarded && !inner.starts_with('!') {
            self.note_read(&name, line);
        }
        self.expands(rest, line);
    }
}

/// Whether `:1:2` follows a name, and not a default.
fn is_slice(rest: &str) -> bool {
    let mut chars = rest.chars();
    chars.next() == Some(':')
        && chars.next().is_some_and(|c| c.is_ascii_digit() || c == ' ' || c == '$')
}

/// The position after the parenthesis that closes the one at `from`.
pub(super) fn matching_paren(text: &[char], from: usize) -> usize {
    let (mut at, mut open, mut cases) = (from, 0_usize, 0_usize);
    while at < text.len() {
        match text[at] {
            '\\' => at += 1,
            '\'' => at = behind_single(text, at),
            '"' => at = behind_double(text, at),
            '#' if at > 0 && text[at - 1].is_whitespace() => {
                while at + 1 < text.len() && text[at + 1] != '\n' {
                    at += 1;
                }
            }
            'c' if is_word(text, at, "case") => cases += 1,
            'e' if is_word(text, at, "esac") => cases = cases.saturating_sub(1),
            '(' => open += 1,
            // The patterns of a case close what nothing has opened.
            ')' if open == 1 && cases > 0 => {}
            ')' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn is_word(text: &[char], at: usize, word: &str) -> bool {
    let end = at + word.len();
    let edge = |c: Option<&char>| c.is_none_or(|c| c.is_whitespace() || ";()".contains(*c));
    text.get(at..end).is_some_and(|found| found.iter().copied().eq(word.chars()))
        && edge(at.checked_sub(1).and_then(|before| text.get(before)))
        && edge(text.get(end))
}

/// The brace that closes the one at `from`.
pub(super) fn matching_brace(text: &[char], from: usize) -> usize {
    let (mut at, mut open) = (from, 0_usize);
    while at < text.len() {
        match text[at] {
            '\\' => at += 1,
            '\'' if open <= 1 && !text[from..at].contains(&'"') => at = behind_single(text, at),
            '"' => at = behind_double(text, at),
            '{' => open += 1,
            '}' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn behind_single(text: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < text.len() && text[at] != '\'' {
        at += 1;
    }
    at
}

fn behind_double(text: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < text.len() && text[at] != '"' {
        match text[at] {
            '\\' => at += 1,
            '$' if text.get(at + 1) == Some(&'(') => at = matching_paren(text, at + 1) - 1,
            '$' if text.get(at + 1) == Some(&'{') => at = matching_brace(text, at + 1),
            _ => {}
        }
        at += 1;
    }
    at
}
