//! Finds names that a program in Python uses and that nothing in it binds.
//!
//! A name counts as bound wherever the file binds it, in any scope, so that only a name without any import, definition or
//! assignment is found.

use std::collections::BTreeSet;

/// Names that Python itself has.
const BUILTINS: &str = "False None True NotImplemented Ellipsis __debug__ __file__ __name__ __doc__ __package__ __spec__ \
    __loader__ __builtins__ __annotations__ __path__ __all__ __class__ __dict__ __module__ __qualname__ ArithmeticError AssertionError \
    AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning \
    ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError \
    DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError \
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError \
    IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError \
    ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError \
    PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError \
    ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError \
    SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError \
    UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError abs aiter all \
    anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits \
    delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help \
    hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open \
    ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple \
    type vars zip __import__ __build_class__ reveal_type and as assert async await break class continue def del elif \
    else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield \
    match case type _ self cls";

/// Calls that bind names at run time, and programs that bring their own names.
const DYNAMIC: [&str; 8] = [
    "import *",
    "exec(",
    "globals()",
    "locals()",
    "NameError",
    "setattr(__",
    "# noqa",
    "get_config()",
];

/// The first name that nothing binds, with its line.
pub(super) fn unbound(text: &str) -> Option<(usize, String)> {
    if DYNAMIC.iter().any(|sign| text.contains(sign)) {
        return None;
    }
    let tokens = tokens(text)?;
    let bound = bound(&tokens);
    let known = |name: &str| {
        bound.contains(name) || BUILTINS.split_whitespace().any(|builtin| builtin == name)
    };
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map_or("", |token| token.text.as_str());
        let before =
            at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |it| it.text.as_str());
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            name if token.name => {
                // `.attribute`, and `argument=` of a call.
                let other = before == "." || (depth > 0 && next == "=");
                if !other && !known(name) {
                    return Some((token.line, format!("Nothing in this file defines `{name}`.")));
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a program binds a name anywhere, or may bind it at run time.
pub(super) fn defines(text: &str, name: &str) -> bool {
    let dynamic = DYNAMIC.iter().any(|sign| text.contains(sign));
    dynamic || tokens(text).is_none_or(|tokens| bound(&tokens).contains(name))
}

/// A name, a sign, or the end of a line outside of brackets (`\n`).
struct Token {
    text: String,
    name: bool,
    line: usize,
}

fn bound(tokens: &[Token]) -> BTreeSet<&str> {
    let mut bound = BTreeSet::new();
    let text = |at: usize| tokens.get(at).map_or("\n", |token: &Token| token.text.as_str());
    let (mut line, mut depth) = (0, 0_usize);
    for at in 0..tokens.len() {
        match text(at) {
            "\n" => (line, depth) = (at + 1, 0),
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "import" | "def" | "class" | "as" | "global" | "nonlocal" | "type" | "case" => {
                // `import a.b as c, d`; a pattern binds the names in it.
                let mut to = at + 1;
                let one = ["def", "class", "as", "type"].contains(&text(at));
                while text(to) != "\n" && (text(to) != ":" || text(at) == "case") {
                    if tokens[to].name && text(to.saturating_sub(1)) != "." {
                        bound.insert(text(to));
                        if one {
                            break;
                        }
                    }
                    to += 1;
                }
                if text(at) == "as" && text(at + 1) == "(" {
                    bound.extend((at + 2..to + 8).map(text).take_while(|word| *word != ")"));
                }
                if text(at) == "def" {
                    parameters(tokens, at + 2, ")", &mut bound);
                }
            }
            // A module in `from a.b import c`.
            "from" if at == line => {
                let names = (at + 1..tokens.len()).map(text);
                bound.extend(names.take_while(|word| !["import", "\n"].contains(word)));
            }
            "lambda" => parameters(tokens, at + 1, ":", &mut bound),
            "for" => {
                let to = (at + 1..tokens.len()).find(|to| ["in", "\n"].contains(&text(*to)));
                bound.extend((at + 1..to.unwrap_or(at + 1)).map(text));
            }
            ":=" => drop(bound.insert(text(at.saturating_sub(1)))),
            // What precedes the sign in its line; in brackets, it names an argument.
            "=" | "+=" if depth == 0 => targets(tokens, line, at, &mut bound),
            // An annotation follows a single name.
            ":" if at == line + 1 => targets(tokens, line, at, &mut bound),
            _ => {}
        }
    }
    bound
}

/// The names that an assignment binds: neither attributes, nor what an index or a call follows, nor an index.
fn targets<'a>(tokens: &'a [Token], from: usize, to: usize, bound: &mut BTreeSet<&'a str>) {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut indexes = 0_usize;
    for at in from..to {
        let target = |at: usize| tokens[at].name || text(at) == ")" || text(at) == "]";
        match text(at) {
            "[" | "(" if indexes > 0 || (at > from && target(at - 1)) => indexes += 1,
            "]" | ")" => indexes = indexes.saturating_sub(1),
            name if tokens[at].name && indexes == 0 => {
                let part = at > from && text(at - 1) == ".";
                if !part && ![".", "[", "("].contains(&text(at + 1)) {
                    bound.insert(name);
                }
            }
            _ => {}
        }
    }
}

/// The names of parameters up to the end of their list. Defaults and annotations count, too.
fn parameters<'a>(tokens: &'a [Token], from: usize, end: &str, bound: &mut BTreeSet<&'a str>) {
    let (mut depth, mut value) = (0_usize, false);
    for token in tokens.iter().skip(from) {
        match token.text.as_str() {
            text if depth == usize::from(end == ")") && text == end => return,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth <= usize::from(end == ")") => value = false,
            "=" | ":" if depth <= usize::from(end == ")") => value = true,
            "\n" => return,
            name if token.name && !value && depth <= usize::from(end == ")") => {
                bound.insert(name);
            }
            _ => {}
        }
    }
}

/// The tokens of a text, without its strings and comments; `None` if a string has no end.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let chars: Vec<char> = text.chars().collect();
    let (mut found, mut at, mut line, mut depth) = (Vec::new(), 0, 1, 0_usize);
    let mut push = |text: String, name: bool, line: usize| found.push(Token { text, name, line });
    while at < chars.len() {
        let c = chars[at];
        match c {
            '\n' => {
                if depth == 0 {
                    push("\n".to_owned(), false, line);
                }
                line += 1;
                at += 1;
            }
            '\\' => {
                line += usize::from(chars.get(at + 1) == Some(&'\n'));
                at += 2;
            }
            '#' => at += chars[at..].iter().take_while(|c| **c != '\n').count(),
            '"' | '\'' => {
                let end = string(&chars, at)?;
                line += chars[at..end].iter().filter(|c| **c == '\n').count();
                at = end;
                push("\"".to_owned(), false, line);
            }
            c if c.is_alphabetic() || c == '_' => {
                let name: String =
                    chars[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
                at += name.chars().count();
                let prefix = name.len() <= 2 && matches!(chars.get(at), Some('"' | '\''));
                if prefix && name.to_lowercase().contains('f') {
                    let end = string(&chars, at)?;
                    for (begun, field) in fields(&chars[at..end])? {
                        let line = line + begun;
                        push("(".to_owned(), false, line);
                        for token in tokens(&field)?.into_iter().filter(|it| it.text != "\n") {
                            push(token.text, token.name, line + token.line - 1);
                        }
                        push(")".to_owned(), false, line);
                    }
                } else if !prefix {
                    push(name, true, line);
                }
            }
            c if c.is_ascii_digit() => {
                at += chars[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
            }
            c if c.is_whitespace() => at += 1,
            _ => {
                let pair: String = chars[at..].iter().take(2).collect();
                let compares = ["==", "!=", "<=", ">="].contains(&pair.as_str());
                let assigns = pair.len() == 2 && pair.ends_with('=') && !compares;
                depth += usize::from("([{".contains(c));
                depth = depth.saturating_sub(usize::from(")]}".contains(c)));
                match pair.as_str() {
                    ":=" => push(pair, false, line),
                    _ if assigns && c != '=' => push("+=".to_owned(), false, line),
                    _ if compares => push(pair, false, line),
                    _ => push(c.to_string(), false, line),
                }
                at += if compares || (assigns && c != '=') { 2 } else { 1 };
            }
        }
    }
    Some(found)
}

/// The expressions in a text with `{…}`, each with the number of lines before it; `None` if one of them does not end.
fn fields(text: &[char]) -> Option<Vec<(usize, String)>> {
    let (mut found, mut at, mut line) = (Vec::new(), 0, 0);
    while at < text.len() {
        line += usize::from(text[at] == '\n');
        if text[at] != '{' {
            at += 1;
        } else if text.get(at + 1) == Some(&'{') {
            at += 2;
        } else {
            let end = field_end(text, at + 1)?;
            let field: String = text[at + 1..end].iter().collect();
            // `{name=}` shows the name, too.
            found.push((line, field.trim_end().trim_end_matches('=').to_owned()));
            // What follows `!` or `:` may have its own fields.
            at = end;
        }
    }
    Some(found)
}

/// The end of an expression in braces, outside of its own brackets and texts.
fn field_end(text: &[char], from: usize) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, from);
    while let Some(c) = text.get(at) {
        match c {
            '"' | '\'' => {
                at = string(text, at)?;
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            '!' if depth == 0 && text.get(at + 1) != Some(&'=') => return Some(at),
            ':' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The place after a string.
fn string(chars: &[char], from: usize) -> Option<usize> {
    let quote = chars[from];
    let triple = chars.get(from..from + 3).is_some_and(|three| three.iter().all(|c| *c == quote));
    let mut at = from + if triple { 3 } else { 1 };
    loop {
        match *chars.get(at)? {
            '\\' => at += 2,
            c if c == quote && !triple => return Some(at + 1),
            c if c == quote && chars.get(at..at + 3)?.iter().all(|c| *c == quote) => {
                return Some(at + 3);
            }
            '\n' if !triple => return None,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_definition_is_found() {
        for (text, line) in [
            ("from datetime import datetime\nx = datetime.now(timezone.utc)\n", 2),
            ("def f(a):\n    return b\n", 2),
            ("import os\nprint(os.environ['A'], jsn.dumps(1))\n", 2),
            ("app = Flask(__name__)\n", 1),
            ("def f(a):\n    print(f'{a} and {b!r}')\n", 2),
            ("a = 1\nb = f\"\"\"x\n{a:>{width}}\"\"\"\n", 3),
            ("for i in range(3):\n    total += weight(i)\n", 2),
            ("a = []\nb = print(x=len(c), y=len(a))\n", 2),
            ("a = {}\na[key] = 1\n", 2),
            ("confg.debug = True\n", 1),
            ("def f(a):\n    return sorted(a, key=b, reverse=True)\n", 2),
        ] {
            assert_eq!(unbound(text).map(|(line, _)| line), Some(line), "{text}");
        }
    }

    #[test]
    fn names_are_bound_in_many_ways() {
        for text in [
            "import os.path, a as b\nfrom c import (\n    d,\n    e as f,\n)\nprint(os, b, d, f)\n",
            "def f(a, *b, c: int = 1, **d) -> int:\n    return a + len(b) + c + d['x']\nx: int = f(a=1, z=2)\n",
            "with open('a') as (g, h), i() as j:\n    print(g, h, j)\ndef i(): pass\n",
            "k, (l, *m) = n = 1, (2, 3)\nprint(k, l, m, n, [o for o in m if (p := o)], p)\n",
            "try:\n    pass\nexcept (OSError, ValueError) as q:\n    raise SystemExit(1) from q\n",
            "r = lambda s, t=1: s + t\nclass U(Exception):\n    v = 1\nfor w, (y, z) in []: print(w, y, z, U.v)\n",
            "a, (b, *c), [d, e] = 1, (2, 3), [4, 5]\na[b].f = c[d] = e\ng: dict[str, int] = {}\nif a: h = 1\nprint(g, h)\n",
            "match a_b:\n    case {'k': v}:\n        print(v)\na_b = 1\n",
            "def f(\n    a,\n    b=None,\n):\n    return f\"{a} {b!r:>{10}}\" + r'\\d'\n",
            "a, b = 1, {}\nprint(f'{a=} {{c}} {b[\"d\"]:>{a}} {[e for e in b]}', rf\"{a != 1}\\d\")\n",
            "async def f(d: dict[str, int]):\n    async for a in d: await a\n    global e\n    del e\n",
        ] {
            assert_eq!(unbound(text), None, "{text}");
        }
    }
}
