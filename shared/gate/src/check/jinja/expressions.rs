//! Parses the expressions of Jinja by its grammar, so that each one that it could not read is found before it fills anything.

use super::tokens::{Token, tokens};
use std::iter::Peekable;
use std::vec::IntoIter;

/// Names that are not variables.
const KEYWORDS: [&str; 7] = ["and", "else", "if", "in", "is", "not", "or"];

/// How deeply brackets are followed.
const DEPTH: usize = 60;

/// Why Jinja cannot read an expression; `None` if it can.
pub(super) fn mistake(text: &str) -> Option<String> {
    parse(text, |parser| parser.tuple(true)).err()
}

/// Why Jinja cannot read what is between `{%` and `%}`; `None` if it can, or for statements without an expression.
pub(super) fn statement(text: &str) -> Option<String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match word {
        "if" | "elif" | "do" => parse(rest, |parser| parser.tuple(true)).err(),
        "set" => parse(rest, Parser::set).err(),
        "for" => parse(rest, Parser::each).err(),
        _ => None,
    }
}

fn parse(text: &str, rule: impl Fn(&mut Parser) -> Read) -> Read {
    let mut parser = Parser { tokens: tokens(text)?.into_iter().peekable(), depth: 0 };
    rule(&mut parser)?;
    match parser.tokens.next() {
        None => Ok(()),
        Some(token) => Err(format!("`{}` is unexpected", token.text())),
    }
}

type Read = Result<(), String>;

/// Reads tokens by the rules of Jinja's own parser, which has the same methods under other names.
struct Parser {
    tokens: Peekable<IntoIter<Token>>,
    depth: usize,
}

impl Parser {
    fn next_is(&mut self, words: &[&str]) -> bool {
        let token = self.tokens.peek();
        token
            .is_some_and(|token| !matches!(token, Token::Value(_)) && words.contains(&token.text()))
    }

    /// Takes the next token if it is one of these.
    fn take(&mut self, words: &[&str]) -> bool {
        let hit = self.next_is(words);
        if hit {
            self.tokens.next();
        }
        hit
    }

    fn expect(&mut self, sign: &str) -> Read {
        if self.take(&[sign]) {
            return Ok(());
        }
        Err(format!("`{sign}` is missing {}", self.place()))
    }

    /// Where the next token is, in words.
    fn place(&mut self) -> String {
        let next = self.tokens.peek();
        next.map_or("at the end".to_owned(), |token| format!("before `{}`", token.text()))
    }

    fn name(&mut self) -> Read {
        match self.tokens.peek() {
            Some(Token::Name(_)) => {
                self.tokens.next();
                Ok(())
            }
            _ => Err(format!("a name is missing {}", self.place())),
        }
    }

    /// Expressions with commas between them; `conditions` says whether `if` belongs to them.
    fn tuple(&mut self, conditions: bool) -> Read {
        loop {
            if conditions {
                self.expression()?
            } else {
                self.either()?
            }
            let ends = [")", "]", "}", "=", "if", "recursive"];
            if !self.take(&[","]) || self.tokens.peek().is_none() || self.next_is(&ends) {
                return Ok(());
            }
        }
    }

    /// `a = b`, `a, b.c = d`, or the name of a block.
    fn set(&mut self) -> Read {
        loop {
            self.name()?;
            while self.take(&["."]) {
                self.name()?;
            }
            if !self.take(&[","]) {
                break;
            }
        }
        if self.take(&["="]) {
            return self.tuple(true);
        }
        self.filters()
    }

    /// `a, b in c if d recursive`
    fn each(&mut self) -> Read {
        loop {
            if self.take(&["("]) {
                self.tuple(false)?;
                self.expect(")")?;
            } else {
                self.name()?;
            }
            if !self.take(&[","]) {
                break;
            }
        }
        self.expect("in")?;
        self.tuple(false)?;
        if self.take(&["if"]) {
            self.expression()?;
        }
        self.take(&["recursive"]);
        Ok(())
    }

    fn expression(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("its brackets are nested too deep".to_owned());
        }
        self.either()?;
        while self.take(&["if"]) {
            self.either()?;
            if self.take(&["else"]) {
                self.expression()?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Comparisons joined by `and` and `or`.
    fn either(&mut self) -> Read {
        loop {
            while self.take(&["not"]) {}
            self.comparison()?;
            if !self.take(&["and", "or"]) {
                return Ok(());
            }
        }
    }

    fn comparison(&mut self) -> Read {
        loop {
            self.operand()?;
            let joined = self.take(&[
                "==", "!=", ">=", "<=", ">", "<", "in", "+", "-", "~", "*", "/", "//", "%", "**",
            ]);
            if !joined {
                if !self.take(&["not"]) {
                    return Ok(());
                }
                self.expect("in")?;
            }
        }
    }

    fn operand(&mut self) -> Read {
        while self.take(&["-", "+"]) {}
        self.value()?;
        self.behind()?;
        self.filters()
    }

    fn value(&mut self) -> Read {
        let missing = format!("an expression is missing {}", self.place());
        match self.tokens.peek() {
            Some(Token::Name(name)) if !KEYWORDS.contains(&name.as_str()) => {
                self.tokens.next();
                Ok(())
            }
            Some(Token::Value(_)) => {
                // Texts beside one another are one text.
                while matches!(self.tokens.peek(), Some(Token::Value(_))) {
                    self.tokens.next();
                }
                Ok(())
            }
            Some(Token::Sign("(")) => self.bracket(")"),
            Some(Token::Sign("[")) => self.bracket("]"),
            Some(Token::Sign("{")) => self.dictionary(),
            _ => Err(missing),
        }
    }

    /// A tuple or a list, which may be empty.
    fn bracket(&mut self, end: &str) -> Read {
        self.tokens.next();
        if !self.next_is(&[end]) {
            self.tuple(true)?;
        }
        self.expect(end)
    }

    fn dictionary(&mut self) -> Read {
        self.tokens.next();
        while !self.take(&["}"]) {
            self.expression()?;
            self.expect(":")?;
            self.expression()?;
            if !self.take(&[","]) {
                return self.expect("}");
            }
        }
        Ok(())
    }

    /// Attributes, subscripts and calls.
    fn behind(&mut self) -> Read {
        loop {
            if self.take(&["."]) {
                if matches!(self.tokens.peek(), Some(Token::Value(_))) {
                    self.tokens.next();
                } else {
                    self.name()?;
                }
            } else if self.take(&["["]) {
                self.subscript()?;
            } else if self.next_is(&["("]) {
                self.arguments()?;
            } else {
                return Ok(());
            }
        }
    }

    /// `[a]`, `[1:]`, `[a, b]`
    fn subscript(&mut self) -> Read {
        let mut any = false;
        while !self.take(&["]"]) {
            if !self.take(&[":", ","]) {
                self.expression()?;
                if !self.next_is(&["]", ":", ","]) {
                    return self.expect("]");
                }
            }
            any = true;
        }
        if any { Ok(()) } else { Err("an expression is missing before `]`".to_owned()) }
    }

    fn arguments(&mut self) -> Read {
        self.tokens.next();
        while !self.take(&[")"]) {
            self.take(&["*", "**"]);
            self.expression()?;
            if self.take(&["="]) {
                self.expression()?;
            }
            if !self.take(&[","]) {
                return self.expect(")");
            }
        }
        Ok(())
    }

    /// Filters and tests after a value.
    fn filters(&mut self) -> Read {
        loop {
            let test = self.next_is(&["is"]);
            if !self.take(&["|", "is"]) {
                return Ok(());
            }
            if test {
                self.take(&["not"]);
            }
            self.name()?;
            while self.take(&["."]) {
                self.name()?;
            }
            if self.next_is(&["("]) {
                self.arguments()?;
                self.behind()?;
            } else if test && self.begins_argument() {
                self.value()?;
                self.behind()?;
            }
        }
    }

    /// Whether the next token is the argument of a test: `is divisibleby 3`.
    fn begins_argument(&mut self) -> bool {
        match self.tokens.peek() {
            Some(Token::Name(name)) => !KEYWORDS.contains(&name.as_str()),
            Some(Token::Value(_)) => true,
            _ => self.next_is(&["[", "{"]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_without_a_part_are_found() {
        for text in [
            "",
            "a if b else",
            "a | ",
            "a | | b",
            "a or",
            "a ==",
            "f(a",
            "[a, b",
            "a b",
            "a.",
            "a[",
            "a[]",
            "{'a' 1}",
            "{'a': }",
            "a && b",
            "a is",
            "'a",
            "a | default('b'",
            "if a",
            "a ? b : c",
            "a | b(c d)",
            "a) + b",
            "not",
            "a $ b",
        ] {
            assert!(mistake(text).is_some(), "{text}");
        }
        for text in [
            "if",
            "if a and",
            "for a in",
            "for in b",
            "for a b",
            "set a =",
            "elif a |",
            "set a = b c",
        ] {
            assert!(statement(text).is_some(), "{text}");
        }
    }

    #[test]
    fn expressions_of_jinja_are_read() {
        for text in [
            "a.b['c'].d(1, e='f', *g, **h)[1:][:-1]",
            "a | default('b', true) | map(attribute='c') | list",
            "a if b is defined and b is not none else (c, ) + [] + {}",
            "a is divisibleby 3 or not a in [1, 2,] and a not in b",
            "lookup('env', 'A') ~ '/' ~ 1.5e-3 ** 2 // 3 % 4",
            "{'a': {'b': 1}, 'c': [d, e,],}",
            "a is ansible.builtin.version('1', '>=')",
            "a | ansible.builtin.combine({'b': c}, recursive=True)",
            "(a | b).c | d",
            "-1",
            "a, b",
            "'a' 'b'",
            "a if b",
            "hostvars[item]['a.b'].0.c",
            "a is search('b') if c else d",
            "x",
            "'it\\'s'",
            "a | regex_replace('^\\\\s+', '')",
        ] {
            assert_eq!(mistake(text), None, "{text}");
        }
        for text in [
            "for a, b in c.items() | sort if b",
            "for (a, b) in c recursive",
            "set a.b = c, d",
            "set a",
            "set a | upper",
            "if not a",
            "include 'b.j2' ignore missing",
            "endif",
            "for a in [1, 2] + b",
        ] {
            assert_eq!(statement(text), None, "{text}");
        }
    }
}
