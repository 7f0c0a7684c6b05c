//! Recognizes names of files.

use super::Place;
use crate::words::lists;

/// Ends of the names of files to which commands write, and of those that programs keep below their folders.
const WRITTEN: &str = "sql gz log txt json yaml yml dump csv tar pem out";
const KEPT: &str = "rev pem key crt cer pub txt json yml yaml env conf log gpg asc p12 jks";

/// Whether a value is the name of a file.
pub(super) fn is_file(place: &Place<'_>) -> bool {
    const FOLDERS: usize = 3;
    let Place { value, before, above, .. } = *place;
    // `2>$LOG` behind a command
    if value.starts_with("2>") {
        return true;
    }
    let path = value.trim_end_matches([':', ',', '.', ')']);
    let Some((name, end)) = path.rsplit_once('.') else { return false };
    // `/root/.gnupg/openpgp-revocs.d/8E02….rev`
    let kept = (path.starts_with('/') || path.starts_with("~/"))
        && path.matches('/').count() >= FOLDERS
        && !path.contains(' ')
        && lists(KEPT, end);
    // `slmisc.c`, `src/main.h`
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-/.".contains(&b);
    let source = matches!(end, "c" | "h") && !name.is_empty() && name.bytes().all(plain);
    // `pg_dump shop > shop_2.sql`
    let written = before.ends_with("> ") && lists(WRITTEN, end);
    // `.gitignore`: `!secrets/README.md`
    let tracked = value.starts_with('!')
        && before.is_empty()
        && value.contains('/')
        && (above.ends_with('/') || above.contains('*') || above.starts_with('.'));
    kept || source || written || tracked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_not_secrets() {
        for (before, value, above) in [
            ("PGPASSWORD=\"$PW\" pg_dump shop > ", "shop_prod.sql", ""),
            ("stored as '", "/root/.gnupg/openpgp-revocs.d/8E02.rev", ""),
            ("see ", "lib/slmisc.c:", ""),
            ("", "!secrets/README.md", "secrets/"),
        ] {
            assert!(is_file(&Place { value, before, after: "", above }), "{before}{value}");
        }
        for (before, value) in [("the password is > ", "Xy.77"), ("password: /", "k3y/x.y")] {
            assert!(!is_file(&Place { value, before, after: "", above: "" }), "{before}{value}");
        }
    }
}
