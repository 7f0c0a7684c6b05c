//! Recognizes parts of reports: codes of errors, results of a run, ids at the end of a line, dates, empty fields.

use super::Place;
use crate::things::is_birthday;
use crate::weight::is_hex;

/// Whether a value is a part of what a program or a person reports.
pub(super) fn is_reported(place: &Place<'_>) -> bool {
    is_of_error(place)
        || is_result(place)
        || is_request(place)
        || is_dated(place)
        || is_wrong(place.value)
        || is_empty_field(place)
        || is_change(place)
        || is_count(place)
}

/// `ORA-01017:`, `AADSTS50126:`, `DSID-0C09042A`, `PDOException(code: 1045`: the code of an error.
fn is_of_error(place: &Place<'_>) -> bool {
    const LEAST_DIGITS: usize = 3;
    const MOST_DIGITS: usize = 6;
    const CODES: [&str; 5] =
        ["error code", "errorcode", "fehlercode", "código de error", "code d'erreur"];
    let Place { value, before, after, .. } = *place;
    let code = value.strip_suffix(':').or_else(|| after.starts_with(": ").then_some(value));
    let named = code.is_some_and(|code| {
        let name = code.trim_end_matches(|c: char| c.is_ascii_digit());
        let letters = name.strip_suffix('-').unwrap_or(name);
        code.len() - name.len() >= LEAST_DIGITS
            && letters.len() >= 2
            && letters.bytes().all(|b| b.is_ascii_uppercase())
            && before.trim().is_empty()
    });
    let number = value.len() <= MOST_DIGITS && value.bytes().all(|b| b.is_ascii_digit());
    let numbered = number
        && ["code", "errno", "state"]
            .iter()
            .any(|word| before.trim_end_matches([':', ' ', '=', '"', '(']).ends_with(word))
        && ["xception", "rror", "SQLSTATE"].iter().any(|word| before.contains(word));
    // `error code: AADSTS700016`
    let head = before.trim_end_matches([' ', ':', '=', '"', '#']);
    let head = head.get(head.floor_char_boundary(head.len().saturating_sub(16))..);
    let head = head.unwrap_or_default().to_lowercase();
    let capitals = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b"_-.".contains(&b);
    let said = CODES.iter().any(|code| head.ends_with(code)) && value.bytes().all(capitals);
    // `SQLSTATE[HY000]`, openssl's `verify error:num=20:unable`
    let marked = ["DSID-", "SQLSTATE["].iter().any(|mark| value.starts_with(mark))
        || (value.starts_with("num=") && before.ends_with("error:"));
    named || numbered || said || marked
}

/// `ok=88`, `ok: [web1`: what a run of Ansible prints.
fn is_result(place: &Place<'_>) -> bool {
    const RESULTS: [&str; 9] = [
        "ok",
        "changed",
        "failed",
        "unreachable",
        "skipped",
        "rescued",
        "ignored",
        "fatal",
        "skipping",
    ];
    let Place { value, before, .. } = *place;
    let counted = value.split_once('=').is_some_and(|(result, count)| {
        RESULTS.contains(&result) && count.bytes().all(|b| b.is_ascii_digit())
    });
    let host = before.strip_suffix(": [").is_some_and(|result| RESULTS.contains(&result.trim()));
    counted || host
}

/// `request TK6W:DC5FD:403FB4B`, `zukser1u25enyxh5lu2g.55 - gsmtp`: the id by which a service finds a request.
fn is_request(place: &Place<'_>) -> bool {
    const SEGMENTS: usize = 3;
    const SEGMENT_BYTES: std::ops::RangeInclusive<usize> = 2..=8;
    let Place { value, after, .. } = *place;
    let begun = place.begun();
    let segment_byte = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    let segment =
        |part: &str| SEGMENT_BYTES.contains(&part.len()) && part.bytes().all(segment_byte);
    let may_be = || value.bytes().all(|b| segment_byte(b) || b == b':');
    let run = || [begun, value].concat();
    let segments = (begun.ends_with(':') || value.contains(':'))
        && may_be()
        && run().split(':').count() >= SEGMENTS
        && run().split(':').all(segment);
    segments || after.trim_start().starts_with("- gsmtp")
}

/// A date that nothing calls a password: "caducó el 14.7.2024", a cell of a table.
fn is_dated(place: &Place<'_>) -> bool {
    const MONTHS: u8 = 12;
    const DAYS: u8 = 31;
    let Place { value, before, .. } = *place;
    let date = value.trim_end_matches(['.', ',']);
    let mut parts = date.split(['.', '-']).map(|part| part.parse::<u8>().unwrap_or(u8::MAX));
    let (first, second) = (parts.next().unwrap_or(u8::MAX), parts.next().unwrap_or(u8::MAX));
    let exists = first.min(second) <= MONTHS && first.max(second) <= DAYS;
    is_birthday(date)
        && exists
        && before.ends_with([' ', ';', ',', '|', '\t'])
        && !place.is_announced()
}

/// "contraseña incorrectos", "Passwort ungültig": a word that says that a password was refused.
fn is_wrong(value: &str) -> bool {
    const STEMS: [&str; 14] = [
        "incorrect",
        "invalid",
        "inválid",
        "incorret",
        "errone",
        "erróne",
        "erroné",
        "errad",
        "ungültig",
        "sbagliat",
        "errat",
        "niepraw",
        "błędn",
        "onjuist",
    ];
    const END_BYTES: usize = 5;
    STEMS.iter().any(|stem| {
        value
            .strip_prefix(stem)
            .is_some_and(|end| end.len() <= END_BYTES && end.chars().all(char::is_alphabetic))
    })
}

/// `Passwort: ________`, and `host = db1` below `password =`: an empty field.
fn is_empty_field(place: &Place<'_>) -> bool {
    const LEAST_BYTES: usize = 3;
    let Place { value, before, above, .. } = *place;
    let rule = value.len() >= LEAST_BYTES && value.bytes().all(|b| b"_.-".contains(&b));
    let field = |line: &str| {
        line.trim_end().strip_suffix('=').is_some_and(|name| {
            let name = name.trim();
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
        })
    };
    // `host: mon-fra-07` below `password: ${S3_SECRET_KEY}`
    const HOSTS: [&str; 6] = ["host:", "host =", "hostname:", "server:", "bucket:", "database:"];
    let host = HOSTS.contains(&before.trim()) && above.trim_end().ends_with('}');
    rule || host || (field(above) && field(before) && !super::announces(before))
}

/// `bad credentials for user 'kim' (attempt 9)`: a word that counts, in brackets.
fn is_count(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let counted = after.strip_prefix(' ').and_then(|rest| rest.split_once(')'));
    before.ends_with('(')
        && value.chars().all(char::is_lowercase)
        && counted.is_some_and(|(number, _)| {
            !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b"/of ".contains(&b))
        })
}

/// `(9a8a072)` in a list of changes; "`--password` flag".
fn is_change(place: &Place<'_>) -> bool {
    const OF_OPTION: [&str; 8] =
        ["flag", "option", "argument", "parameter", "switch", "field", "header", "variable"];
    let Place { value, before, after, .. } = *place;
    let line = before.trim_start();
    let listed = line.starts_with(['*', '-', '#', '+']);
    let commit = listed
        && before.ends_with('(')
        && after.starts_with(')')
        && (7..=40).contains(&value.len())
        && is_hex(value);
    let option = OF_OPTION.contains(&value.trim_end_matches([',', '.', 's']))
        && before.trim_end().ends_with('`');
    commit || option
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(before: &str, value: &str, after: &str, above: &str) -> bool {
        is_reported(&Place { value, before, after, above })
    }

    #[test]
    fn parts_of_reports_are_not_secrets() {
        for (before, value, after, above) in [
            ("", "AADSTS50126:", " Error validating credentials", ""),
            ("ERROR: SQLSTATE[HY000] Access denied (PDOException(code: ", "1045", "))", ""),
            ("additional info: 80090308: LdapErr: ", "DSID-0C09042A", ", comment", ""),
            ("PLAY RECAP: web1 : ", "ok=88", " changed=3", "Vault password:"),
            ("ok: [", "esx05", "] => (censored)", "TASK [set password for ann] ***"),
            ("", "SQLSTATE[HY000]", " [1045] Access denied (using password: NO)", "auth:"),
            ("verify error:", "num=20:unable", " to get local issuer certificate", ""),
            ("request TK6W:DC5FD:", "403FB4B", "", ""),
            ("not accepted. p=BadCredentials ", "zukser1u25enyxh5lu2g.55", " - gsmtp", ""),
            ("El token de GitLab caducó el ", "14.7.2024", ", hay que generar otro", ""),
            ("usuario o contraseña ", "incorrectos", " para ann", ""),
            ("Passwort: ", "________", "", ""),
            ("host = ", "esx05", "", "password ="),
            ("  host: ", "mon-fra-07", "", "  password: ${S3_SECRET_KEY}"),
            ("bad credentials for user 'kim' (", "attempt", " 9)", ""),
            ("* **auth:** token refresh loop (#2536) (", "9a8a072", ")", ""),
            ("- deprecate `--password` ", "flag", ", use another", ""),
        ] {
            assert!(reported(before, value, after, above), "{before}{value}");
        }
    }

    #[test]
    fn what_the_text_calls_a_password_is_not_a_report() {
        for (before, value, after, above) in [
            ("the password is ", "14.7.2024", "", ""),
            ("password: ", "14.7.1984", "", ""),
            ("door code: ", "1045", "", ""),
            ("kod do sejfu z taśmami ", "30-72-15", "", ""),
            ("password = ", "esx05", "", "user = ann"),
            ("password: ", "ABC123", "", ""),
            ("new root password ", "invalidator7", "", ""),
            ("- the key (", "9a8a072f4bz", ")", ""),
        ] {
            assert!(!reported(before, value, after, above), "{before}{value}");
        }
    }
}
