//! Splits an expression of Jinja into names, texts, numbers and signs.

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name or a keyword.
    Name(String),
    /// A text in quotes or a number.
    Value(String),
    Sign(&'static str),
}

impl Token {
    /// Its text as it is written.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Name(text) | Self::Value(text) => text,
            Self::Sign(sign) => sign,
        }
    }
}

/// Jinja's signs; the longer ones come before those with which they begin.
const SIGNS: [&str; 26] = [
    "**", "//", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}",
    ">", "<", "=", ".", ":", "|", ",", ";",
];

/// The tokens of a text, or why it has none.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let len = if c == '"' || c == '\'' {
            let len = quoted(rest, c).ok_or_else(|| format!("this {c} is unmatched"))?;
            found.push(Token::Value(rest[..len].to_owned()));
            len
        } else if c.is_ascii_digit() {
            let len = number(rest);
            found.push(Token::Value(rest[..len].to_owned()));
            len
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let len = end.unwrap_or(rest.len());
            found.push(Token::Name(rest[..len].to_owned()));
            len
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("it has no `{c}`"))?;
            found.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[len..].trim_start();
    }
    Ok(found)
}

/// The length of a text in quotes at the beginning.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of a number at the beginning: `10`, `0x1f`, `1.5e-3`.
fn number(text: &str) -> usize {
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
    };
    let mut len = digits(text);
    let behind = &text[len..];
    if behind.starts_with('.') && behind[1..].starts_with(|c: char| c.is_ascii_digit()) {
        len += 1 + digits(&behind[1..]);
    }
    let signed = text[..len].ends_with(['e', 'E']) && !text.starts_with("0x");
    let exponent = text[len..].strip_prefix(['-', '+']).map_or(0, digits);
    if signed && exponent > 0 { len + 1 + exponent } else { len }
}
