//! Shows how a script's commands depend on one another: lists, pipelines, conditions, loops and functions.
//!
//! This follows the compound commands of bash's manual, to the extent that the lexer's pieces show them. A script that
//! it cannot follow has no tree, and the rules that need one find nothing.

use super::{Piece, Script, Sign};

/// Commands in sequence.
#[derive(Debug, Default)]
pub(crate) struct List(pub(crate) Vec<Chain>);

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) first: Pipeline,
    /// Each further pipeline, and whether `||` precedes it.
    pub(crate) rest: Vec<(bool, Pipeline)>,
    pub(crate) background: bool,
}

/// Commands joined by `|`.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// Whether `!` precedes it.
    pub(crate) negated: bool,
    pub(crate) parts: Vec<Node>,
}

/// A command. A number is an index into [`Script::commands`].
#[derive(Debug)]
pub(crate) enum Node {
    Simple(usize),
    If {
        branches: Vec<(List, List)>,
        otherwise: Option<List>,
    },
    /// `for` and `select`, by the index of their heads.
    For {
        head: usize,
        body: List,
        end: usize,
    },
    /// `while` and `until`.
    While {
        condition: List,
        body: List,
        end: usize,
    },
    Case(Vec<List>),
    Group(List),
    Subshell(List),
    Function(String, Box<Node>),
}

impl List {
    /// All simple commands in it, as indexes into [`Script::commands`]; the patterns of a `case` do not count.
    pub(crate) fn simple(&self) -> Vec<usize> {
        let chains = self.0.iter();
        let pipelines = chains.flat_map(|chain| {
            std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, part)| part))
        });
        pipelines.flat_map(|pipeline| &pipeline.parts).flat_map(Node::simple).collect()
    }
}

impl Node {
    pub(crate) fn simple(&self) -> Vec<usize> {
        let of = |lists: &mut dyn Iterator<Item = &List>| lists.flat_map(List::simple).collect();
        match self {
            Self::Simple(at) => vec![*at],
            Self::If { branches, otherwise } => {
                let both = branches.iter().flat_map(|(condition, body)| [condition, body]);
                of(&mut both.chain(otherwise))
            }
            Self::While { condition, body, .. } => of(&mut [condition, body].into_iter()),
            Self::For { body, .. } | Self::Group(body) | Self::Subshell(body) => body.simple(),
            Self::Case(arms) => of(&mut arms.iter()),
            Self::Function(_, body) => body.simple(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token<'a> {
    /// A reserved word, and the command that contains it.
    Key(&'a str, usize),
    Simple(usize),
    /// Redirections without a command.
    Redirection(usize),
    Function(&'a str),
    Sign(Sign),
}

/// Reserved words that precede or replace a command.
const KEYS: [&str; 13] =
    ["!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "esac"];

/// The tree of a script; `None` if it cannot be followed.
pub(crate) fn tree(script: &Script) -> Option<List> {
    let tokens = tokens(script);
    let mut parser = Parser { tokens: &tokens, at: 0 };
    let list = parser.list()?;
    (parser.at == tokens.len()).then_some(list)
}

fn tokens(script: &Script) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for piece in &script.pieces {
        match piece {
            Piece::Sign(sign) => tokens.push(Token::Sign(*sign)),
            Piece::Function(name) => tokens.push(Token::Function(name)),
            Piece::Command(at) => command(script, *at, &mut tokens),
        }
    }
    tokens
}

fn command<'a>(script: &'a Script, at: usize, tokens: &mut Vec<Token<'a>>) {
    let mut words = script.commands[at].words.iter().map(|word| {
        // A quoted word is never reserved.
        if word.quoted { "" } else { word.text.as_str() }
    });
    let mut keys = 0;
    while let Some(word) = words.next() {
        match word {
            "case" | "for" | "select" => return tokens.push(Token::Key(word, at)),
            "function" => tokens.push(Token::Function(words.next().unwrap_or_default())),
            "time" => {}
            _ if KEYS.contains(&word) => tokens.push(Token::Key(word, at)),
            _ => return tokens.push(Token::Simple(at)),
        }
        keys += 1;
    }
    if keys == 0 {
        tokens.push(Token::Redirection(at));
    }
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at)
    }

    fn takes(&mut self, sign: Sign) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    /// The command that contains a reserved word, if that word is next.
    fn takes_key(&mut self, key: &str) -> Option<usize> {
        let Some(Token::Key(found, command)) = self.peek() else { return None };
        (*found == key).then(|| {
            self.at += 1;
            *command
        })
    }

    fn ends(&mut self) {
        while self.takes(Sign::End) {}
    }

    /// Reads up to a word or sign that closes the construct around the list.
    fn list(&mut self) -> Option<List> {
        let mut chains = Vec::new();
        loop {
            self.ends();
            let closes = match self.peek() {
                None | Some(Token::Sign(Sign::Close | Sign::CaseEnd)) => true,
                Some(Token::Key(key, _)) => {
                    ["}", "then", "elif", "else", "fi", "do", "done", "esac"].contains(key)
                }
                _ => false,
            };
            if closes {
                return Some(List(chains));
            }
            chains.push(self.chain()?);
        }
    }

    fn chain(&mut self) -> Option<Chain> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            let or = self.takes(Sign::Or);
            if !or && !self.takes(Sign::And) {
                break;
            }
            self.ends();
            rest.push((or, self.pipeline()?));
        }
        let background = self.takes(Sign::Background);
        Some(Chain { first, rest, background })
    }

    fn pipeline(&mut self) -> Option<Pipeline> {
        let mut negated = false;
        while self.takes_key("!").is_some() {
            negated = !negated;
        }
        let mut parts = vec![self.node()?];
        while self.takes(Sign::Pipe) {
            self.ends();
            parts.push(self.node()?);
        }
        Some(Pipeline { negated, parts })
    }

    fn node(&mut self) -> Option<Node> {
        let token = self.peek()?;
        self.at += 1;
        let node = match token {
            Token::Simple(at) | Token::Redirection(at) => return Some(Node::Simple(*at)),
            Token::Function(name) => {
                // `function name()` has both.
                let both = [Token::Sign(Sign::Open), Token::Sign(Sign::Close)];
                if self.tokens[self.at..].starts_with(&both) {
                    self.at += both.len();
                }
                self.ends();
                return Some(Node::Function((*name).to_owned(), Box::new(self.node()?)));
            }
            Token::Sign(Sign::Open) => {
                let list = self.list()?;
                self.takes(Sign::Close).then_some(Node::Subshell(list))?
            }
            Token::Key("{", _) => {
                let list = self.list()?;
                self.takes_key("}")?;
                Node::Group(list)
            }
            Token::Key("if", _) => self.condition()?,
            Token::Key("while" | "until", _) => {
                let condition = self.list()?;
                let (body, end) = self.body()?;
                Node::While { condition, body, end }
            }
            Token::Key("for" | "select", head) => {
                self.ends();
                let (body, end) = self.body()?;
                Node::For { head: *head, body, end }
            }
            Token::Key("case", _) => self.case()?,
            _ => return None,
        };
        if let Some(Token::Redirection(_)) = self.peek() {
            self.at += 1;
        }
        Some(node)
    }

    fn body(&mut self) -> Option<(List, usize)> {
        self.takes_key("do")?;
        let body = self.list()?;
        Some((body, self.takes_key("done")?))
    }

    fn condition(&mut self) -> Option<Node> {
        let mut branches = Vec::new();
        loop {
            let condition = self.list()?;
            self.takes_key("then")?;
            branches.push((condition, self.list()?));
            if self.takes_key("elif").is_none() {
                break;
            }
        }
        let otherwise = match self.takes_key("else") {
            Some(_) => Some(self.list()?),
            None => None,
        };
        self.takes_key("fi")?;
        Some(Node::If { branches, otherwise })
    }

    fn case(&mut self) -> Option<Node> {
        let mut arms = Vec::new();
        loop {
            self.ends();
            if self.takes_key("esac").is_some() {
                return Some(Node::Case(arms));
            }
            // The patterns look like commands.
            while !self.takes(Sign::Close) {
                self.peek()?;
                self.at += 1;
            }
            arms.push(self.list()?);
            self.takes(Sign::CaseEnd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_that_bash_can_parse_has_a_tree() {
        for text in [
            "a && b || c; d | e & f",
            "if a; then b; elif c; then d; else e; fi\ng",
            "for x in 1 2; do a; done <b\nfor ((i = 0; i < 3; i++)); do a; done",
            "while ! a; do ((n++)) && b; done < <(c)\nuntil (( n > 3 )); do d; done",
            "case $x in a|b) c ;; (d) e;; *) ;; esac; f",
            "f() { a; }\nfunction g { b; }\ng() (c)\nfunction h() { d; }\ni () { e; }",
            "{ a; b; } | c 2>&1\n(d; e) && f &>/dev/null",
            "cat <<'E' | a\nif then\nE\nb \\\n  && c",
            "[[ $a == b && -n \"$(c)\" ]] || ! d",
            "a | # why\n  b",
        ] {
            assert!(tree(&super::super::read(text)).is_some(), "{text}");
        }
        let script =
            super::super::read("case $1 in\n  install|upgrade) a ;;\n  chmod) b ;;\nesac\n");
        let programs: Vec<_> = script.commands.iter().filter_map(|it| it.program()).collect();
        assert_eq!(programs, ["case", "a", "b"]);
        for text in ["if a; then", "a)", "fi", "a && ", "for x in y; do"] {
            assert!(tree(&super::super::read(text)).is_none(), "{text}");
        }
    }
}
