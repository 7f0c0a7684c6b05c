//! Splits a text into commands.

use super::scan::matching_brace;
use super::{Command, Heredoc, Piece, Script, Sign, Word, assignment};

/// How deeply substitutions are followed.
const DEPTH: usize = 24;

pub(super) struct Lexer {
    pub(super) text: Vec<char>,
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) script: Script,
    depth: usize,
    /// Here-documents whose lines begin after this one.
    pending: Vec<Pending>,
}

/// Whether two parentheses here begin arithmetic.
fn begins(command: &Command) -> bool {
    let opens = |word: &str| word == "for" || super::KEYWORDS.contains(&word);
    command.words.last().is_none_or(|word| opens(&word.text))
}

struct Pending {
    mark: String,
    quoted: bool,
    indented: bool,
    /// Its index in the script's list.
    index: usize,
}

impl Lexer {
    pub(super) fn new(text: &str, line: usize) -> Self {
        let text = text.chars().collect();
        Self { text, at: 0, line, script: Script::default(), depth: 0, pending: Vec::new() }
    }

    pub(super) fn script(mut self) -> Script {
        self.commands(false);
        self.script
    }

    pub(super) fn peek(&self, ahead: usize) -> char {
        self.text.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn advance(&mut self) -> char {
        let char = self.peek(0);
        self.at += 1;
        if char == '\n' {
            self.line += 1;
        }
        char
    }

    /// Reads commands to the end, or to the parenthesis that closes a substitution.
    fn commands(&mut self, inner: bool) {
        let (mut open, mut cases) = (0_usize, 0_usize);
        let mut command = Command::default();
        while !self.ended() {
            match self.peek(0) {
                '\n' => {
                    self.finish(&mut command, &mut cases);
                    self.advance();
                    self.sign(Sign::End);
                    self.read_pending();
                }
                ' ' | '\t' | '\r' => drop(self.advance()),
                '\\' if self.peek(1) == '\n' => {
                    self.advance();
                    self.advance();
                }
                // `&>file` is a redirection.
                '&' if self.peek(1) == '>' => drop(self.advance()),
                ';' | '&' | '|' => {
                    self.finish(&mut command, &mut cases);
                    self.joint();
                }
                '#' => self.comment(),
                '(' if self.peek(1) == '(' && begins(&command) => self.calculation(&mut command),
                '(' => {
                    self.finish(&mut command, &mut cases);
                    self.advance();
                    self.sign(Sign::Open);
                    open += 1;
                }
                ')' => {
                    self.finish(&mut command, &mut cases);
                    if open == 0 && (!inner || cases > 0) {
                        self.forget_pattern();
                    }
                    self.advance();
                    self.sign(Sign::Close);
                    if open > 0 {
                        open -= 1;
                    } else if inner && cases == 0 {
                        return;
                    }
                }
                '<' | '>' if self.peek(1) != '(' => self.redirection(&mut command),
                _ => self.next_word(&mut command),
            }
        }
        self.finish(&mut command, &mut cases);
    }

    fn comment(&mut self) {
        while !self.ended() && self.peek(0) != '\n' {
            self.advance();
        }
    }

    fn sign(&mut self, sign: Sign) {
        self.script.pieces.push(Piece::Sign(sign));
    }

    /// Reads the sign between two commands.
    fn joint(&mut self) {
        let first = self.advance();
        let sign = match (first, self.peek(0)) {
            (';', ';' | '&') => Sign::CaseEnd,
            (';', _) => Sign::End,
            ('&', '&') => Sign::And,
            ('&', _) => Sign::Background,
            (_, '|') => Sign::Or,
            _ => Sign::Pipe,
        };
        while matches!(self.peek(0), ';' | '&' | '|') {
            self.advance();
        }
        self.sign(sign);
    }

    /// Reads `(( … ))`, which is a separate command unless it is the head of a `for`.
    fn calculation(&mut self, command: &mut Command) {
        if command.words.is_empty() {
            command.line = self.line;
        }
        let text = self.arithmetic();
        if command.words.last().is_none_or(|word| word.text != "for") {
            command.words.push(Word { text: "((".to_owned(), quoted: false });
            command.words.push(Word { text, quoted: true });
        }
    }

    fn next_word(&mut self, command: &mut Command) {
        if command.words.is_empty() {
            command.line = self.line;
        }
        let word = self.word();
        if word.text == "[[" && !word.quoted {
            // Its words belong to no command: `<`, `(` and `|` have other meanings there.
            command.words.push(word);
            return self.test(command);
        }
        // `name() {` defines a function, `name=(` begins a list.
        if self.peek(0) == '(' && word.text.ends_with('=') {
            self.note_assignment(&word);
            self.list();
        } else if command.words.is_empty() && !word.quoted {
            let blanks = (0..).take_while(|ahead| matches!(self.peek(*ahead), ' ' | '\t')).count();
            if self.peek(blanks) == '(' && self.peek(blanks + 1) == ')' {
                self.script.pieces.push(Piece::Function(word.text.clone()));
                self.script.functions.insert(word.text);
                self.at += blanks + 2;
                return;
            }
        }
        let number = word.text.chars().all(|c| c.is_ascii_digit()) && !word.quoted;
        if number && matches!(self.peek(0), '<' | '>') {
            // `2>file` names a descriptor; only redirections of standard output count.
            let opens = command.words.first().is_some_and(|first| first.text == "exec");
            if opens && self.peek(0) == '<' {
                // `exec 3< <(…)` opens what later commands read.
                self.redirection(command);
            } else if word.text != "1" {
                self.skip_redirection();
            }
            return;
        }
        command.words.push(word);
    }

    fn test(&mut self, command: &mut Command) {
        while !self.ended() {
            if self.peek(0) == ']' && self.peek(1) == ']' {
                self.at += 2;
                return;
            }
            match self.peek(0) {
                '\n' | ' ' | '\t' | '(' | ')' | '|' | '&' | '<' | '>' | ';' | ']' => {
                    self.advance();
                }
                _ => {
                    let word = self.word();
                    command.words.push(word);
                }
            }
        }
    }

    /// Reads the elements of `name=( … )`.
    fn list(&mut self) {
        self.advance();
        while !self.ended() && self.peek(0) != ')' {
            match self.peek(0) {
                '\n' | ' ' | '\t' | '(' | '&' | ';' | '|' | '<' | '>' => drop(self.advance()),
                '#' => self.comment(),
                _ => drop(self.word()),
            }
        }
        self.advance();
    }

    fn redirection(&mut self, command: &mut Command) {
        if self.peek(0) == '<' && self.peek(1) == '<' && self.peek(2) != '<' {
            return self.opener(command);
        }
        let first = self.advance();
        let append = first == '>' && self.peek(0) == '>';
        let duplicates = self.peek(0) == '&';
        let mut signs = 1;
        while matches!(self.peek(0), '<' | '>' | '&' | '|') {
            self.advance();
            signs += 1;
        }
        self.blanks();
        let target = self.word();
        if first == '<' {
            if signs == 3 {
                command.strings.push(target.text.clone());
            }
            command.reads.push(target.text);
        } else if !duplicates && !target.text.is_empty() {
            command.writes.push((target.text, append));
        }
    }

    fn skip_redirection(&mut self) {
        let mut unused = Command::default();
        self.redirection(&mut unused);
    }

    fn blanks(&mut self) {
        while matches!(self.peek(0), ' ' | '\t') {
            self.advance();
        }
    }

    fn opener(&mut self, command: &mut Command) {
        self.at += 2;
        let indented = self.peek(0) == '-';
        if indented {
            self.advance();
        }
        self.blanks();
        let raw = self.at;
        let reads = self.script.reads.len();
        let mut word = self.word();
        self.script.reads.truncate(reads);
        if self.text[raw..self.at.min(self.text.len())].contains(&'\\') {
            word.quoted = true;
        }
        let index = self.script.heredocs.len();
        command.heredocs.push(index);
        let expands = !word.quoted;
        self.script.heredocs.push(Heredoc { line: self.line + 1, text: String::new(), expands });
        let Word { text: mark, quoted } = word;
        self.pending.push(Pending { mark, quoted, indented, index });
    }

    /// Reads the lines of the here-documents that the previous line opened.
    fn read_pending(&mut self) {
        for Pending { mark, quoted, indented, index } in std::mem::take(&mut self.pending) {
            let line = self.line;
            let mut text = String::new();
            while !self.ended() {
                let mut row = String::new();
                while !self.ended() && self.peek(0) != '\n' {
                    row.push(self.advance());
                }
                self.advance();
                let row = if indented { row.trim_start_matches('\t') } else { row.as_str() };
                if row == mark {
                    break;
                }
                text.push_str(row);
                text.push('\n');
            }
            if !quoted {
                self.inside(&text, line);
            }
            if let Some(heredoc) = self.script.heredocs.get_mut(index) {
                heredoc.line = line;
                heredoc.text = text;
            }
        }
    }

    /// Reads what bash expands in a text that is not a command.
    pub(super) fn inside(&mut self, text: &str, line: usize) {
        let mut inner = Lexer::new(text, line);
        inner.depth = self.depth + 1;
        if inner.depth > DEPTH {
            return;
        }
        while !inner.ended() {
            match inner.peek(0) {
                '\\' => {
                    inner.advance();
                    inner.advance();
                }
                '$' => drop(inner.expansion()),
                '`' => drop(inner.backticks()),
                _ => drop(inner.advance()),
            }
        }
        self.take(inner.script);
    }

    /// Adds what was found in a part; its here-documents follow the existing ones.
    fn take(&mut self, script: Script) {
        let before = self.script.heredocs.len();
        self.script.heredocs.extend(script.heredocs);
        self.script.commands.extend(script.commands.into_iter().map(|mut command| {
            command.heredocs.iter_mut().for_each(|index| *index += before);
            command
        }));
        self.script.reads.extend(script.reads);
        for (name, value) in script.assigned {
            self.script.assigned.entry(name).or_insert(value);
        }
        self.script.functions.extend(script.functions);
    }

    /// Runs the lexer over `from..to` of the text as a separate script.
    pub(super) fn substitution(&mut self, from: usize, to: usize, line: usize) {
        if self.depth >= DEPTH || from > to {
            return;
        }
        let text: String = self.text[from..to.min(self.text.len())].iter().collect();
        let mut inner = Lexer::new(&text, line);
        inner.depth = self.depth + 1;
        self.take(inner.script());
    }

    pub(super) fn expands(&mut self, text: &str, line: usize) {
        self.inside(text, line);
    }

    /// Stores a command that has ended.
    fn finish(&mut self, command: &mut Command, cases: &mut usize) {
        let done = std::mem::take(command);
        match done.words.first().map(|word| word.text.as_str()) {
            Some("case") => *cases += 1,
            Some("esac") => *cases = cases.saturating_sub(1),
            _ => {}
        }
        for word in &done.words {
            match assignment(&word.text) {
                Some(_) => self.note_assignment(word),
                None if super::KEYWORDS.contains(&word.text.as_str()) => {}
                None => break,
            }
        }
        self.note_names(&done);
        if !done.words.is_empty() || !done.writes.is_empty() || !done.heredocs.is_empty() {
            self.script.pieces.push(Piece::Command(self.script.commands.len()));
            self.script.commands.push(done);
        }
    }

    /// Skips `${…}` and returns the text between the braces.
    pub(super) fn braces(&mut self) -> String {
        let end = matching_brace(&self.text, self.at);
        let inner: String =
            self.text[(self.at + 1).min(end)..end.min(self.text.len())].iter().collect();
        while self.at <= end && !self.ended() {
            self.advance();
        }
        inner
    }
}
