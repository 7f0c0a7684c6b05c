//! Finds statements of PHP that no semicolon ends before the next one begins.

use super::error;
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_php(file)) {
        for line in unended(&file.filled()) {
            let message = "PHP needs a semicolon at the end of this statement.";
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

fn is_php(file: &Written) -> bool {
    super::config::kind(file) == "php" || file.text.starts_with("<?php")
}

/// Words with which only a new statement begins.
const BEGINS: [&str; 22] = [
    "abstract",
    "break",
    "class",
    "const",
    "continue",
    "define",
    "echo",
    "exit",
    "final",
    "for",
    "foreach",
    "global",
    "if",
    "ini_set",
    "private",
    "protected",
    "public",
    "require",
    "require_once",
    "return",
    "switch",
    "while",
];

/// Words whose lines end without a semicolon.
const HEADS: [&str; 20] = [
    "abstract",
    "case",
    "catch",
    "class",
    "declare",
    "default",
    "do",
    "else",
    "elseif",
    "enum",
    "finally",
    "for",
    "foreach",
    "function",
    "if",
    "interface",
    "namespace",
    "switch",
    "trait",
    "while",
];

/// Words before those of `HEADS` in a line.
const BEFORE: [&str; 7] =
    ["abstract", "final", "private", "protected", "public", "readonly", "static"];

/// The lines of statements that have no end.
fn unended(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut before: Option<(usize, Line)> = None;
    for (at, line) in lines(text) {
        if let Some((from, last)) = &before {
            let ends = line.code.starts_with("?>") || line.code == "}";
            if last.depth == 0 && last.is_open() && (begins(&line.code) || ends) {
                found.push(*from);
            }
        }
        before = Some((at, line));
    }
    found
}

/// A line of code.
struct Line {
    /// Its code with `''` for each text.
    code: String,
    /// The line with which its outermost bracket begins, which is mostly itself.
    head: String,
    /// How many round and square brackets are open after it.
    depth: usize,
}

impl Line {
    /// Whether it looks like a whole statement without its semicolon.
    fn is_open(&self) -> bool {
        let words = self.head.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        let mut words = words.filter(|word| !word.is_empty());
        let first = words.find(|word| !BEFORE.contains(word)).unwrap_or_default();
        let whole = self.code.ends_with([')', ']', '\''])
            || self.code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let operator = self.code.ends_with(" and")
            || self.code.ends_with(" or")
            || self.code.ends_with(" instanceof");
        whole
            && !operator
            && !HEADS.contains(&first)
            && !self.code.starts_with(['}', '#', '<', '\''])
            // An arm of `match` ends with a comma or its bracket.
            && !self.code.contains("=>")
            // The head of a function or a class may take several lines.
            && !self.code.starts_with([')', ':'])
            && !["extends", "implements", "use"].contains(&first)
    }
}

/// Whether a statement begins with a line.
fn begins(code: &str) -> bool {
    let word = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next();
    let word = word.unwrap_or_default();
    let rest = code[word.len()..].trim_start();
    let assigns = word.starts_with('$') && rest.starts_with('=') && !rest.starts_with("==");
    assigns || BEGINS.contains(&word)
}

/// The lines of PHP's code that are not empty, with their numbers. A text that does not end in its line ends the reading,
/// because what follows may be anything.
fn lines(text: &str) -> Vec<(usize, Line)> {
    let (mut found, mut depth, mut inside, mut comment) = (Vec::new(), 0_usize, false, false);
    let mut head = String::new();
    for (at, line) in text.lines().enumerate() {
        let Some(rest) = code_of(line, &mut inside) else { continue };
        if rest.contains("<<<") {
            break;
        }
        let Some(code) = plain(rest, &mut comment) else { break };
        let code = code.trim();
        if depth == 0 && !code.is_empty() {
            head = code.to_owned();
        }
        let opened = code.matches(['(', '[']).count();
        depth = (depth + opened).saturating_sub(code.matches([')', ']']).count());
        if !code.is_empty() {
            found.push((at + 1, Line { code: code.to_owned(), head: head.clone(), depth }));
        }
        inside &= !code.contains("?>");
    }
    found
}

/// The code of a line, if it is code.
fn code_of<'a>(line: &'a str, inside: &mut bool) -> Option<&'a str> {
    match line.split_once("<?php") {
        Some((_, rest)) => {
            *inside = true;
            Some(rest)
        }
        None => inside.then_some(line),
    }
}

/// A line without comments and with `''` for each text; `None` if a text does not end in it.
fn plain(line: &str, comment: &mut bool) -> Option<String> {
    let (mut code, mut quote, mut escaped) = (String::new(), None, false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match (quote, c) {
            _ if *comment => {
                *comment = !(c == '*' && next == Some('/'));
                if !*comment {
                    chars.next();
                }
            }
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => {
                quote = None;
                code.push_str("''");
            }
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '/') if next == Some('*') => *comment = true,
            (None, '/') if next == Some('/') => break,
            (None, '#') if next != Some('[') => break,
            (None, c) => code.push(c),
        }
    }
    quote.is_none().then_some(code)
}

#[cfg(test)]
mod tests {
    use super::unended;

    #[test]
    fn statements_of_php_end() {
        for (text, line) in [
            ("<?php\n$a = 1\n$b = 2;\n", 2),
            ("<?php\nini_set('a', '1') // why\n\necho 'b';\n", 2),
            ("<?php\nfunction a() {\n    return f($b)\n}\n", 3),
            ("<?php\n$a = [\n  'b' => 1,\n]\nreturn $a;\n", 4),
            ("<?php\nrequire 'a.php'\nif ($b) {\n}\n", 2),
        ] {
            assert_eq!(unended(text), [line], "{text}");
        }
    }

    #[test]
    fn statements_may_take_several_lines() {
        for text in [
            "<?php\n/* $a = 1\n$b */\nif ($a)\n    return 1;\n$c = $d\n    ->e()\n    ->f();\n",
            "<?php\nclass A extends B\n{\n    public function c(int $d): int\n    {\n        return 1;\n    }\n}\n",
            "<?php\n$a = match ($b) {\n    1 => 'c',\n    default => 'd'\n};\n$e = $f\n    ? 1\n    : 2;\n",
            "<?php if ($a): ?>\n<p>b</p>\n<?php endif; ?>\n<?php $c = [1,\n  2]; $d = \"e\";\n",
            "<?php\n#[Attribute]\nclass A {}\nforeach ($a as $b)\n    echo $b;\n$t = <<<E\n$x\nE;\n",
            "<?php\nif ($a\n    && $b)\n    return 1;\nwhile (f(\n  1))\n    echo 'c';\n",
            "<p><?php echo $a ?>\n</p>\n$b\n",
        ] {
            assert!(unended(text).is_empty(), "{text}: {:?}", unended(text));
        }
    }
}
