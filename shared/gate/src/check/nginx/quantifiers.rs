//! Finds quantifiers of regular expressions (`\d{4}`) outside quotes: nginx takes their brace for that of a block.

pub(super) fn mistakes(text: &str) -> Vec<(usize, String)> {
    // Lua has its own braces.
    if text.contains("_by_lua") {
        return Vec::new();
    }
    let found = text.lines().enumerate().filter_map(|(at, line)| {
        let quantifier = bare(line)?;
        let message = format!(
            "nginx takes the brace of `{quantifier}` for the start of a block: put the expression \
            in quotes."
        );
        Some((at + 1, message))
    });
    found.collect()
}

/// The first quantifier in a line that is neither in quotes nor in a comment.
fn bare(line: &str) -> Option<&str> {
    let (mut quote, mut last, mut escaped) = (None, ' ', false);
    for (at, c) in line.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            // Only at the beginning of a word is a quote one.
            (None, '"' | '\'') if last.is_whitespace() || last == '(' => quote = Some(c),
            (None, '#') if last.is_whitespace() => return None,
            (None, '{') if !last.is_whitespace() && !"${".contains(last) => {
                let end = line[at..].find('}').map(|end| at + end + 1);
                let inner = end.map(|end| &line[at + 1..end - 1]).unwrap_or_default();
                let counts = inner.starts_with(|c: char| c.is_ascii_digit())
                    && inner.chars().all(|c| c.is_ascii_digit() || c == ',');
                if counts {
                    return end.map(|end| &line[at..end]);
                }
            }
            _ => {}
        }
        last = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::mistakes;

    #[test]
    fn quantifiers_stand_in_quotes() {
        for text in [
            "location ~ ^/v\\d{1}/ {\n",
            "    rewrite ^/(\\d{4})/(.*)$ /archive/$1/$2 last;\n",
            "if ($uri ~ ^/[a-f0-9]{32,}$) {\n",
            "server_name ~^(?<a>[a-z]{2,8})\\.example\\.org$;\n",
        ] {
            assert_eq!(mistakes(text).len(), 1, "{text}");
        }
        for text in [
            "location ~ \"^/v\\d{1}/\" {\n",
            "if ($uri ~ '^/[a-f0-9]{32}$') {\n",
            "# location ~ \\d{4} {\nset $a b${1};\n",
            "location / { return 204; }\nallow {{ a }}; root /srv/{{2}};\n",
            "location ~ ^/it's\\{3}$ {\n",
        ] {
            assert!(mistakes(text).is_empty(), "{text}");
        }
    }
}
