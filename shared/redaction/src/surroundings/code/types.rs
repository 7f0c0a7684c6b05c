//! Recognizes types: `Vec<u8>`, `*v1.Secret`, `struct PhantomPinned`, and the names of packages and classes.

use super::names::{is_camel, is_name};
use crate::surroundings::Place;

/// Words before the name of a type, at the start of its line.
const DECLARATIONS: [&str; 7] =
    ["struct ", "impl ", "enum ", "class ", "trait ", " for ", "interface "];

/// Whether a value is a type.
pub(super) fn is_type(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let camel = || value.starts_with(|c: char| c.is_ascii_uppercase()) && is_camel(value);
    let declares = || {
        let line = before.trim_start();
        line.starts_with("pub ") || DECLARATIONS.iter().any(|word| line.starts_with(word))
    };
    is_generic(value)
        || is_of_package(value)
        || is_class(value)
        || (after.starts_with("::") && camel())
        || (DECLARATIONS.iter().any(|end| before.ends_with(end)) && declares() && camel())
}

/// `Vec<u8>`, `Option<&'static`, `&Map<String`
fn is_generic(value: &str) -> bool {
    let bare = value.trim_start_matches(['&', '<', '(']);
    let Some((name, argument)) = bare.split_once('<') else { return false };
    let name = name.rsplit([':', '(']).next().unwrap_or_default();
    let lifetime = argument.starts_with("&'");
    let argument = argument.trim_start_matches(['&', '\'', '(', '[']);
    lifetime
        || (name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().skip(1).any(|b| b.is_ascii_lowercase())
            && is_name(name)
            && (argument.is_empty()
                || argument.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
            && argument
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_<>&':,()[] ;{=".contains(&b)))
}

/// `*v1.Secret`: a type of another package of Go.
fn is_of_package(value: &str) -> bool {
    value.strip_prefix('*').and_then(|kind| kind.split_once('.')).is_some_and(|(package, name)| {
        let plain =
            |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric());
        plain(package) && plain(name) && name.starts_with(|c: char| c.is_ascii_uppercase())
    })
}

/// `com.example.shop#Order$Item`, `org.example.Main`
fn is_class(value: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b".#$_".contains(&b);
    ["com.", "org.", "io.", "net."].iter().any(|start| value.starts_with(start))
        && value.matches('.').count() > 1
        && value.bytes().all(plain)
}
