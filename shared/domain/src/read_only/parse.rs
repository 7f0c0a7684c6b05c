//! A small part of bash's grammar, and `None` for everything else.

use std::iter::Peekable;
use std::str::Chars;

/// How deep substitutions may stand in one another.
const DEPTH: usize = 4;

/// A command by itself: its name and arguments, and the files that it reads as input.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) words: Vec<Word>,
    pub(super) reads: Vec<Word>,
}

/// A word as its command gets it: quotes and backslashes are gone.
#[derive(Debug, Default, Clone)]
pub(super) struct Word {
    pub(super) text: String,
    /// Output of a substitution stands somewhere in it, so only a part is known.
    pub(super) open: bool,
    /// Byte positions in `text` of characters that match file names.
    pub(super) globs: Vec<usize>,
    quoted: bool,
}

impl Word {
    /// Whether the command gets exactly `text`.
    pub(super) fn is_literal(&self) -> bool {
        !self.open && self.globs.is_empty()
    }

    /// Whether it stands for names of files beyond its own text.
    pub(super) fn is_glob(&self) -> bool {
        !self.globs.is_empty()
    }
}

/// All simple commands of a command line.
pub(super) fn commands(text: &str) -> Option<Vec<Simple>> {
    // A carriage return would become part of a word, other controls mean nothing good.
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return None;
    }
    let mut parser = Parser { rest: text.chars().peekable(), found: Vec::new(), depth: 0 };
    parser.list(None)?;
    (!parser.found.is_empty()).then_some(parser.found)
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    found: Vec<Simple>,
    depth: usize,
}

impl Parser<'_> {
    fn eat(&mut self, c: char) -> bool {
        self.rest.next_if_eq(&c).is_some()
    }

    /// Commands up to the end, or up to the `)` that closes a substitution.
    fn list(&mut self, end: Option<char>) -> Option<()> {
        let mut now = Simple::default();
        // After `|`, `&&` and `||` another command must follow.
        let mut owed = false;
        loop {
            let next = self.rest.peek().copied();
            match next {
                None | Some(')') => {
                    self.rest.next();
                    self.finish(&mut now, &mut owed, false)?;
                    return (next == end && !owed).then_some(());
                }
                Some(' ' | '\t') => drop(self.rest.next()),
                Some('#') => while self.rest.next_if(|&c| c != '\n').is_some() {},
                Some('\n') => {
                    self.rest.next();
                    self.finish(&mut now, &mut owed, false)?;
                }
                Some(';') => {
                    self.rest.next();
                    self.finish(&mut now, &mut owed, true)?;
                }
                Some('|') => {
                    self.rest.next();
                    self.eat('|');
                    self.finish(&mut now, &mut owed, true)?;
                    owed = true;
                }
                Some('&') => {
                    self.rest.next();
                    if self.eat('>') {
                        self.eat('>');
                        self.nowhere()?;
                    } else if self.eat('&') {
                        self.finish(&mut now, &mut owed, true)?;
                        owed = true;
                    } else {
                        return None;
                    }
                }
                Some('>') => {
                    self.rest.next();
                    self.redirection()?;
                }
                Some('<') => {
                    self.rest.next();
                    let file = self.target()?;
                    now.reads.push(file);
                }
                Some('(') => return None,
                Some(_) => {
                    if let Some(word) = self.word()? {
                        now.words.push(word);
                    }
                }
            }
        }
    }

    /// Ends a command; `;`, `|` and their like need one before them.
    fn finish(&mut self, now: &mut Simple, owed: &mut bool, needed: bool) -> Option<()> {
        if now.words.is_empty() {
            return (now.reads.is_empty() && !needed).then_some(());
        }
        self.found.push(std::mem::take(now));
        *owed = false;
        Some(())
    }

    /// After `>`: only standard output and error can be meant, or nowhere.
    fn redirection(&mut self) -> Option<()> {
        if self.eat('&') {
            self.rest.next_if(|c| ['1', '2'].contains(c))?;
            let over = self.rest.peek().is_none_or(|c| " \t\n;|&)".contains(*c));
            return over.then_some(());
        }
        self.eat('>');
        self.nowhere()
    }

    fn nowhere(&mut self) -> Option<()> {
        let target = self.target()?;
        (target.is_literal() && target.text == "/dev/null").then_some(())
    }

    /// The word after a redirection's sign.
    fn target(&mut self) -> Option<Word> {
        while self.rest.next_if(|c| [' ', '\t'].contains(c)).is_some() {}
        let starts = self.rest.peek().is_some_and(|c| !"<>&|;()\n#".contains(*c));
        if starts { self.word()? } else { None }
    }

    /// One word; `Some(None)` for what is none: a number before a redirection, a continued line.
    fn word(&mut self) -> Option<Option<Word>> {
        let mut word = Word::default();
        while let Some(&c) = self.rest.peek() {
            if " \t\n;|&()".contains(c) {
                break;
            }
            if "<>".contains(c) {
                let number = !word.quoted && !word.text.is_empty();
                if number && word.text.bytes().all(|b| b.is_ascii_digit()) {
                    return Some(None);
                }
                break;
            }
            self.rest.next();
            self.unquoted(c, &mut word)?;
        }
        let nothing = word.text.is_empty() && !word.quoted && !word.open;
        Some((!nothing).then_some(word))
    }

    fn unquoted(&mut self, c: char, word: &mut Word) -> Option<()> {
        match c {
            '\'' => {
                word.quoted = true;
                loop {
                    match self.rest.next()? {
                        '\'' => return Some(()),
                        c => word.text.push(c),
                    }
                }
            }
            '"' => return self.double_quoted(word),
            '\\' => match self.rest.next()? {
                // What begins here to one reader of a continued line is a comment to another.
                '\n' if self.rest.peek() == Some(&'#') => return None,
                '\n' => {}
                c => {
                    word.quoted = true;
                    word.text.push(c);
                }
            },
            '$' => return self.dollar(word, false),
            '*' | '?' | '[' => {
                word.globs.push(word.text.len());
                word.text.push(c);
            }
            '~' if word.text.is_empty() && !word.quoted => {
                let home = self.rest.peek().is_none_or(|c| "/ \t\n;|&)".contains(*c));
                return home.then(|| word.text.push('~'));
            }
            '`' | '{' | '}' => return None,
            c if !c.is_ascii() => return None,
            c => word.text.push(c),
        }
        Some(())
    }

    fn double_quoted(&mut self, word: &mut Word) -> Option<()> {
        word.quoted = true;
        loop {
            match self.rest.next()? {
                '"' => return Some(()),
                '`' => return None,
                '$' => self.dollar(word, true)?,
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    c if "$`\"\\".contains(c) => word.text.push(c),
                    c => word.text.extend(['\\', c]),
                },
                c => word.text.push(c),
            }
        }
    }

    /// After a `$`: a substitution, one of the few values that are known, or the sign itself.
    fn dollar(&mut self, word: &mut Word, quoted: bool) -> Option<()> {
        match self.rest.peek().copied() {
            Some('(') => {
                self.rest.next();
                self.depth += 1;
                if self.depth > DEPTH || self.rest.peek() == Some(&'(') {
                    return None;
                }
                self.list(Some(')'))?;
                self.depth -= 1;
                word.open = true;
            }
            Some('?') => {
                self.rest.next();
                word.text.push('0');
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let mut name = String::new();
                while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                if name != "HOME" {
                    return None;
                }
                word.text.push('~');
            }
            Some(' ' | '\t' | '\n' | '"' | '/' | '.' | ',' | '|' | ')') | None if quoted => {
                word.text.push('$');
            }
            _ => return None,
        }
        Some(())
    }
}
