//! Finds an unclosed nginx block, and a brace that closes no block.

/// The first such brace and its line, from 1. Texts that a template or another language fills are not judged.
pub(super) fn mistake(text: &str) -> Option<(usize, String)> {
    if ["{%", "{{", "_by_lua", "js_content"].iter().any(|sign| text.contains(sign)) {
        return None;
    }
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let (mut quote, mut before) = (None, ' ');
        for c in line.chars() {
            match (quote, c) {
                (_, _) if before == '\\' => {}
                (Some(sign), c) if sign == c => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') if before.is_whitespace() || before == '(' => quote = Some(c),
                (None, '#') if before.is_whitespace() => break,
                (None, '{') => open.push(at + 1),
                (None, '}') if open.pop().is_none() => {
                    return Some((at + 1, "This brace closes no nginx block.".to_owned()));
                }
                _ => {}
            }
            before = if before == '\\' { ' ' } else { c };
        }
        // A text may go on in the next line; then nothing is certain.
        if quote.is_some() {
            return None;
        }
    }
    open.last().map(|line| (*line, "No brace closes this nginx block.".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::mistake;

    #[test]
    fn blocks_are_closed_once() {
        let map = "map $a $b {\n    default x;\n    ''      close;\n";
        assert_eq!(mistake(map).map(|(line, _)| line), Some(1));
        assert_eq!(mistake("server {\n}\n}\n").map(|(line, _)| line), Some(3));
        for text in [
            &format!("{map}}}\n"),
            "location ~ \"^/a{2,3}$\" { # {\n  return 200 '{\"a\": 1}';\n}\n",
            "set $a \"${host}{\";\nlocation ~ \\{ { deny all; }\n",
            "{% if a %}server {{% endif %}\n",
        ] {
            assert_eq!(mistake(text), None, "{text}");
        }
    }
}
