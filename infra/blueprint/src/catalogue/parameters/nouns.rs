//! Nouns for what has a name.

/// What a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    Database,
    /// The server, or the deployment as a whole.
    Server,
    /// A program or a site that runs on the server, and has no name in a deployment that is a server.
    Program,
    /// Something without a name in any deployment, such as a user.
    Other,
    /// Not stated: “call it orders”.
    Unsaid,
    /// Not stated, in a sentence about other things: “in Helsinki, and it is called shop”.
    Unclear,
}

const DATABASES: &[&str] = &["database", "db", "schema"];

const SERVERS: &[&str] = &[
    "server",
    "vps",
    "vm",
    "machine",
    "host",
    "instance",
    "box",
    "cluster",
    "stack",
    "node",
    "deployment",
];

const PROGRAMS: &[&str] = &["service", "site", "website", "app", "application"];

const OTHERS: &[&str] = &[
    "user",
    "users",
    "login",
    "account",
    "admin",
    "owner",
    "team",
    "table",
    "bucket",
    "domain",
    "network",
    "role",
    "index",
    "volume",
    "key",
    "group",
    "queue",
    "topic",
    "project",
    "repo",
    "repository",
    "branch",
    "image",
    "something",
    "thing",
    "things",
    "etwas",
    "algo",
    "cosa",
    "chose",
    "program",
    "programm",
    "programa",
    "programme",
    "software",
    "tool",
    "somebody",
    "someone",
    "person",
    "jemand",
    "jemanden",
    "alguien",
    "quelqu'un",
    "man",
    "woman",
    "guy",
    "lady",
    "gentleman",
    "colleague",
    "friend",
    "freelancer",
    "agency",
    "provider",
    "mann",
    "frau",
    "kollege",
    "kollegin",
    "freund",
    "agentur",
    "anbieter",
    "hombre",
    "mujer",
    "señor",
    "señora",
    "chico",
    "amigo",
    "compañero",
    "homme",
    "femme",
    "ami",
    "collègue",
    "prestataire",
    "product",
    "brand",
    "company",
    "startup",
    "produkt",
    "marke",
    "firma",
    "unternehmen",
    "producto",
    "marca",
    "empresa",
    "produit",
    "marque",
    "entreprise",
    "société",
    "pousse",
    "association",
    "society",
    "club",
    "charity",
    "parish",
    "church",
    "school",
    "museum",
    "foundation",
    "verein",
    "gemeinde",
    "stiftung",
    "schule",
    "asociación",
    "sociedad",
    "parroquia",
    "fundación",
    "escuela",
    "museo",
    "paroisse",
    "fondation",
    "école",
    "musée",
];

/// “PostgreSQL called orders” may name the database or the server.
const SYSTEMS: &[&str] = &["postgres", "postgresql", "mysql"];

/// What the noun is for.
pub(super) fn noun(word: &str) -> Option<Noun> {
    // “Schema's called stockroom”
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    let is = |nouns: &[&str]| {
        nouns.iter().any(|noun| word == *noun || word.strip_suffix('s') == Some(noun))
    };
    match word {
        _ if is(DATABASES) => Some(Noun::Database),
        _ if is(SERVERS) => Some(Noun::Server),
        _ if is(PROGRAMS) => Some(Noun::Program),
        _ if is(OTHERS) => Some(Noun::Other),
        _ if is(SYSTEMS) => Some(Noun::Unclear),
        _ => None,
    }
}
