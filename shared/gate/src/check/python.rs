//! Finds what Python cannot parse: in files, in what a script feeds to an interpreter, and after `-c`.
//!
//! This follows the lexical structure of Python: strings, brackets, logical lines and indentation. It knows no
//! grammar beyond the colon of compound statements, so it finds what a person breaks when editing, and never an
//! expression that is new to it.

mod imports;
mod names;
mod served;

use super::error;
use crate::files::filled;
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    served::examine(unit, findings);
    for file in unit.written().filter(|file| is_python(file)) {
        let found = mistake(&file.filled())
            .or_else(|| names::unbound(&file.text).filter(|_| !file.expands && is_whole(file)));
        if let Some((line, message)) = found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
        for (line, message) in imports::unknown(unit, &file.path, &file.text) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            if !argv.first().is_some_and(|program| is_interpreter(program)) {
                continue;
            }
            let mut texts: Vec<(usize, String)> = Vec::new();
            if let Some(at) = argv.iter().position(|word| *word == "-c") {
                texts.extend(argv.get(at + 1).map(|text| (command.line, filled(text, true))));
            } else if argv[1..].iter().all(|word| word.starts_with('-') && *word != "-m")
                || argv.get(1) == Some(&"-")
            {
                let fed = command.heredocs.iter().filter_map(|at| shell.script.heredocs.get(*at));
                texts.extend(
                    fed.map(|heredoc| (heredoc.line, filled(&heredoc.text, heredoc.expands))),
                );
            }
            for (from, text) in texts {
                let wrong = imports::unknown(unit, "", &text);
                for (line, message) in mistake(&text).into_iter().chain(wrong) {
                    let line = from + line - 1 + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
}

fn is_python(file: &Written) -> bool {
    let first = file.text.lines().next().unwrap_or_default();
    file.extension() == "py" || (first.starts_with("#!") && first.contains("python"))
}

/// Whether a program's own names are all that it uses: settings of some programs get names from them.
fn is_whole(file: &Written) -> bool {
    let given = ["config.py", "conf.py", "gunicorn.conf.py", "SConstruct", "wscript"];
    !file.text.contains("{{")
        && !file.text.contains("{%")
        && !given.iter().any(|name| file.name().ends_with(name))
}

fn is_interpreter(program: &str) -> bool {
    program
        .strip_prefix("python")
        .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Statements that begin with these words have a colon.
const COMPOUND: [&str; 11] =
    ["class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with"];

/// The first thing that Python cannot parse, with its line.
fn mistake(text: &str) -> Option<(usize, String)> {
    let mut reader =
        Reader { text: text.chars().collect(), at: 0, line: 1, open: Vec::new(), said: None };
    let lines = reader.lines();
    if reader.said.is_some() {
        return reader.said;
    }
    let mut indents = vec![0];
    let mut opened: Option<usize> = None;
    let tabs = lines.iter().any(|line| line.tabs);
    for line in &lines {
        let first = line.words.first().map(String::as_str).unwrap_or_default();
        let head = if first == "async" { line.words.get(1).map(String::as_str) } else { None };
        let head = head.unwrap_or(first);
        if COMPOUND.contains(&head) && !line.colon {
            return Some((line.at, format!("Python needs a colon at the end of this `{head}`.")));
        }
        if ["if", "elif", "while", "assert"].contains(&head) && line.assigns {
            return Some((line.at, format!("Python allows no `=` in the condition of `{head}`.")));
        }
        if tabs {
            continue;
        }
        let current = indents.last().copied().unwrap_or_default();
        match opened {
            Some(from) if line.indent <= current => {
                return Some((from, "Python needs an indented block after this line.".to_owned()));
            }
            Some(_) => indents.push(line.indent),
            None if line.indent > current => {
                return Some((line.at, "Python expects no indentation here.".to_owned()));
            }
            None => {
                while indents.last().is_some_and(|indent| *indent > line.indent) {
                    indents.pop();
                }
                if indents.last() != Some(&line.indent) {
                    let message = "This indentation matches no block of Python around it.";
                    return Some((line.at, message.to_owned()));
                }
            }
        }
        opened = line.opens.then_some(line.at);
    }
    opened.map(|from| (from, "Python needs an indented block after this line.".to_owned()))
}

/// A logical line: a statement, or the head of one.
#[derive(Debug, Default)]
struct Line {
    /// Its first line in the text.
    at: usize,
    indent: usize,
    tabs: bool,
    /// Its first two names.
    words: Vec<String>,
    /// Whether there is a colon outside of all brackets.
    colon: bool,
    /// Whether a colon ends it.
    opens: bool,
    /// Whether `=` comes before the first colon, outside of all brackets.
    assigns: bool,
}

struct Reader {
    text: Vec<char>,
    at: usize,
    line: usize,
    /// The open brackets and their lines.
    open: Vec<(char, usize)>,
    said: Option<(usize, String)>,
}

impl Reader {
    fn peek(&self, ahead: usize) -> char {
        self.text.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn advance(&mut self) -> char {
        let c = self.peek(0);
        self.at += 1;
        self.line += usize::from(c == '\n');
        c
    }

    fn lines(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        while self.at < self.text.len() && self.said.is_none() {
            let mut line = Line { at: self.line, ..Line::default() };
            while matches!(self.peek(0), ' ' | '\t') {
                line.tabs |= self.peek(0) == '\t';
                line.indent += 1;
                self.advance();
            }
            if self.logical(&mut line) {
                lines.push(line);
            }
        }
        if let (None, Some((bracket, from))) = (&self.said, self.open.last()) {
            self.said = Some((*from, format!("Nothing in this Python code closes `{bracket}`.")));
        }
        lines
    }

    /// Reads one logical line; `false` if it is empty.
    fn logical(&mut self, line: &mut Line) -> bool {
        let mut any = false;
        while self.at < self.text.len() && self.said.is_none() {
            let c = self.peek(0);
            match c {
                '\n' => {
                    self.advance();
                    if self.open.is_empty() {
                        break;
                    }
                }
                ' ' | '\t' | '\r' | '\x0c' => drop(self.advance()),
                '#' => {
                    while self.at < self.text.len() && self.peek(0) != '\n' {
                        self.advance();
                    }
                }
                '\\' if self.peek(1) == '\n' => {
                    self.advance();
                    self.advance();
                }
                _ => {
                    any = true;
                    line.opens = false;
                    self.token(c, line);
                }
            }
        }
        any
    }

    fn token(&mut self, c: char, line: &mut Line) {
        let outside = self.open.is_empty();
        match c {
            '"' | '\'' => self.string(false, false),
            c if c.is_alphabetic() || c == '_' => {
                let mut name = String::new();
                while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
                    name.push(self.advance());
                }
                let prefix = name.len() <= 2 && name.chars().all(|c| "rRbBuUfFtT".contains(c));
                if prefix && matches!(self.peek(0), '"' | '\'') {
                    let filled = name.contains(['f', 'F', 't', 'T']);
                    return self.string(name.contains(['r', 'R']), filled);
                }
                let quoted = self.peek(0) == ' ' && matches!(self.peek(1), '"' | '\'');
                if line.words.is_empty() && name == "print" && quoted {
                    self.say("Python 3 needs parentheses after `print`.");
                }
                if line.words.len() < 2 {
                    line.words.push(name);
                }
            }
            '(' | '[' | '{' => {
                self.open.push((c, self.line));
                self.advance();
            }
            ')' | ']' | '}' => {
                let wanted = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                match self.open.pop() {
                    Some((bracket, _)) if bracket == wanted => {}
                    Some((bracket, from)) => {
                        self.said =
                            Some((from, format!("In Python, `{c}` does not close `{bracket}`.")));
                    }
                    None => self.say(&format!("This `{c}` closes nothing in Python.")),
                }
                self.advance();
            }
            ':' if outside => {
                self.advance();
                if self.peek(0) == '=' {
                    self.advance();
                } else {
                    line.colon = true;
                    line.opens = true;
                }
            }
            '=' | '!' | '<' | '>' => {
                self.advance();
                if self.peek(0) == '=' {
                    self.advance();
                } else if c == '=' && outside && !line.colon {
                    line.assigns = true;
                }
            }
            _ => drop(self.advance()),
        }
    }

    fn say(&mut self, message: &str) {
        self.said = Some((self.line, message.to_owned()));
    }

    /// Reads a string. In a filled one, `{…}` holds expressions, which may hold strings.
    fn string(&mut self, raw: bool, filled: bool) {
        let from = self.line;
        let quote = self.advance();
        let triple = self.peek(0) == quote && self.peek(1) == quote;
        if triple {
            self.advance();
            self.advance();
        } else if self.peek(0) == quote {
            self.advance();
            return;
        }
        let mut depth = 0_usize;
        while self.at < self.text.len() && self.said.is_none() {
            let c = self.peek(0);
            let ends = c == quote && (!triple || (self.peek(1) == quote && self.peek(2) == quote));
            match c {
                // Before 3.12, the quote ends the string here as well.
                _ if ends => {
                    self.at += if triple { 3 } else { 1 };
                    return;
                }
                '\n' if !triple && depth == 0 => {
                    self.said = Some((from, "This Python string is not closed.".to_owned()));
                    return;
                }
                '\\' if depth == 0 || raw => {
                    self.advance();
                    self.advance();
                }
                '{' if filled && self.peek(1) == '{' && depth == 0 => {
                    self.advance();
                    self.advance();
                }
                '{' if filled => {
                    depth += 1;
                    self.advance();
                }
                '}' if filled => {
                    depth = depth.saturating_sub(1);
                    self.advance();
                }
                '"' | '\'' if depth > 0 && !triple => self.string(false, false),
                _ => drop(self.advance()),
            }
        }
        if self.said.is_none() {
            self.said = Some((from, "This Python string is not closed.".to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_can_parse_has_no_mistake() {
        for text in [
            "import os\n\n\ndef f(a, *, b=1) -> dict[str, int]:\n    return {'a': a,\n  'b': b}\n",
            "if a == 1 and (b := c(d=2)): pass\nelse:\n    x = 1  # why: not\n",
            "s = '''a\n  b'''\nt = r\"\\d\" f'{a[\"b\"]!r:>{w}} {{}}' rb'\\x'\n",
            "for a in b:\n    try:\n        c()\n    except (D, E) as e:\n        raise\n    finally:\n        f()\ng()\n",
            "x: int = 1\ny = lambda a: a[1:2]\nz = a \\\n    + b\nclass A: ...\n",
            "async def f():\n    async with a as b, c:\n        await d\n    match e:\n        case [1, _]:\n            g()\n",
            "@app.get(\n    '/a'\n)\ndef h(): return 1\nwhile True:\n    if a:\n        # nothing\n\n        break\n",
            "print('a')\nprint(\"it's\", end='')\nif a:\n    pass\n# end\n",
        ] {
            assert_eq!(mistake(text), None, "{text}");
        }
    }

    #[test]
    fn each_mistake_has_its_line() {
        for (text, line) in [
            ("a = 1\ndef f(a)\n    return a\n", 2),
            ("a = {\n'b': 1\n", 1),
            ("a = f(1]\n", 1),
            ("a = 1)\n", 1),
            ("\na = 'b\n", 2),
            ("if a:\nb()\n", 1),
            ("a()\n  b()\n", 2),
            ("if a:\n    b()\n  c()\n", 3),
            ("if a = 1:\n    b()\n", 1),
            ("assert a = 1, 'b'\n", 1),
            ("print 'a'\n", 1),
            ("def f():\n", 1),
            ("a = '''b\n", 1),
        ] {
            assert_eq!(mistake(text).map(|(line, _)| line), Some(line), "{text}");
        }
    }
}
