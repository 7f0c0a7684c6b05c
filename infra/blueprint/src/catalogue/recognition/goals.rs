//! Goals that a message tells without a phrase for the deployment: a new version that can be taken back, and files for which
//! no server is needed.

use std::ops::Range;

use crate::catalogue::Blueprint;
use crate::words::{Words, is_negation, lists};

/// Whether the message asks for the deployment in words that are not a phrase for it.
pub fn is_meant(blueprint: &Blueprint, words: &Words) -> bool {
    match blueprint.id {
        "releases" => asks_for_releases(words),
        "static-site" => files_without_a_server(words).is_some(),
        _ => false,
    }
}

/// Whether the message wants a way back for an application, in front of which a web server only stands: “a Go binary with
/// rollback, and nginx before it”.
pub(super) fn asks_for_releases(words: &Words) -> bool {
    const BACK: &[&str] = &["rollback", "roll back", "way back"];
    const VERSIONS: &[&str] =
        &["version", "release", "versión", "versiones", "versionen", "deploy", "stand", "stände"];
    const FORMER: &[&str] = &[
        "back",
        "previous",
        "former",
        "earlier",
        "old",
        "yesterday's",
        "zurück",
        "vorherige",
        "vorige",
        "alte",
        "alten",
        "anterior",
        "anteriores",
        "antes",
        "volver",
        "précédente",
        "revenir",
        "ancienne",
        "kept",
        "keep",
    ];
    const GAPLESS: &[&str] = &["without downtime", "no downtime", "without interruption"];
    let says = |mut range: Range<usize>, list: &[&str]| {
        let is = |word: &str| list.contains(&word) || list.contains(&word.trim_end_matches('s'));
        range.any(|at| forms(at, words).any(is))
    };
    // “If the new version is bad, I want yesterday's back”
    let told = || {
        let mut sentences = words.sentences().into_iter();
        sentences.any(|sentence| says(sentence.clone(), VERSIONS) && says(sentence, FORMER))
    };
    let listening = || listens(words) || words.means_any(APPLICATIONS) && words.has("port");
    (words.means_any(BACK) || words.means_any(GAPLESS)) && words.means_any(APPLICATIONS)
        || told() && listening()
}

/// Words for an application that the user writes.
const APPLICATIONS: &[&str] = &[
    "app",
    "application",
    "api",
    "binary",
    "binario",
    "binaire",
    "systemd",
    "symlink",
    "artefact",
    "artifact",
];

/// Whether the message names the user's own application before this position.
pub(super) fn names_an_application(words: &Words, before: usize) -> bool {
    let mut places = APPLICATIONS.iter().flat_map(|noun| words.meant_at(noun));
    places.any(|place| place.end <= before)
}

/// Whether the message is about a program that listens: “our service in Go listens on 8181”.
fn listens(words: &Words) -> bool {
    const LISTENING: &[&str] =
        &["listens", "listen", "listening", "lauscht", "hört", "horcht", "escucha", "écoute"];
    (0..words.count()).any(|at| forms(at, words).any(|word| LISTENING.contains(&word)))
}

/// The user's words at a position, and the English one.
fn forms(at: usize, words: &Words) -> impl Iterator<Item = &str> {
    words.said(at).0.split_whitespace().chain(words.values().nth(at))
}

/// The deployment for files at AWS of which the message says that they need no server: “Amazon's storage for our pages, and
/// not a server of our own”.
pub(super) fn files_without_a_server(words: &Words) -> Option<&'static Blueprint> {
    // “My photos as HTML, and I don't want to maintain any server”
    let unkept = || keeps_no_server(words) && !words.means_any(&["hetzner", "vps"]);
    let named = (words.means_any(&["aws", "amazon"]) || unkept()) && !words.means("ec2");
    let files = || {
        (0..words.count()).any(|at| {
            let (said, _) = words.said(at);
            let own = words.values().nth(at).unwrap_or_default();
            [said, own].into_iter().any(|word| {
                let bare = word.trim_end_matches('s');
                FILES.contains(&word) || FILES.contains(&bare) || word.ends_with(".html")
            })
        })
    };
    let needless = || refuses_a_server(words) || is_a_finished_page(words);
    Blueprint::by_id("static-site").filter(|_| named && files() && needless())
}

/// Whether the message is about a page that is there, and speaks of no server: “my page is done and could sit at Amazon”.
fn is_a_finished_page(words: &Words) -> bool {
    const PAGES: &[&str] = &["page", "html", "website", "homepage", "página", "pagina", "seite"];
    const SERVING: &[&str] = &[
        "server",
        "instance",
        "machine",
        "vm",
        "vps",
        "ssh",
        "database",
        "wordpress",
        "php",
        "app",
        "application",
        "docker",
    ];
    let has = |list: &[&str]| list.iter().any(|noun| words.has(noun));
    has(PAGES) && !has(SERVING)
}

/// Nouns for a server.
const SERVERS: &[&str] =
    &["server", "machine", "vm", "servidor", "serveur", "rechner", "maschine", "máquina"];

/// Words for files that need no server, each in its singular or in both numbers.
const FILES: &[&str] = &[
    "html",
    "page",
    "file",
    "website",
    "site",
    "photo",
    "folder",
    "pdf",
    "archivo",
    "fichier",
    "datei",
    "dateien",
    "seite",
    "seiten",
    "bilder",
    "foto",
    "página",
    "pagina",
    "carpeta",
    "storage",
    "almacenamiento",
    "dossier",
    "ordner",
    "homepage",
    "web",
];

/// Whether the message says that the user will look after no server.
fn keeps_no_server(words: &Words) -> bool {
    unkept_server(words).is_some()
}

/// The clause that says that the user will look after no server.
pub fn unkept_server(words: &Words) -> Option<Range<usize>> {
    const KEEPING: &str = "maintain maintaining manage managing administer look patch mantener administrar gestionar cuidar warten \
        pflegen verwalten administrieren kümmern gérer maintenir entretenir administrer";
    let keeps = |at: usize| forms(at, words).any(|word| lists(KEEPING, word));
    (0..words.count()).filter(|at| keeps(*at)).map(|at| words.clause(at)).find(|clause| {
        clause.clone().any(|at| forms(at, words).any(|word| SERVERS.contains(&word)))
            && clause.clone().any(|at| forms(at, words).any(is_negation))
    })
}

/// Whether the message says that no server is needed: “a server is not necessary”, “no need to rent a machine”.
pub(super) fn refuses_a_server(words: &Words) -> bool {
    const NEEDING: &[&str] = &[
        "need",
        "needed",
        "necessary",
        "rent",
        "require",
        "required",
        "own",
        "bother",
        "without",
        "brauche",
        "brauchen",
        "bräuchte",
        "bräuchten",
        "braucht",
        "mieten",
        "nötig",
        "notwendig",
        "falta",
        "alquilar",
        "necesita",
        "necesitamos",
        "necesario",
        "besoin",
        "louer",
        "nécessaire",
        "passer",
    ];
    let refused = |noun: &&str| {
        let meant = words.meant_at(noun);
        words.places(noun).into_iter().any(|place| {
            let at = words.origin(place.start);
            let clause = words.clause(at);
            let has = |at: usize, is: &dyn Fn(&str) -> bool| forms(at, words).any(is);
            let denied = !meant.contains(&place)
                || (clause.start..at)
                    .any(|at| has(at, &|word| is_negation(word) || word == "passer"));
            let needed = clause.clone().any(|at| has(at, &|word| NEEDING.contains(&word)));
            denied && (needed || words.rules_out_right_before(noun))
        })
    };
    SERVERS.iter().any(refused) || keeps_no_server(words)
}
