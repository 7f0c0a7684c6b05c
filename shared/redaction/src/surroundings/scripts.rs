//! Recognizes parts of scripts and settings: patterns, paths of XML, formats of `printf`, privileges, types of columns,
//! upstream servers, prompts, and entities of HTML.

use super::Place;
use crate::words::lists;

/// Programs in a pipe that look like a word with a number.
const PROGRAMS: &str = "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum base64 base32";
/// Types of columns that only SQL has.
const TYPES: &str = "LONGTEXT MEDIUMTEXT TINYTEXT TEXT VARCHAR CHAR INT BIGINT SMALLINT TINYINT DATETIME TIMESTAMP BOOLEAN UUID JSON JSONB \
     BLOB LONGBLOB MEDIUMBLOB SERIAL BIGSERIAL";

/// Whether a value is such a part.
pub(super) fn is_of_script(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    is_pattern(value)
        || is_format(value)
        || is_entity(place)
        || is_type(place)
        || is_upstream(before)
        || is_of_gateway(place)
        || is_of_seconds(place)
        || is_prompt(place)
        || lists(PROGRAMS, value)
}

/// `token)=[^&`, `//body[@class="x"]`, `shop.*:ALL`: a pattern, a path of XML, or privileges on tables.
fn is_pattern(value: &str) -> bool {
    ["[^", "[@", ".*:", ")=["].iter().any(|sign| value.contains(sign))
}

/// `%10s%20s\n`, `%mem`: a format of `printf`, a column of `ps`.
fn is_format(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('%') else { return false };
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    let printed = digits.starts_with(['s', 'd']) && value.matches('%').count() > 1;
    matches!(rest, "mem" | "cpu") || printed
}

/// `précédent&nbsp`, `root*&#8239`: a word before a blank of HTML.
fn is_entity(place: &Place<'_>) -> bool {
    let Some((word, entity)) = place.value.split_once('&') else { return false };
    let blank = entity.starts_with("nbsp")
        || entity
            .strip_prefix('#')
            .is_some_and(|code| code.starts_with(|c: char| c.is_ascii_digit()));
    blank && word.chars().all(|c| c.is_alphabetic() || "*_)'’- ".contains(c))
}

/// `username LONGTEXT NOT NULL`: the type of a column.
fn is_type(place: &Place<'_>) -> bool {
    lists(TYPES, place.value) && place.before.ends_with(' ')
}

/// `proxy_pass http://app_server;`: where a web server passes requests on.
fn is_upstream(before: &str) -> bool {
    const DIRECTIVES: [&str; 5] =
        ["proxy_pass ", "fastcgi_pass ", "uwsgi_pass ", "grpc_pass ", "scgi_pass "];
    let line = before.trim_start().trim_start_matches(['#', ' ']);
    DIRECTIVES.iter().any(|directive| {
        line.strip_prefix(directive).is_some_and(|target| !target.trim_start().contains([' ', '@']))
    })
}

/// `traefik-forward-auth provider`: what a gateway that signs in for others is made of.
fn is_of_gateway(place: &Place<'_>) -> bool {
    const LEAST: usize = 6;
    let word = place.value.split(' ').next().unwrap_or_default();
    place.before.ends_with("forward-auth ")
        && word.len() > LEAST
        && word.chars().all(char::is_lowercase)
}

/// "how long a token lives, in seconds | 1209600": a time.
fn is_of_seconds(place: &Place<'_>) -> bool {
    let before = place.before;
    place.value.bytes().all(|b| b.is_ascii_digit())
        && [" in seconds", " in milliseconds", " in minutes", "(seconds)"]
            .iter()
            .any(|unit| before.contains(unit))
}

/// `ops-node1$ sudo kubectl get nodes`: the name of a machine before a command.
fn is_prompt(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let (first, command) = value.split_once(' ').unwrap_or((value, after.trim_start()));
    let host = first.strip_suffix(['$', '#']);
    before.trim().is_empty()
        && command.starts_with(|c: char| c.is_ascii_lowercase())
        && host.is_some_and(|host| {
            host.contains(['-', '@'])
                && host
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-@:~".contains(&b))
        })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn parts_of_scripts_and_settings_stay() {
        for text in [
            "sed -Eu 's/([?&])(Passwd|token)=[^& \\t]+/\\1\\2=redacted/ig' log",
            "password_field: pw\nnot_logged_in_xpath: //body[@class=\"not-logged-in\"]",
            "the passwords go here: printf '%10s%20s\\n%10s%20s\\n' \"AMOUNT\" \"IP\"",
            "mysql_user: \"name=shop priv=shop.*:ALL password={{ db_password }}\"",
            "- Les bases de l'administration réseau&nbsp;: `ip`, `ifconfig`, le mot de passe",
            "ADD username LONGTEXT NOT NULL, password LONGTEXT DEFAULT NULL",
            "location /foo {\n  proxy_pass http://bk_x8080;\n}",
            "location /foo {\n  proxy_pass http://app_server$request_uri;\n}",
            "Once we authenticate through the traefik-forward-auth provider, we can start",
            "| refresh_token | how long the refresh token lives in seconds | 1209600 |",
            "Enter passphrase for key '/home/kim/.ssh/id_rsa':\n\nops-k3s-node1$ sudo kubectl get nodes",
            "api_key=`echo -n \"kim:x\" | md5sum | cut -d' ' -f1`",
            "traefik.frontend.auth.forward.address=http://traefik-forward-auth:4181",
            "the key exchange: ssl_ecdh_curve X25519:secp521r1:secp384r1:prime256v1;",
            "run `echo Hello, World!` in the container",
            "the password helper is in [Show it](HELPERS.md#show-debug-log-in-memory).",
            "navigate to **Manage** -> **Users** and set a password",
            "a2enmod headers expires rewrite ssl\t#Modules Apache, then the password",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_beside_parts_of_scripts_are_found() {
        seals(&[
            ("proxy_pass http://kim:walnut7@app:8080;", &["walnut7"]),
            ("curl http://kim:4181@auth.example.org/", &["4181"]),
            ("the db password is %mem%walnut7", &["%mem%walnut7"]),
            ("le mot de passe&nbsp;: noisette77", &["noisette77"]),
            ("the password was changed to **Walnut77**", &["Walnut77"]),
        ]);
    }
}
