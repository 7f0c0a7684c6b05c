//! Recognizes names of machines and buckets by the stage in them, which a password has none of, and classes of answers:
//! `intranet-prod-05`, `logs-acme-stg`, `5xx-Rate`.

use super::Place;
use crate::words::lists;

/// Words for a stage of a system.
const STAGES: &str = "prod prd production produktion produccion dev devel develop stg stage staging preprod qa uat preview sandbox test int";
/// The most digits of a number in such a name.
const DIGITS: usize = 3;

/// Whether a value is such a name or class, and no word tells it as a secret.
pub(super) fn is_of_stage(place: &Place<'_>) -> bool {
    let value = place.value.trim_end_matches(['.', ',', '?', '!']);
    (is_staged(value) && !place.is_announced_as_secret()) || is_class(value)
}

/// `logs-acme-prod-66`: parts in lower case, one of them a stage and not the first, none with more than a few digits.
fn is_staged(value: &str) -> bool {
    let part = |part: &str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        !part.is_empty()
            && digits <= DIGITS
            && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    let mut parts = value.split('-');
    parts.next().is_some_and(part)
        && value.split('-').all(part)
        && parts.any(|part| lists(STAGES, part.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// `5xx-Rate`, `4xx`: a class of answers.
fn is_class(value: &str) -> bool {
    let rest =
        value.strip_prefix(['1', '2', '3', '4', '5']).and_then(|rest| rest.strip_prefix("xx"));
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_alphabetic() || c == '-'))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn names_with_a_stage_stay() {
        for text in [
            "Oups, je voulais dire intranet-prod-05 et pas api-prod-10.",
            "Ma clé publique est déjà sur GitLab, tu peux la récupérer pour orders-dev-02 ?",
            "la rotación de claves KMS y el registro de accesos a logs-acme-prod-66.",
            "Os confirmo que la contraseña se enviará por otro canal. La máquina es search-prod-06.",
            "Grafana meldet seit 22:57: backup 5xx-Rate 4.2 %, p95 337 ms. Was ist da los?",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("the password is walnut-test-31", &["walnut-test-31"]),
            ("password: 5xx-Walnut-77", &["5xx-Walnut-77"]),
        ]);
    }
}
