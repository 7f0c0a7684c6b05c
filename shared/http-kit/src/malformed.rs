//! Says in our own words what is wrong with a JSON body.
//!
//! serde's messages name Rust types and repeat values of the input, so of them only the kind of the mistake and the
//! expectation count. The names of the fields and variants in them are the contract's.

use serde_path_to_error::{Path, Segment};
use std::error::Error;

/// The longest name of a field that is repeated, in bytes: keys of a map are the caller's own.
const MAX_NAME_BYTES: usize = 64;

/// Which field of the body is wrong, and what belongs there; `None` if the error does not say it.
pub(crate) fn problem(rejection: &(dyn Error + 'static)) -> Option<String> {
    let mut error = rejection;
    loop {
        if let Some(found) = error.downcast_ref::<serde_path_to_error::Error<serde_json::Error>>() {
            return Some(in_words(&place(found.path()), &found.inner().to_string()));
        }
        error = error.source()?;
    }
}

fn in_words(place: &str, message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(message, _)| message);
    let quoted = |kind: &str| message.strip_prefix(kind)?.split('`').nth(1);
    if let Some(name) = quoted("missing field ") {
        return format!("{} is missing", named(&inside(place, name)));
    }
    if let Some(name) = quoted("duplicate field ") {
        return format!("{} occurs twice", named(&inside(place, name)));
    }
    let expected = message.rsplit_once(", expected ").map(|(_, expected)| expected);
    let is = |kind: &str| message.starts_with(kind);
    match expected {
        Some(names) if is("unknown variant ") => {
            format!("{} must be {}", named(place), names.replace('`', ""))
        }
        Some(names) if is("unknown field ") => {
            // The path ends with the field itself, whose name is the caller's.
            let within = quoted("unknown field ").and_then(|name| place.strip_suffix(name));
            let place = within.unwrap_or(place).trim_end_matches('.');
            format!("{} has an unknown field; it takes {}", named(place), names.replace('`', ""))
        }
        Some(kind) if is("invalid type: ") || is("invalid value: ") => match (kind_of(kind), place)
        {
            (Some(OBJECT), "") => format!("the body must be {OBJECT}"),
            // The error does not say which field it is about.
            (Some(kind), "") => format!("a field must be {kind}"),
            (Some(kind), _) => format!("{} must be {kind}", named(place)),
            (None, _) => format!("{} has the wrong type", named(place)),
        },
        // A list of too few items in the place of an object.
        Some(kind) if is("invalid length ") && kind_of(kind) == Some(OBJECT) => {
            format!("{} must be {OBJECT}", named(place))
        }
        Some(_) if is("invalid length ") => {
            format!("{} has the wrong number of items", named(place))
        }
        _ => format!("{} has the wrong form", named(place)),
    }
}

const OBJECT: &str = "an object";

/// What serde expects, in the words of JSON.
fn kind_of(expected: &str) -> Option<&'static str> {
    Some(match expected {
        "a string" | "a borrowed string" | "a character" | "string or map" => "a string",
        "a boolean" => "true or false",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "u128" | "usize" => "a whole number that is not negative",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" | "a JSON number" => "a number",
        "a sequence" => "a list",
        "a map" => OBJECT,
        _ if expected.starts_with("struct ") || expected.contains("tagged enum ") => OBJECT,
        _ if expected.starts_with("enum ") => "a string",
        _ if expected.starts_with("a tuple ") || expected.starts_with("an array ") => "a list",
        _ => return None,
    })
}

/// A path such as `steps[2].name`, as far as it is known; empty for the whole body.
fn place(path: &Path) -> String {
    let mut place = String::new();
    for segment in path.iter() {
        match segment {
            Segment::Seq { index } => place.push_str(&format!("[{index}]")),
            Segment::Map { key } if is_name(key) => place = inside(&place, key),
            Segment::Enum { .. } => {}
            Segment::Map { .. } | Segment::Unknown => break,
        }
    }
    place
}

fn is_name(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (1..=MAX_NAME_BYTES).contains(&key.len()) && key.bytes().all(plain)
}

fn inside(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn named(place: &str) -> String {
    if place.is_empty() { "the body".to_owned() } else { format!("`{place}`") }
}

#[cfg(test)]
mod tests {
    use crate::{ApiError, ErrorCode, Json};
    use axum::extract::{FromRequest, Request};
    use axum::http::StatusCode;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Size {
        Small,
        VeryLarge,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only the reading counts")]
    struct Item {
        name: String,
        size: Option<Size>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only the reading counts")]
    struct Seen {
        attempt: Option<u32>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only the reading counts")]
    struct Order {
        plan_id: String,
        approved: bool,
        items: Vec<Item>,
        #[serde(default)]
        values: BTreeMap<String, u8>,
        #[serde(default)]
        pair: Option<(i64, f64)>,
        #[serde(flatten)]
        seen: Seen,
    }

    async fn refused(body: &str) -> ApiError {
        let request = Request::post("/").header("content-type", "application/json");
        let request = request.body(body.to_owned().into()).unwrap();
        Json::<Order>::from_request(request, &()).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_malformed_body_is_refused_in_our_own_words_with_the_field_and_what_belongs_there() {
        let order = |more: &str| format!(r#"{{"plan_id":"p","approved":true,"items":[]{more}}}"#);
        let items = |items: &str| format!(r#"{{"plan_id":"p","approved":true,"items":{items}}}"#);
        let secret = r#"{"name":{"hunter2":1}}"#;
        for (body, problem) in [
            ("[]".to_owned(), "the body must be an object"),
            (r#""text""#.to_owned(), "the body must be an object"),
            ("{}".to_owned(), "`plan_id` is missing"),
            (r#"{"plan_id":7}"#.to_owned(), "`plan_id` must be a string"),
            (
                r#"{"plan_id":"p","approved":"hunter2"}"#.to_owned(),
                "`approved` must be true or false",
            ),
            (items("{}"), "`items` must be a list"),
            (items(r#"[{"name":"a"},"hunter2"]"#), "`items[1]` must be an object"),
            (items(&format!("[{secret}]")), "`items[0].name` must be a string"),
            (items("[{}]"), "`items[0].name` is missing"),
            (items("[[]]"), "`items[0]` must be an object"),
            (
                items(r#"[{"name":"a","size":"hunter2"}]"#),
                "`items[0].size` must be small or very_large",
            ),
            (items(r#"[{"name":"a","name":"b"}]"#), "`items[0].name` occurs twice"),
            (
                items(r#"[{"name":"a","hunter2":1}]"#),
                "`items[0]` has an unknown field; it takes name or size",
            ),
            (order(r#","values":{"a":256}"#), "`values.a` must be a whole number from 0 to 255"),
            (
                order(r#","values":{"hunter 2":-1}"#),
                "`values` must be a whole number from 0 to 255",
            ),
            (order(r#","pair":[1]"#), "`pair` has the wrong number of items"),
            (order(r#","pair":[1,"x"]"#), "`pair[1]` must be a number"),
            (
                order(r#","attempt":"hunter2""#),
                "a field must be a whole number from 0 to 4294967295",
            ),
        ] {
            let error = refused(&body).await;
            let got = (error.status, error.code);
            assert_eq!(got, (StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::InvalidBody), "{body}");
            assert_eq!(error.detail, format!("The request body is invalid: {problem}."), "{body}");
        }
        for body in ["", "{", "{\"plan_id\":", "nonsense"] {
            let error = refused(body).await;
            let got = (error.status, error.code);
            assert_eq!(got, (StatusCode::BAD_REQUEST, ErrorCode::InvalidJson), "{body}");
        }
    }
}
