//! The domain of a site among the hosts that a message names.
//!
//! A message also names hosts that are not the site's: a provider's, a copy's, those that a service talks to. The site's is
//! the one that a label names (“FQDN api.example.com”), then one with a word for a place before it, then any other.

use crate::catalogue::parameters::Found;
use crate::words::standing::{self, Standing};
use crate::words::{Words, is_a_file};

/// Maximum length of a host name, in bytes.
const DOMAIN_BYTES: usize = 253;
/// Maximum length of a part of a host name between two dots, in bytes.
const LABEL_BYTES: usize = 63;

/// Accepts a full host name: `www.example.com`. One with letters outside ASCII gets the form that the DNS has for it:
/// `bücher.example` becomes `xn--bcher-kva.example`.
pub fn accept_domain(text: &str) -> Option<String> {
    let name = text.trim().to_lowercase();
    let worded = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "-.".contains(c));
    let name = match name.is_ascii() {
        true => name,
        false => idna::domain_to_ascii(&name).ok().filter(|_| worded(&name))?,
    };
    let good = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let label = |label: &str| {
        let inside = !label.starts_with('-') && !label.ends_with('-');
        inside && (1..=LABEL_BYTES).contains(&label.len()) && label.bytes().all(good)
    };
    let (_, top) = name.rsplit_once('.')?;
    let named = top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_lowercase());
    let named = named && !is_a_type(&name);
    (named && name.len() <= DOMAIN_BYTES && name.split('.').all(label)).then_some(name)
}

/// Whether a name is that of a type of AWS's servers or databases: `t3.medium`, `db.m6g.large`.
fn is_a_type(name: &str) -> bool {
    const SIZES: &[&str] = &["nano", "micro", "small", "medium", "large", "metal"];
    let name = name.strip_prefix("db.").unwrap_or(name);
    name.split_once('.').is_some_and(|(family, size)| {
        let generation = family.bytes().skip(1).take(2).any(|byte| byte.is_ascii_digit());
        generation && (SIZES.contains(&size) || size.ends_with("xlarge"))
    })
}

/// Hosts of providers, which are never the domain of a user's site.
const PROVIDERS: &[&str] = &[
    "cloudfront.net",
    "amazonaws.com",
    "wordpress.com",
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "statuspage.io",
    "netlify.app",
    "vercel.app",
    "webflow.io",
    "wixsite.com",
    "myshopify.com",
    "herokuapp.com",
    "github.io",
    "pages.dev",
    "squarespace.com",
    "azurewebsites.net",
    "firebaseapp.com",
    "ghcr.io",
    "quay.io",
    "gcr.io",
    "docker.io",
    "docker.com",
    "npmjs.com",
    "pypi.org",
    "crates.io",
];

/// Words before the host of something other than the site: “from github.com”.
const ELSEWHERE: &[&str] =
    &["from", "repo", "repository", "clone", "mail", "email", "smtp", "redirect", "registry"];

/// Words shortly before the host of another site: “a staging copy at staging.example.com”.
const COPIES: &[&str] = &[
    "staging",
    "copy",
    "mirror",
    "preview",
    "test",
    "testing",
    "old",
    "redirect",
    "api",
    "second",
    "zweite",
    "segundo",
    "deuxième",
    "additional",
    "further",
    "weitere",
    "another",
    "otro",
    "ancien",
    "l'ancien",
    "viejo",
    "antiguo",
    "alte",
    "alten",
    "former",
    "previous",
    "currently",
    "replacement",
    "replaces",
    "actualmente",
    "actuellement",
    "derzeit",
    "aktuell",
    "momentan",
    "redirection",
    "redirects",
    "subdomains",
    "subdominios",
    "sous-domaines",
];

/// Words shortly before a host that a site or an application only talks to: “CORS limited to app.example.com”.
const PARTNERS: &[&str] = &[
    "cors",
    "ldap",
    "auth",
    "sso",
    "saml",
    "oauth",
    "oidc",
    "imap",
    "pop3",
    "smtp",
    "ldaps",
    "proxy",
    "upstream",
    "webhook",
    "callback",
    "origin",
    "origins",
    "dns",
    "nameserver",
    "ntp",
    "proxied",
];

/// Words right before the host that is the site's, in a specification.
const LABELS: &[&str] =
    &["domain", "domains", "fqdn", "vhost", "vhosts", "site", "website", "hostname"];

/// Words for a host that exists and is not the site's: “the database is already at db.example.com”.
const THERE: &[&str] = &["database", "db", "already", "schon", "bereits", "ya", "déjà"];

/// Maximum distance, in words, between one of them and the host.
const COPY_REACH: usize = 3;

/// Words before the site's host: “to www.example.com”.
const HERE: &[&str] = &["for", "to", "at", "under", "on"];

/// How a message places a host; the first one is the likeliest for the site's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Labelled,
    Here,
    Unsaid,
}

/// Finds a host name, even inside a URL: “for www.example.com”, “`https://example.com/`”. A URL with a path does not
/// belong to the site: “my code is at github.com/acme/shop”.
pub(super) fn find_domain(words: &Words) -> Found {
    let values: Vec<&str> = words.values().collect();
    let host = |at: usize| {
        let value = values[at].split_once("//").map_or(values[at], |(_, rest)| rest);
        let name = accept_domain(value.strip_suffix('/').unwrap_or(value))?;
        let before = at.checked_sub(1).map_or("", |before| values[before]);
        let near = &values[words.clause(at).start.max(at.saturating_sub(COPY_REACH))..at];
        let others = [COPIES, THERE, PARTNERS];
        // “A subdomain of example.org for each club”
        let parts = ["subdomain", "subdominio", "sous-domaine"];
        let part =
            ["of", "von", "de"].contains(&before) && near.iter().any(|word| parts.contains(word));
        let copy = part || near.iter().any(|word| others.iter().any(|list| list.contains(word)));
        // The address of a service that exists: “https://elk.example.com:9200”.
        let url = values[at].contains("//");
        let next = values.get(at + 1).filter(|_| url);
        let served = next.is_some_and(|port| words.text().contains(&format!("{name}:{port}")));
        let provider = PROVIDERS.iter().any(|host| name.ends_with(host));
        let elsewhere = ELSEWHERE.contains(&before) || !words.means_value(at);
        let other = is_a_file(&name) || elsewhere || provider || copy || served;
        // “The old site www.old.example is at OVH, the new one will be www.new.example”
        let stands = standing::elsewhere(at, words) == Standing::Asked;
        let place = match before {
            label if LABELS.contains(&label) => Place::Labelled,
            word if HERE.contains(&word) => Place::Here,
            _ => Place::Unsaid,
        };
        (!other).then_some((stands, place, name))
    };
    let mut hosts: Vec<(bool, Place, String)> = (0..values.len()).filter_map(host).collect();
    hosts.sort_by_key(|(stands, place, _)| (!stands, *place));
    Found::maybe(hosts.into_iter().next().map(|(.., name)| name))
}

/// The value for a site without a domain.
const NO_DOMAIN: &str = "none";

pub(super) fn accept_optional_domain(text: &str) -> Option<String> {
    let none = text.trim().eq_ignore_ascii_case(NO_DOMAIN);
    if none { Some(NO_DOMAIN.into()) } else { accept_domain(text) }
}

/// Finds a domain, or words that rule one out: “without a domain”.
pub(super) fn find_optional_domain(words: &Words) -> Found {
    match find_domain(words) {
        Found::Nothing if words.excludes("domain") || takes_the_given_address(words) => {
            Found::Value(NO_DOMAIN.into())
        }
        found => found,
    }
}

/// Whether the user wants the address that the provider generates: “just CloudFront's own address”, “the default URL
/// instead of the domain”.
fn takes_the_given_address(words: &Words) -> bool {
    const GIVEN: &[&str] =
        &["own", "default", "generated", "cloudfront", "cloudfronts", "cloudfront.net"];
    let values: Vec<&str> = words.values().collect();
    (0..values.len()).any(|at| {
        let address = ["address", "url", "name", "hostname", "adresse", "dirección"];
        let given = values[..at]
            .iter()
            .rev()
            .take(3)
            .any(|word| GIVEN.contains(&word.strip_suffix("'s").unwrap_or(word)));
        address.contains(&values[at]) && given
    })
}
