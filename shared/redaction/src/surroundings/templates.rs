//! Recognizes what templates, translations and the settings of programs write where a secret could stand: functions of a
//! template, keys of a text, tables of look-ups, and hosts.

use super::Place;
use crate::words::lists;

/// Whether a match belongs to such a text.
pub(super) fn is_of_template(place: &Place<'_>) -> bool {
    is_function(place)
        || is_key_of_text(place)
        || is_lookup(place)
        || is_relay(place)
        || is_media(place.value)
        // `amqp://{{ user }}:{{ password }}@mq:5672/`
        || (place.value.starts_with('@') && place.before.ends_with("}}"))
        // Symfony's `'%env(resolve:DB_PASSWORD)%'`
        || place.begun().contains("%env(")
}

/// `{{ .Values.password | b64enc | quote }}`: a function in the pipeline of a template, or at its start.
fn is_function(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let plain = value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let Some((_, inside)) = before.rsplit_once("{{").filter(|_| plain) else { return false };
    let Some((rest, _)) = after.split_once("}}").filter(|_| !inside.contains("}}")) else {
        return false;
    };
    let first = inside.trim_end_matches(['-', ' ', '(']).is_empty() && rest.starts_with(' ');
    let piped = inside.trim_end().ends_with(['|', '(']) && inside.ends_with([' ', '(', '|']);
    let calls = first && !rest.trim_matches(['-', ' ']).is_empty();
    value.starts_with(|c: char| c.is_ascii_lowercase()) && !rest.contains("{{") && (piped || calls)
}

/// `"login.forgot": "Forgot your password?"`, `t("login.forgot")`: the key of a text in a translation.
fn is_key_of_text(place: &Place<'_>) -> bool {
    const LEAST_BYTES: usize = 2;
    let Place { value, before, after, .. } = *place;
    let part = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        word.len() >= LEAST_BYTES
            && part.len() - word.len() <= 1
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.bytes().all(|b| b.is_ascii_lowercase() || b"_-".contains(&b))
    };
    let dotted = value.contains('.') && value.split('.').all(part);
    let quoted = before.ends_with(['"', '\'']) && after.starts_with(['"', '\'']);
    let rest = after.get(1..).unwrap_or_default().trim_start();
    let called = ["t(\"", "t('", "_(\"", "_('", "T(\"", "i18n(\"", "translate(\""];
    let names = quoted && rest.starts_with(": ") && has_text(rest);
    dotted && (names || (quoted && called.iter().any(|call| before.ends_with(call))))
}

/// Whether a field's value is a text to show: it begins with a capital or has several words.
fn has_text(rest: &str) -> bool {
    let value = rest.trim_start_matches([':', ' ']);
    value.strip_prefix(['"', '\'']).is_some_and(|text| {
        let text = text.split(['"', '\'']).next().unwrap_or_default();
        text.contains(' ') || text.starts_with(char::is_uppercase)
    })
}

/// `hash:/etc/postfix/sasl_passwd`: where Postfix looks a value up.
fn is_lookup(place: &Place<'_>) -> bool {
    const KINDS: &str =
        "hash texthash btree lmdb cdb dbm sdbm regexp pcre ldap mysql pgsql sqlite proxy unionmap";
    place.value.split_once(":/").is_some_and(|(kind, path)| {
        lists(KINDS, kind.rsplit(':').next().unwrap_or_default())
            && path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b))
    })
}

/// `relayhost = [smtp.example.net]:587`: a host and its port.
fn is_relay(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    let whole = value.strip_prefix('[').or(before.ends_with('[').then_some(value));
    whole.and_then(|host| host.split_once("]:")).is_some_and(|(host, port)| {
        host.contains('.')
            && host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-".contains(&b))
            && !port.is_empty()
            && port.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Whether a value is a picture, a font or a sound in base64, by the first bytes of its file.
fn is_media(value: &str) -> bool {
    const LEAST_BYTES: usize = 40;
    const STARTS: [&str; 14] = [
        "iVBORw0KGgo",
        "/9j/",
        "R0lGODlh",
        "R0lGODdh",
        "AAABAAEA",
        "UklGR",
        "Qk0",
        "d09GMg",
        "d09GRg",
        "T1RUTwA",
        "AAEAAAA",
        "T2dnUwA",
        "SUkqA",
        "JVBERi0",
    ];
    value.len() >= LEAST_BYTES && STARTS.iter().any(|start| value.starts_with(start))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn what_only_stands_where_a_secret_could_stays() {
        for text in [
            "password: {{ .Values.auth.password | b64enc | quote }}",
            "parameters:\n  database_password: '%env(resolve:SHOP_DB_PASSWORD)%'",
            "password: {{ randAlphaNum 32 | b64enc | quote }}",
            "password = {{ db_password | to_json | b64encode }}",
            "\"login.password\": \"Password\", \"login.forgot\": \"Forgot your password?\"",
            "t(\"login.password\"), t(\"login.forgot\")",
            "smtp_sasl_password_maps = hash:/etc/postfix/sasl_passwd\nrelayhost = [mx.example.net]:587",
        ] {
            assert_eq!(redacted(text), text);
        }
        let picture = "iVBORw0KGgoAAAANSUhEUgAAAWoCk8uVZANUPJNnlKphgCiorFcaIlhgEhkW4f66gm5eD0ZM4w";
        let text = format!("binaryData:\n  logo.png: {picture}");
        assert_eq!(redacted(&text), text);
    }

    #[test]
    fn a_literal_beside_them_is_still_found() {
        seals(&[
            ("password: {{ .Values.pw | default \"Walnut77!\" | b64enc }}", &["Walnut77!"]),
            ("[mx.example.net]:587 kim:Walnut77!", &["Walnut77!"]),
            ("{\"login.password\": \"Walnut77!\"}", &["Walnut77!"]),
        ]);
    }
}
