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
    "html site",
    "html page",
    "html pages",
    "homepage",
    "home page",
    "landing page",
];

/// What a website has or stands on that is not for a first try.
const SERVED: &[&str] = &[
    "tls",
    "ssl",
    "https",
    "certificate",
    "let's encrypt",
    "letsencrypt",
    "certbot",
    "server",
    "vps",
    "hetzner",
];

/// Words for files at AWS.
const AWS: &[&str] = &["aws", "amazon", "s3", "bucket"];

/// The deployment for the website that the message asks for, if it says that the site is static, or how or where it is
/// served.
pub fn asked_for(words: &Words) -> Option<&'static Blueprint> {
    if words.means_any(super::TRYING_OUT) {
        return None;
    }
    let asked = |noun: &&str| {
        words.meant_at(noun).iter().any(|place| super::is_asked_at(noun, place, words))
    };
    let files = FILES.iter().any(|noun| asked(noun));
    let served = SITES.iter().any(|noun| asked(noun)) && words.means_any(SERVED);
    let id = match (files, words.means_any(AWS)) {
        (true, true) => "static-site",
        (true, false) => "nginx-site",
        (false, _) if served => "nginx-site",
        (false, _) => return None,
    };
    Blueprint::by_id(id).filter(|site| !site.is_excluded(words))
}
