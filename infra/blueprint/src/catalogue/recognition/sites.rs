//! A website that a message asks for without the name of a program: “a static website”, “a homepage with TLS on a server”.

use crate::catalogue::Blueprint;
use crate::words::Words;

/// Nouns for a website.
const SITES: &[&str] = &[
    "website",
    "web site",
    "web page",
    "homepage",
    "home page",
    "landing page",
    "seite",
    "webseite",
    "página",
];

/// Nouns for one that is never anything but files.
const FILES: &[&str] = &[
    "static site",
    "static website",
    "static web site",
    "static page",
    "static pages",
    "static web page",
    "static html",
    "docs site",
    "static docs site",
    "docs website",
    "documentation site",
    "static documentation site",
    "documentation website",
    "html site",
    "html page",
    "html pages",
    "homepage",
    "home page",
    "landing page",
];

/// Words for the service of a first try, which greets and tells its health.
const FIRST_TRY: &[&str] = &["greeting", "greet", "greets", "says", "health", "healthz", "port"];

/// Words for files at AWS.
const AWS: &[&str] = &["aws", "amazon", "s3", "bucket"];

/// The deployment for the website that the message asks for by no program's name.
pub fn asked_for(words: &Words) -> Option<&'static Blueprint> {
    if words.means_any(super::TRYING_OUT) || words.means_any(FIRST_TRY) {
        return None;
    }
    let asked = |noun: &&str| {
        words.meant_at(noun).iter().any(|place| super::is_asked_at(noun, place, words))
    };
    let files = FILES.iter().any(&asked);
    let site = SITES.iter().any(asked);
    let id = match words.means_any(AWS) {
        true if files => "static-site",
        false if files || site => "nginx-site",
        _ => return None,
    };
    Blueprint::by_id(id).filter(|site| !site.is_excluded(words))
}
