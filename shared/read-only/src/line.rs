//! Reads lines of plain words: the small part of bash's grammar in which nothing is expanded.

use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

/// How many commands one line may hold.
const COMMANDS: usize = 8;

/// Characters without a special meaning outside quotes, beside letters and digits.
const PLAIN: &str = "_./:=,+%@-";

/// Characters with a meaning even between double quotes; `!` has one only at a prompt.
const ACTIVE: &str = "$`\\!\"";

/// The separator between two commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    Pipe,
    And,
    Or,
    Then,
}

impl Joint {
    fn sign(self) -> &'static str {
        match self {
            Self::Pipe => " | ",
            Self::And => " && ",
            Self::Or => " || ",
            Self::Then => "; ",
        }
    }
}

/// A redirection of unwanted output; always after a command's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirection {
    ErrorsNowhere,
    ErrorsWithOutput,
    OutputNowhere,
}

const REDIRECTIONS: [(&str, Redirection); 3] = [
    ("2>/dev/null", Redirection::ErrorsNowhere),
    ("2>&1", Redirection::ErrorsWithOutput),
    (">/dev/null", Redirection::OutputNowhere),
];

/// A command: its name and arguments without quotes, as the program receives them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<String>,
    pub(super) redirections: Vec<Redirection>,
    /// Whether it reads the output of the command before it.
    pub(super) piped: bool,
}

/// Commands and the separators between them, one fewer than commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) commands: Vec<Command>,
    joints: Vec<Joint>,
}

impl Line {
    /// Reads a line; `None` if it contains anything beyond plain words.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', '\n']);
        if !text.bytes().all(|b| b == b' ' || b.is_ascii_graphic()) {
            return None;
        }
        let mut line = Self { commands: vec![Command::default()], joints: Vec::new() };
        let mut rest = text.chars().peekable();
        loop {
            while rest.next_if_eq(&' ').is_some() {}
            let last = line.commands.last_mut()?;
            match rest.peek() {
                None => return (!last.words.is_empty()).then_some(line),
                Some('|' | '&' | ';') => {
                    let joint = joint(&mut rest)?;
                    if last.words.is_empty() || line.commands.len() >= COMMANDS {
                        return None;
                    }
                    let piped = joint == Joint::Pipe;
                    line.joints.push(joint);
                    line.commands.push(Command { piped, ..Command::default() });
                }
                Some(_) => last.take(&mut rest)?,
            }
        }
    }
}

fn joint(rest: &mut Peekable<Chars<'_>>) -> Option<Joint> {
    Some(match (rest.next()?, rest.peek()) {
        ('|', Some('|')) => {
            rest.next();
            Joint::Or
        }
        ('&', Some('&')) => {
            rest.next();
            Joint::And
        }
        ('|', next) if next != Some(&'&') => Joint::Pipe,
        (';', next) if next != Some(&';') => Joint::Then,
        _ => return None,
    })
}

impl Line {
    /// Whether bash continues after this line although one of its commands failed: errexit ignores what is before `&&`.
    pub(super) fn hides_failures(&self) -> bool {
        self.joints.contains(&Joint::And)
    }
}

impl Command {
    /// Takes one word or one redirection.
    fn take(&mut self, rest: &mut Peekable<Chars<'_>>) -> Option<()> {
        if let Some(redirection) = redirection(rest) {
            self.redirections.push(redirection);
            return (!self.words.is_empty()).then_some(());
        }
        let word = word(rest)?;
        // The words end at a redirection; no usual command continues after one.
        self.redirections.is_empty().then(|| self.words.push(word))
    }
}

/// Reads one of the known redirections, which must be a separate word.
fn redirection(rest: &mut Peekable<Chars<'_>>) -> Option<Redirection> {
    let (text, found) = REDIRECTIONS.into_iter().find(|(text, _)| {
        let mut ahead = rest.clone();
        let same = text.chars().all(|c| ahead.next() == Some(c));
        same && ahead.next().is_none_or(|c| " |&;".contains(c))
    })?;
    rest.nth(text.len() - 1);
    Some(found)
}

/// One word, which ends at a space or at a separator.
fn word(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut word = String::new();
    while let Some(c) = rest.next_if(|c| !" |&;".contains(*c)) {
        match c {
            '\'' | '"' => loop {
                match rest.next()? {
                    end if end == c => break,
                    active if c == '"' && ACTIVE.contains(active) => return None,
                    inside => word.push(inside),
                }
            },
            c if is_plain(c) => word.push(c),
            _ => return None,
        }
    }
    Some(word)
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || PLAIN.contains(c)
}

/// Writes the line so that bash reads exactly the same words.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(|_, command| command.to_string()))
    }
}

impl Line {
    /// The line with one word of some commands as their input: a file that has to have this very name.
    ///
    /// `readlink` names the file that is open, whatever has become of the path in the meantime.
    pub(super) fn with_inputs(&self, inputs: &[Option<usize>]) -> String {
        self.written(|at, command| {
            let mut words = command.words.clone();
            let input = inputs.get(at).copied().flatten().filter(|input| *input < words.len());
            let Some(input) = input.map(|input| words.remove(input)) else {
                return command.to_string();
            };
            let redirected = Redirected(&command.redirections);
            let reads = Command { words, ..Command::default() };
            let refusal = format!("{input} is a link, so it is read only with an approval.");
            format!(
                "{{ if [ \"$(readlink /proc/self/fd/0)\" = {file} ]; then {reads}; else echo {refusal} >&2; false; fi; \
                 }}{redirected} <{file}",
                file = Quoted(&input),
                refusal = Quoted(&refusal),
            )
        })
    }

    /// The commands in this spelling, with the separators between them.
    fn written(&self, spelling: impl Fn(usize, &Command) -> String) -> String {
        let mut written = String::new();
        for (at, command) in self.commands.iter().enumerate() {
            if let Some(joint) = at.checked_sub(1).and_then(|before| self.joints.get(before)) {
                written.push_str(joint.sign());
            }
            written.push_str(&spelling(at, command));
        }
        written
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, word) in self.words.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{}", Quoted(word))?;
        }
        Redirected(&self.redirections).fmt(f)
    }
}

struct Redirected<'a>(&'a [Redirection]);

impl fmt::Display for Redirected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for given in self.0 {
            let known = REDIRECTIONS.iter().find(|(_, known)| known == given);
            write!(f, " {}", known.map_or("", |(text, _)| text))?;
        }
        Ok(())
    }
}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_empty() && self.0.chars().all(is_plain) {
            return f.write_str(self.0);
        }
        // Between single quotes, every character except the quote is literal.
        for (at, part) in self.0.split('\'').enumerate() {
            if at > 0 {
                f.write_str("\"'\"")?;
            }
            if !part.is_empty() || !self.0.contains('\'') {
                write!(f, "'{part}'")?;
            }
        }
        Ok(())
    }
}
