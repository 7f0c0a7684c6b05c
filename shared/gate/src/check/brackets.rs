//! Finds brackets without a partner in JavaScript, TypeScript, Go and style sheets.

use super::error;
use crate::{FILES, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    inline(unit, findings);
    let languages = ["cjs", "css", "go", "js", "mjs", "ts"];
    for file in unit.written().filter(|file| !file.expands) {
        if !languages.contains(&file.extension().as_str()) || has_markup(&file.text) {
            continue;
        }
        let alone = (file.extension() == "go").then(|| alone(&file.text)).flatten();
        if let Some((line, message)) = mistake(&file.text, &file.extension()).or(alone) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// Whether a program of JavaScript has elements of HTML among its statements, as React's have.
fn has_markup(text: &str) -> bool {
    let element = |line: &str| {
        let rest = line.trim_start().strip_prefix('<');
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '>'))
    };
    (text.contains("return (") || text.contains("render(")) && text.lines().any(element)
}

/// Programs in the arguments of `node -e` and in its here-documents.
fn inline(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.shells.iter().filter(|shell| shell.file.is_none()) {
        for command in &shell.script.commands {
            let argv = command.argv();
            let ["node" | "bun", rest @ ..] = argv.as_slice() else { continue };
            let at = rest.iter().position(|word| ["-e", "--eval", "-p", "-pe"].contains(word));
            let given = at.and_then(|at| rest.get(at + 1)).map(|text| (command.line, *text));
            let fed = command.heredocs.iter().filter_map(|at| shell.script.heredocs.get(*at));
            let fed = fed.filter(|it| !it.expands && at.is_none() && takes_program(rest));
            let texts = given.into_iter().chain(fed.map(|it| (it.line, it.text.as_str())));
            for (from, text) in texts.filter(|(_, text)| !text.contains("$(")) {
                if let Some((line, message)) = mistake(text, "js") {
                    let line = from + line - 1 + shell.offset;
                    findings.push(error(FILES, message).at(None, line));
                }
            }
        }
    }
}

/// Whether `node` with these arguments reads its program from its input.
fn takes_program(rest: &[&str]) -> bool {
    rest.iter().all(|word| word.starts_with('-'))
}

/// A brace of Go on a separate line: the line before it ends the statement.
fn alone(text: &str) -> Option<(usize, String)> {
    const STARTS: [&str; 6] = ["else", "for ", "func ", "if ", "select", "switch"];
    let mut before = "";
    for (at, line) in text.lines().map(str::trim).enumerate() {
        let begins = STARTS.iter().any(|start| before.trim_start_matches("} ").starts_with(start));
        if line == "{" && begins && !before.ends_with(['{', ',', '(']) {
            return Some((at + 1, "Go needs this brace at the end of the line above.".to_owned()));
        }
        if !line.is_empty() {
            before = line;
        }
    }
    None
}

/// Reads a text sign by sign.
struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    /// The last sign other than a space, and the word that ends with it.
    last: char,
    word: String,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    /// Skips to an unescaped end; `None` if there is none.
    fn skip(&mut self, end: char, lines: bool) -> Option<()> {
        let mut class = false;
        while let Some(c) = self.next() {
            match c {
                '\\' => drop(self.next()),
                '\n' if !lines => return None,
                '[' if end == '/' => class = true,
                ']' if end == '/' => class = false,
                c if c == end && !class => return Some(()),
                _ => {}
            }
        }
        None
    }

    /// Whether a slash here begins an expression and does not divide.
    fn begins_expression(&self) -> bool {
        let words = ["return", "typeof", "case", "of", "in", "await", "yield", "void", "delete"];
        words.contains(&self.word.as_str()) || "(,=:[!&|?{};+-*%<>~^\0".contains(self.last)
    }
}

/// The first bracket or quote without a partner, and its line.
fn mistake(text: &str, language: &str) -> Option<(usize, String)> {
    let (css, go) = (language == "css", language == "go");
    let mut reader =
        Reader { rest: text.chars().peekable(), line: 1, last: '\0', word: String::new() };
    // A template's `${` is open like a bracket, and its end returns into the template.
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut spaced = false;
    while let Some(c) = reader.next() {
        let line = reader.line;
        let lost = |what: &str| Some((line, format!("This {what} is not closed.")));
        match c {
            '/' if reader.rest.peek() == Some(&'/') && !css => {
                while reader.rest.peek().is_some_and(|c| *c != '\n') {
                    reader.next();
                }
                continue;
            }
            '/' if reader.rest.peek() == Some(&'*') => {
                reader.next();
                let mut star = false;
                loop {
                    match reader.next() {
                        Some('/') if star => break,
                        Some(c) => star = c == '*',
                        None => return lost("comment"),
                    }
                }
                continue;
            }
            '/' if !css
                && !go
                && reader.begins_expression()
                && reader.skip('/', false).is_none() =>
            {
                return lost("regular expression");
            }
            '"' | '\'' if reader.skip(c, false).is_none() => return lost("text"),
            // Go's texts of several lines have nothing in them.
            '`' if go && reader.skip('`', true).is_none() => return lost("text"),
            '`' if !css && !go => {
                if let Some(wrong) = template(&mut reader, &mut open, line) {
                    return Some(wrong);
                }
            }
            '(' | '[' | '{' => open.push((c, line)),
            ')' | ']' | '}' => match (open.pop(), c) {
                (Some(('(', _)), ')') | (Some(('[', _)), ']') | (Some(('{', _)), '}') => {}
                (Some(('$', at)), '}') => {
                    if let Some(wrong) = template(&mut reader, &mut open, at) {
                        return Some(wrong);
                    }
                }
                (Some((begun, at)), _) => {
                    let message =
                        format!("This `{c}` comes before the end of `{begun}` in line {at}.");
                    return Some((line, message));
                }
                (None, _) => return Some((line, format!("This `{c}` closes nothing."))),
            },
            _ => {}
        }
        if c.is_alphanumeric() || c == '_' || c == '$' {
            if spaced {
                reader.word.clear();
            }
            reader.word.push(c);
        } else if !c.is_whitespace() {
            reader.word.clear();
        }
        spaced = c.is_whitespace();
        if !spaced {
            reader.last = c;
        }
    }
    open.pop().map(|(begun, at)| (at, format!("This `{begun}` is not closed.")))
}

/// Reads a template to its end or to an expression in it.
fn template(
    reader: &mut Reader,
    open: &mut Vec<(char, usize)>,
    begun: usize,
) -> Option<(usize, String)> {
    while let Some(c) = reader.next() {
        match c {
            '\\' => drop(reader.next()),
            '`' => {
                reader.last = '`';
                return None;
            }
            '$' if reader.rest.peek() == Some(&'{') => {
                reader.next();
                open.push(('$', begun));
                reader.last = '{';
                return None;
            }
            _ => {}
        }
    }
    Some((begun, "This template is not closed.".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::mistake;

    #[test]
    fn what_javascript_can_read_has_no_mistake() {
        for text in [
            "app.get(`/a/${b[`x${1}`]}/c`, (q, s) => s.json({ ok: /[/)]\\/(/.test(q) }));\n",
            "const a = b / c / d; // it's (fine\n/* ' */ const r = x.replace(/'/g, '\"');\n",
            "if (a) { return /\\)/.exec(b) }\n",
            "if (a) b(); else return /'/.test(a);\n",
            "export const f = async () => { await g(); };\n",
        ] {
            assert_eq!(mistake(text, "js"), None, "{text}");
        }
        assert_eq!(
            mistake("const a = `b ( ${c}`\nvar r = ')'\nfunc f() int { return 4 / 2 }\n", "go"),
            None
        );
        assert_eq!(mistake("func f() {\n\tg(h(1)\n}\n", "go").map(|(line, _)| line), Some(3));
        assert_eq!(mistake("a { background: url(//x/y.png); } /* ) */\n", "css"), None);
    }

    #[test]
    fn a_bracket_or_quote_without_a_partner_is_found_in_its_line() {
        for (text, line) in [
            ("a();\napp.get('/', (q) => q.json({ ok: true });\nb();\n", 2),
            ("f(`${a`);\n", 1),
            ("const a = 'b;\n", 1),
            ("function f() {\n  if (a) {\n}\n", 1),
            ("f(a));\n", 1),
        ] {
            assert_eq!(mistake(text, "js").map(|(line, _)| line), Some(line), "{text}");
        }
    }

    #[test]
    fn a_brace_of_go_ends_its_line() {
        for (text, found) in [
            ("func main() {\n\tif a\n\t{\n\t}\n}\n", true),
            ("func main()\n{\n}\n", true),
            ("func main() {\n\tfor i := range a {\n\t}\n\t{\n\t\tb()\n\t}\n}\n", false),
            ("var a = []b{\n\t{\n\t\tc: 1,\n\t},\n}\n", false),
        ] {
            assert_eq!(super::alone(text).is_some(), found, "{text}");
        }
    }
}
