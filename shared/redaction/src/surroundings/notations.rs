//! Recognizes notations that look as odd as a password: formats of dates, sets of characters, rules of `sed`, comments in
//! place of a value, names of variables, and words in bold type.

use super::{IS, Place, announces};

/// Ends of the names of variables that hold a secret.
const HOLDERS: [&str; 8] = ["KEY", "PW", "PASS", "PASSWD", "PASSWORD", "SECRET", "TOKEN", "PWD"];

/// Whether a value is such a notation.
pub(super) fn is_notation(place: &Place<'_>) -> bool {
    let Place { value, .. } = *place;
    // Nearly all finds that are notations have one of these signs.
    let signs = |c: char| "%-/*#_=|$".contains(c);
    (value.contains(signs)
        && (is_date_format(value)
            || is_character_set(value)
            || is_substitution(value)
            || is_comment(place)
            || is_variable(value)
            || is_number_set(value)
            || is_zero(value)
            || is_element(value)))
        || is_emphasized(place)
        || is_of_link(place)
        || is_of_next_column(place)
}

/// `%Y%m%d-%H%M`, `+%F`, `%H:%M:%S`: the format of a date.
fn is_date_format(value: &str) -> bool {
    let value = value.trim_start_matches(['+', '"', '\'']).trim_end_matches([')', '"', '\'']);
    let mut parts = value.split('%');
    let known = |part: &str| {
        let (letter, rest) = part.split_at_checked(1).unwrap_or_default();
        "YymdHMSFTjsNabBAeIpzZuVGkl".contains(letter)
            && !letter.is_empty()
            && rest.bytes().all(|b| b"-_.:/T ".contains(&b))
    };
    parts.next() == Some("") && value.len() > 1 && parts.all(known)
}

/// `a-zA-Z0-9`, `[:alnum:]_-`: a set of characters, as `tr` takes it.
fn is_character_set(value: &str) -> bool {
    const RANGES: [&str; 5] = ["a-z", "A-Z", "0-9", "a-f", "A-F"];
    const CLASSES: [&str; 4] = ["[:alnum:]", "[:graph:]", "[:print:]", "[:digit:]"];
    let starts = |text: &str, all: &[&str]| {
        all.iter().find_map(|part| text.strip_prefix(part).map(str::len))
    };
    let mut rest = value.trim_start_matches(['[', '^', '"', '\'']);
    let mut ranges = 0;
    while let Some(left) = starts(rest, &RANGES).or_else(|| starts(rest, &CLASSES)) {
        rest = &rest[rest.len() - left..];
        ranges += 1;
    }
    // The signs that the set has as well come last.
    let signs = rest.chars().all(|c| !c.is_alphanumeric() && !c.is_whitespace());
    signs && (ranges > 1 || (ranges == 1 && value.starts_with('[')))
}

/// `s/^#?NTP=.*$/NTP=pool.example.org/`: a rule of `sed`.
fn is_substitution(value: &str) -> bool {
    let rest = value.trim_start_matches(['"', '\'']).strip_prefix("s/");
    rest.is_some_and(|rest| {
        rest.matches('/').count() > 0
            && ["^", ".*", "\\1", "$/", "\\("].iter().any(|sign| rest.contains(sign))
    })
}

/// `DB_PASSWORD= #optional`: a comment after the sign of a setting that has no value.
fn is_comment(place: &Place<'_>) -> bool {
    let Some(word) = place.value.strip_prefix('#') else { return false };
    let letters = word.len() > 3 && word.chars().all(char::is_alphabetic);
    if letters
        && place.before.ends_with(['\t', ' '])
        && !place.is_announced()
        && !announces(place.last())
    {
        return true;
    }
    let head = place.before.trim_end_matches(['`', ' ']);
    head.len() < place.before.len()
        && place.before.contains("= ")
        && head.ends_with('=')
        && !word.is_empty()
        && word.chars().all(char::is_lowercase)
}

/// `API_KEY=DJANGO_KEY`, `LDAP_BIND_PW`: the name of a variable that holds the secret.
fn is_variable(value: &str) -> bool {
    let name = value.trim_matches(['*', '\\', '.', ',']);
    name.rsplit_once('_').is_some_and(|(first, last)| {
        HOLDERS.contains(&last)
            && first.len() > 1
            && first.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
    })
}

/// `ucredit=-1`: a setting whose value is a small number.
fn is_number_set(value: &str) -> bool {
    const DIGITS: usize = 3;
    value.trim_matches('`').split_once('=').is_some_and(|(name, number)| {
        let digits = number.strip_prefix('-').unwrap_or(number);
        name.len() > DIGITS
            && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            && !announces(name)
            && digits.len() < number.len()
            && digits.len() <= DIGITS
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
    })
}

/// `00000000-0000-0000-0000-000000000000`: an identifier that stands for none.
fn is_zero(value: &str) -> bool {
    value.len() > 8 && value.bytes().all(|b| b == b'0' || b == b'-')
}

/// `$config['plugins']`, `$_POST["password"]`, `%{ldap:uid}`: what a program looks up.
fn is_element(value: &str) -> bool {
    (value.starts_with('$') && (value.contains("['") || value.contains("[\"")))
        || value.contains("%{")
}

/// `<a href="?app_password">text</a>`, `https://docs.example.org/mail.html#password`: the text of a link, or a part of a page.
fn is_of_link(place: &Place<'_>) -> bool {
    let begun = place.begun();
    (begun.starts_with("href=") && begun.ends_with("\">"))
        || [".html#", ".md#"].iter().any(|sign| place.value.contains(sign))
}

/// "click on *Next*.", "it is now off **everywhere**!": a word in bold or in italics, which nothing says to be the secret.
fn is_emphasized(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let word = value.trim_matches(|c: char| "*_.,!?;:()[]".contains(c));
    let opens = value.starts_with('*') || before.ends_with('*');
    let end = value.trim_end_matches(|c: char| "*.,!?;:".contains(c)).len();
    let closes = value[end..].contains('*') || after.starts_with('*');
    let said = before.trim_end().trim_end_matches('*').trim_end();
    let last = said.rsplit(' ').next().unwrap_or_default().to_lowercase();
    // "navigate to **Users**", but "the password was changed to **X**"
    let moved = last != "to" || announces(said);
    let announced = said.ends_with([':', '=', '"', '\'', '`'])
        || (said.is_empty() && place.above.ends_with([':', '=']))
        || (moved && IS.contains(&last.as_str()));
    let plain = |c: char| c.is_alphabetic() || "-'’".contains(c);
    (opens || value.contains("**"))
        && (closes || value.starts_with('*'))
        && !announced
        && !word.is_empty()
        && (word.chars().all(plain) || word.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// "| `MYSQL_PASSWORD=` | Password of the user |": the next column of a table, after a setting without a value.
fn is_of_next_column(place: &Place<'_>) -> bool {
    let column = place.before.trim_end().strip_suffix('|').map(str::trim_end);
    column.is_some_and(|column| column.ends_with("=`"))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn notations_stay() {
        for text in [
            "DB_PASS= #optional\nDB_PORT= #optional",
            "-e SUDO_PASSWORD= `#optional` \\",
            "| `MYSQL_PASSWORD=` | Mysql password to use |",
            "generate the secret key with `cat /dev/urandom | tr -dc a-zA-Z0-9 | head -c30; echo` and save it",
            "the password file is copied to passwd-$(date +\"%Y%m%d%H%M%S\")",
            "it retries the password, added on $(date +\"%Y-%m-%d @ %H:%M:%S\")",
            "password requisite pam_pwquality.so retry=3 minlen=10 difok=3 ucredit=-1 lcredit=-1",
            "reset the password, then sudo sed -i -e \"s/^#?NTP=.*$/NTP=pool.example.org/\" /etc/timesyncd.conf",
            "HYPERKITTY_API_KEY=HYPERKITTY_KEY\nSECRET_KEY=DJANGO_KEY",
            "empty means the same as `LDAP_BIND_PW`",
            "Geben Sie Ihr Passwort ein. Klicken Sie auf *Weiter*.",
            "enter the password and click *OK*. Then click *Finish*.",
            "- `maxrepeat=3`: at most 3 of the same in the password",
            "InstrumentationKey=00000000-0000-0000-0000-000000000000;EndpointSuffix=ai.example.com",
            "enable the password plugin by adding it to the `$config['plugins']` array",
            "$pwd = $_POST[\"password\"];",
            "<a class=\"x\" href=\"m.php?app_password\">mail.mobileconfig</a>",
            "[config::sasl_passwd]: https://docs.example.org/postconf.5.html#smtp_sasl_password_maps",
            "Greylisting is now deactivated **serverwide**!",
            "the private key enables **signing (via the key)** of your mails",
            "* **02.06.19:** - Initial Release.\n* **03.06.19:** - Add the password.",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_that_look_like_notations_are_found() {
        seals(&[
            ("my password is **Roggenbrot**", &["Roggenbrot"]),
            ("Passwort: *Roggenbrot7*", &["Roggenbrot7"]),
            ("the password is %Walnut%77", &["%Walnut%77"]),
            ("DB_PASS=#walnut7", &["#walnut7"]),
            ("DB_PASS=walnut #optional", &["walnut"]),
            ("password: WALNUT_RIVER_7", &["WALNUT_RIVER_7"]),
            ("password: a-z-walnut-7", &["a-z-walnut-7"]),
        ]);
    }
}
