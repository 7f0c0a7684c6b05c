//! Finds the parts of a Jinja template: what is in `{{ … }}` and in `{% … %}`.

/// What is between two signs of Jinja.
#[derive(Debug, PartialEq)]
pub(in crate::check) struct Part {
    /// Its first line, from 1.
    pub(in crate::check) line: usize,
    /// Whether it is a statement in `{% … %}`.
    pub(in crate::check) statement: bool,
    /// Its text without the signs and without those that remove white space.
    pub(in crate::check) text: String,
}

/// The parts of a template in order, without comments and what is between `raw` and `endraw`.
pub(in crate::check) fn parts(template: &str) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    each(template, |part| found.extend(part.ok()));
    found
}

/// A template with `x` for each expression and nothing for statements and comments; its lines stay the same.
pub(in crate::check) fn without(template: &str) -> String {
    let mut text = String::new();
    each(template, |part| match part {
        Ok(part) => {
            text.push_str(if part.statement { "" } else { "x" });
            text.push_str(&"\n".repeat(part.text.matches('\n').count()));
        }
        Err(plain) => text.push_str(plain),
    });
    text
}

/// The line of a `{{` that no `}}` follows.
pub(super) fn unended(template: &str) -> Option<usize> {
    each(template, |_| {})
}

/// Gives the parts of a template and the texts around them to a function, with empty lines for comments. The result is
/// the line of an expression that does not end.
fn each(template: &str, mut take: impl FnMut(Result<Part, &str>)) -> Option<usize> {
    let (mut rest, mut line) = (template, 1);
    while let Some(at) = begins(rest) {
        let (before, from) = rest.split_at(at);
        take(Err(before));
        line += before.matches('\n').count();
        let inner = &from[2..];
        let comment = from.starts_with("{#");
        let len = if comment { inner.find("#}") } else { end(inner, from.starts_with("{%")) };
        let Some(len) = len else {
            take(Err(from));
            return from.starts_with("{{").then_some(line);
        };
        let whole = &inner[..len];
        let text = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let text = text.strip_suffix(['-', '+']).unwrap_or(text).trim_end();
        if comment {
            take(Err(&"\n".repeat(whole.matches('\n').count())));
        } else {
            let statement = from.starts_with("{%");
            take(Ok(Part { line, statement, text: text.to_owned() }));
        }
        // The white space that was cut off may contain line ends.
        let cut = whole.matches('\n').count() - text.matches('\n').count();
        if !comment && cut > 0 {
            take(Err(&"\n".repeat(cut)));
        }
        line += whole.matches('\n').count();
        rest = &inner[len + 2..];
        if from.starts_with("{%") && text.trim() == "raw" {
            let len = raw_end(rest);
            take(Err(&rest[..len]));
            line += rest[..len].matches('\n').count();
            rest = &rest[len..];
        }
    }
    take(Err(rest));
    None
}

/// Where the next sign of Jinja is.
fn begins(text: &str) -> Option<usize> {
    ["{{", "{%", "{#"].iter().filter_map(|sign| text.find(sign)).min()
}

/// Where the statement is that ends a raw part.
fn raw_end(text: &str) -> usize {
    let ends = |at: &usize| {
        text[at + 2..].trim_start_matches(['-', '+']).trim_start().starts_with("endraw")
    };
    text.match_indices("{%").map(|(at, _)| at).find(ends).unwrap_or(text.len())
}

/// Where the end of a part is, outside quotes and other braces.
fn end(text: &str, statement: bool) -> Option<usize> {
    let sign = if statement { "%}" } else { "}}" };
    let (mut quote, mut depth, mut escaped) = (None, 0_usize, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            _ if depth == 0 && text[at..].starts_with(sign) => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // A quote without a partner hides the end.
    text.find(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_outside_of_quotes_and_braces() {
        let text = "a {{ {'b': {'c': 1}} }}\n{#- it's -#}\n{%- if '%}' -%}\n{{- d\n -}}\n{% raw %}{{ .E }}\n{% endraw %}{{ f }}";
        let read = parts(text);
        let read: Vec<_> = read.iter().map(|part| (part.line, part.text.trim())).collect();
        let expected =
            [(1, "{'b': {'c': 1}}"), (3, "if '%}'"), (4, "d"), (6, "raw"), (7, "endraw"), (7, "f")];
        assert_eq!(read, expected);
        assert_eq!(unended(text), None);
        assert_eq!(unended("a\n{{ b }\n"), Some(2));
        assert_eq!(without(text), "a x\n\n\nx\n\n{{ .E }}\nx");
    }
}
