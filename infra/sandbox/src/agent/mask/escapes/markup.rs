//! Escapes of HTML and XML.

use super::Meaning::{self, Of, Open, Plain};
use super::numbered;

/// The longest name of a character in HTML that is read, with its ampersand, in bytes.
const NAME_BYTES: usize = 12;

/// Names of ASCII's marks in HTML.
const NAMES: [(&str, char); 38] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("midast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("lbrace", '{'),
    ("verbar", '|'),
    ("vert", '|'),
    ("rcub", '}'),
    ("rbrace", '}'),
];

/// Reads the beginning of a text that begins with an ampersand.
pub fn markup(text: &[u8]) -> Meaning {
    match (text.get(1), text.get(2)) {
        (None, _) | (Some(b'#'), None) => Open,
        (Some(b'#'), Some(b'x' | b'X')) => numbered(text, 3, 16, b';').unwrap_or(Plain),
        (Some(b'#'), _) => numbered(text, 2, 10, b';').unwrap_or(Plain),
        _ => named(text),
    }
}

fn named(text: &[u8]) -> Meaning {
    let length = text[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (name, rest) = text[1..].split_at(length);
    match rest.first() {
        None if length < NAME_BYTES => Open,
        Some(b';') => {
            let known = NAMES.iter().find(|(known, _)| known.as_bytes() == name);
            known.map_or(Plain, |(_, c)| Of(length + 2, c.to_string().into_bytes()))
        }
        _ => Plain,
    }
}
