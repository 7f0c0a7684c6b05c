//! Recognizes the names of programs and machines with a number: "With Windows-Server-2022 the login is slow", "müsste
//! Web-Server-2 sein".

use super::{Place, announces};
use crate::things::is_product;

/// Whether a match is such a name, where no word for a secret comes before it.
pub(super) fn is_numbered(place: &Place<'_>) -> bool {
    let name = place.value.trim_end_matches([',', '.', '?', '!', ';']);
    is_product(name) && !announces(place.before) && !place.begun().contains([':', '=', '/'])
}

#[cfg(test)]
mod tests {
    use super::super::is_harmless;

    #[test]
    fn a_program_with_its_version_is_none() {
        let judged = |before: &str, value: &str| {
            let text = format!("{before}{value} please");
            is_harmless(&text, &(before.len()..before.len() + value.len()))
        };
        assert!(judged("With ", "Windows-Server-2022"));
        assert!(judged("müsste ", "Web-Server-2"));
        assert!(!judged("the password is ", "Web-Server-2"));
        assert!(!judged("With ", "Lantern-Saddle-22"));
    }
}
