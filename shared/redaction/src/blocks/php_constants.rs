//! Finds the constants of a PHP configuration that hold secrets: `define('NONCE_SALT', '⟦v,UA1vP3…⟧')`.
//!
//! The generator of WordPress uses every sign in its salts, so only the quote and the bracket say where one ends.

use super::placeholders;
use crate::places::places;
use crate::things::is_placeholder;
use crate::{Raw, SecretKind};
use std::ops::Range;

/// How the names of such constants end.
const ENDS: [&str; 9] =
    ["PASSWORD", "PASSWD", "_PASS", "_PWD", "SALT", "_KEY", "TOKEN", "SECRET", "PASSPHRASE"];
/// The least bytes of a salt or a key, which other constants with such a name lack, and of any of the others.
const KEY_BYTES: usize = 20;
const LEAST_BYTES: usize = 4;
/// The longest value, in bytes.
const MOST_BYTES: usize = 256;

/// The values of such constants in a text, in order. None overlaps a wall.
pub fn find(text: &str, walls: &[Range<usize>]) -> Vec<Raw> {
    const CALL: &str = "define(";
    let starts = places(text, CALL).map(|at| at + CALL.len());
    let free = |span: &Range<usize>| {
        let next = walls.partition_point(|wall| wall.end <= span.start);
        walls.get(next).is_none_or(|wall| wall.start >= span.end)
    };
    let found = starts.filter_map(|at| constant(text, at)).filter(|(span, _)| free(span));
    found.map(|(span, name)| Raw::sure(span, name, SecretKind::Password)).collect()
}

/// The value and the name of the constant whose call begins here.
fn constant(text: &str, at: usize) -> Option<(Range<usize>, &str)> {
    let (name, rest) = quoted(&text[at..])?;
    let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    let known = name.bytes().all(plain) && ENDS.iter().any(|end| name.ends_with(end));
    let rest = rest.trim_start().strip_prefix(',').filter(|_| known)?.trim_start();
    let quote = rest.chars().next().filter(|sign| ['\'', '"'].contains(sign))?;
    let line = rest[1..].split('\n').next().unwrap_or_default();
    let ends = line.match_indices(quote).map(|(end, _)| end);
    let closes = |end: &usize| line[end + 1..].trim_start().starts_with(')');
    let value = &line[..ends.into_iter().find(closes)?];
    let machine = name.ends_with("SALT") || name.ends_with("_KEY");
    let least = if machine { KEY_BYTES } else { LEAST_BYTES };
    let own = (least..=MOST_BYTES).contains(&value.len())
        && !is_placeholder(value)
        && !value.ends_with("_here")
        && placeholders::find(value).is_empty()
        && (machine || !value.contains([' ', '<', '{']));
    let start = value.as_ptr() as usize - text.as_ptr() as usize;
    own.then(|| (start..start + value.len(), name))
}

/// The quoted text at the start of another, after blanks, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(' ');
    let quote = text.chars().next().filter(|sign| ['\'', '"'].contains(sign))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn constants_hold_secrets_with_any_sign() {
        seals(&[
            ("define( 'DB_PASSWORD', 'HFxnvXlUwIvNya5N?BT:$5JS' );", &["HFxnvXlUwIvNya5N?BT:$5JS"]),
            (
                "define('DB_PASSWORD', 'SP@Np44p?F9.kRvd'); define('NONCE_SALT', 'v,UA1vP3.UfY[3/{pI<`=g:87>rvr@g}}}kt');",
                &["SP@Np44p?F9.kRvd", "v,UA1vP3.UfY[3/{pI<`=g:87>rvr@g}}}kt"],
            ),
            ("define(\"AUTH_KEY\",  \"put-7|-+pE~w 'x' {Hk!0+]HR;Rr\");", &["put-7|-+pE~w"]),
        ]);
        for text in [
            "define('AUTH_KEY', 'put your unique phrase here');",
            "define( 'DB_PASSWORD', 'password_here' );",
            "define('DB_NAME', 'walnut');\ndefine('CACHE_KEY', 'shop_');",
            "define( 'DB_PASSWORD', getenv('DB_PASSWORD') );",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
