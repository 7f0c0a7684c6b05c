//! What the answer says about a domain that only stands for one: `example.com`, `your-domain.de`.
//!
//! The user does not own it, so no record of it can be made, and the step that asks for the certificate fails.

use crate::reading::dialogue::Dialogue;
use crate::texts::{self, Text};

const PLACEHOLDER: Text = [
    "**{}** only stands for a domain: you cannot point it to your server, so the step for its certificate would fail. Tell me your own domain before you confirm.",
    "**{}** steht nur für eine Domain: Sie lässt sich nicht auf Ihren Server richten, also würde der Schritt für das Zertifikat scheitern. Nennen Sie mir Ihre eigene Domain, bevor Sie bestätigen.",
    "**{}** solo representa un dominio: no se puede apuntar a su servidor, así que el paso del certificado fallaría. Dígame su propio dominio antes de confirmar.",
    "**{}** ne fait que représenter un domaine : on ne peut pas le diriger vers votre serveur, et l'étape du certificat échouerait. Indiquez-moi votre propre domaine avant de confirmer.",
];

/// Keys of the parameters that hold the domain of a site.
const DOMAINS: [&str; 2] = ["domain", "site-domain"];

/// The top-level names that RFC 2606 reserves, and one that documents use.
const RESERVED: &[&str] = &["example", "test", "invalid", "localhost", "tld"];
/// Names below a top-level name that stand for any.
const ANY: &[&str] = &["example", "domain", "domaine", "dominio"];
/// Words by which a name is somebody's, and the words for what it names.
const WHOSE: &[&str] = &[
    "your", "my", "ihre", "deine", "meine", "unsere", "mein", "dein", "ihr", "tu", "su", "mi",
    "mon", "votre", "ton", "our",
];
const WHAT: &[&str] = &[
    "domain",
    "site",
    "website",
    "webseite",
    "company",
    "firma",
    "dominio",
    "sitio",
    "empresa",
    "domaine",
    "entreprise",
];

/// The sentence, if the user named such a domain or accepted one as the default.
pub fn remark(dialogue: &Dialogue) -> Option<String> {
    let choice = dialogue.choice()?;
    let open = dialogue.open();
    let settled = |key: &&str| !open.iter().any(|parameter| parameter.key == *key);
    let domain = DOMAINS.into_iter().filter(settled).map(|key| choice.value(key));
    let domain = domain.into_iter().find(|domain| is_placeholder(domain))?;
    Some(texts::fill(dialogue.language, &PLACEHOLDER, domain))
}

fn is_placeholder(domain: &str) -> bool {
    let mut labels = domain.rsplit('.');
    let (Some(top), Some(name)) = (labels.next(), labels.next()) else { return false };
    let name = name.replace('-', "");
    let somebodys = WHOSE.iter().filter_map(|whose| name.strip_prefix(whose));
    RESERVED.contains(&top)
        || ANY.contains(&name.as_str())
        || somebodys.into_iter().any(|what| WHAT.contains(&what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_that_stands_for_any_differs_from_a_real_one() {
        for domain in [
            "example.com",
            "blog.example.org",
            "your-domain.com",
            "www.meinedomain.de",
            "a.test",
            "x.tld",
        ] {
            assert!(is_placeholder(domain), "{domain}");
        }
        for domain in [
            "my-bakery.com",
            "www.tsv-lindenau.de",
            "domains.io",
            "yourte.com",
            "unserefirmenfeier.de",
        ] {
            assert!(!is_placeholder(domain), "{domain}");
        }
    }
}
