//! Mentions that do not ask for a deployment: what the user has, what runs elsewhere, logs of something, and containers of
//! the user's own project.

use std::ops::Range;

use super::plain::EXISTING as EXISTING_ONES;
use crate::catalogue::{Blueprint, foreign};
use crate::words::{Words, is_negation, lists, numbers};

/// Words before something that the user has and does not ask for.
pub const OWNING: &[&str] = &[
    "our", "my", "existing", "current", "unser", "unsere", "unseren", "unserem", "unserer", "mein",
    "meine", "meinen", "meinem", "nuestro", "nuestra", "mi", "notre", "nos", "mon", "ma",
];

/// Maximum distance, in words, between one of them and the product.
pub const OWNING_REACH: usize = 3;

/// Words before one of [`OWNING`] that make the product the other end of a connection: “metrics for our Prometheus”.
const TOWARD: &[&str] = &[
    "for",
    "to",
    "into",
    "behind",
    "in",
    "on",
    "at",
    "by",
    "from",
    "als",
    "an",
    "para",
    "a",
    "al",
    "hacia",
    "en",
    "pour",
    "vers",
    "dans",
    "of",
    "von",
    "hinter",
    "connect",
    "use",
    "uses",
    "using",
    "nutzt",
    "nutzen",
    "nutze",
    "verwendet",
    "verwende",
    "usa",
    "usan",
    "uso",
    "utilise",
    "utilisent",
    "braucht",
];

/// Phrases for something that exists, and how near they are, in words.
const EXISTING: &[&str] =
    &["already have", "already exists", "already running", "already runs", "already run"];
const EXISTING_REACH: usize = 5;

/// Words around such a phrase with which it refers to what was named before it: “which we already have at …”.
const SUBJECTS: &[&str] = &["we", "i", "it", "that", "this", "which", "das", "es", "lo", "que"];
const THERE: &[&str] = &["it", "that", "one", "at", "in", "en", "on"];

/// Deployments that users have and connect to. An application that they have is one that they want to host.
pub(super) const CONNECTED: &[&str] =
    &["monitoring-stack", "elk", "k3s", "haproxy", "vps-mysql", "vps-postgresql"];

/// Programs with which “our” means one that already runs: “our Prometheus shall watch it”.
const PRODUCTS: &[&str] =
    &["prometheus", "grafana", "alertmanager", "elasticsearch", "elastic", "kibana", "logstash"];

/// Words for what stands before something else, and the most words between both.
const FRONT: &[&str] = &["front", "before", "devant", "delante", "vor"];
const FRONT_REACH: usize = 6;

/// Words for logs, which belong to something that the user does not ask for.
const LOGS: &[&str] = &["log", "logs", "those", "logfile", "logfiles"];

/// Words between “logs” and what the logs belong to.
const OF: &[&str] = &["of", "from", "de", "del", "von", "der", "des", "the", "du"];

/// Whether something is to stand before this mention, which exists: “HAProxy in front of our two existing WordPress sites”.
fn exists_behind(place: &Range<usize>, words: &Words) -> bool {
    let before = words.phrase(place.start.saturating_sub(FRONT_REACH)..place.start);
    let before = before.rsplit(',').next().unwrap_or_default();
    let after = words.phrase(place.end..place.end + 2);
    let exists = |text: &str| text.split(' ').any(|word| EXISTING_ONES.contains(&word));
    let front = before.split(' ').any(|word| FRONT.contains(&word));
    front && (exists(before) || exists(&after))
}

impl Blueprint {
    /// Whether a place of a phrase only mentions the deployment, and does not ask for it.
    pub(super) fn is_only_mentioned(&self, place: &Range<usize>, words: &Words) -> bool {
        if foreign::has_longer(words, place) || is_a_container(place, words) {
            return true;
        }
        let before = words.phrase(place.start.saturating_sub(OWNING_REACH + 1)..place.start);
        // “A database for our application, MySQL” is about the application.
        let before = before.rsplit(',').next().unwrap_or_default();
        let before: Vec<&str> = before.split_whitespace().collect();
        let owned = before.windows(2).any(|pair| {
            TOWARD.contains(&pair[0]) && OWNING.contains(&pair[1]) && !is_negation(pair[0])
        }) || self.exists_already(place, words);
        let mut near = before.iter().rev().skip_while(|word| OF.contains(word));
        let of = before.last().is_some_and(|word| OF.contains(word));
        let logged = of && near.next().is_some_and(|word| LOGS.contains(word))
            || ["logs", "log"].contains(&words.phrase(place.end..place.end + 1).as_str())
            || are_logs_of_both(&words.phrase(place.end..place.end + 3));
        let logged = logged || is_beside_logs(place, words) || is_saved(place, words);
        let behind = self.id != "haproxy" && exists_behind(place, words);
        (owned && CONNECTED.contains(&self.id)) || (logged && self.id != "elk") || behind
    }

    /// Whether the message says of this mention that it exists: “our Prometheus”, “Elasticsearch, which we already have”.
    pub(super) fn exists_already(&self, place: &Range<usize>, words: &Words) -> bool {
        let before = words.phrase(place.start.saturating_sub(OWNING_REACH + 1)..place.start);
        let before: Vec<&str> = before.split_whitespace().collect();
        let after = words.phrase(place.end..place.end + EXISTING_REACH);
        let near = words.phrase(place.start.saturating_sub(EXISTING_REACH)..place.start);
        // “MySQL, we already have a server” is about the server.
        let near = near.rsplit(',').next().unwrap_or_default();
        let (own, next) = after.split_once(',').unwrap_or((&after, ""));
        // “Elasticsearch, we already have it at …” is about Elasticsearch.
        let it = EXISTING.iter().any(|phrase| {
            let Some((who, rest)) = next.split_once(phrase) else { return false };
            let rest = rest.split_whitespace().next().unwrap_or_default();
            who.split_whitespace().all(|word| SUBJECTS.contains(&word))
                && (rest.is_empty() || THERE.contains(&rest))
        });
        // “Prometheus on the one that already exists” asks for Prometheus.
        let exists = |text: &str| {
            let place = |word| ["on", "auf", "sur", "en"].contains(&word);
            EXISTING.iter().any(|phrase| {
                let before = text.split_once(phrase).map(|(before, _)| before);
                before.is_some_and(|before| !before.split_whitespace().any(place))
            })
        };
        self.runs_elsewhere(place, words)
            || CONNECTED.contains(&self.id) && has_a_version(place, words)
            || before.last().is_some_and(|word| ["existing", "current"].contains(word))
            || (PRODUCTS.contains(&words.phrase(place.clone()).as_str())
                && before.last().is_some_and(|word| OWNING.contains(word)))
            || exists(near)
            || exists(own)
            || it
    }

    /// Whether a clause after this mention says that it runs by now: “we see that in Grafana, which already runs at ours”.
    fn runs_elsewhere(&self, place: &Range<usize>, words: &Words) -> bool {
        const THAT: &[&str] = &[
            "that", "it", "which", "das", "es", "die", "der", "eso", "que", "lo", "ça", "cela",
            "il", "elle", "qui",
        ];
        const BY_NOW: &[&str] = &["already", "schon", "bereits", "ya", "déjà"];
        const RUNNING: &[&str] = &[
            "run", "runs", "running", "exists", "läuft", "laufen", "steht", "corre", "funciona",
            "existe", "tourne",
        ];
        let values: Vec<&str> = words.values().collect();
        let at = words.origin(place.start);
        let next = words.clause(at).end;
        if !words.sentence(at).contains(&next) || !CONNECTED.contains(&self.id) {
            return false;
        }
        let clause = &values[words.clause(next)];
        let has = |list: &[&str]| clause.iter().any(|word| list.contains(word));
        THAT.contains(&clause[0]) && has(BY_NOW) && has(RUNNING)
    }
}

/// Whether the words after a product tell in which version it runs: “Grafana is in version 11 on mon-01”.
fn has_a_version(place: &Range<usize>, words: &Words) -> bool {
    const BEING: &str = "is ist est está runs läuft corre tourne";
    const REACH: usize = 4;
    let after = words.phrase(place.end..place.end + REACH);
    let after: Vec<&str> = after.split(',').next().unwrap_or_default().split_whitespace().collect();
    after.first().is_some_and(|word| lists(BEING, word)) && after.contains(&"version")
}

/// Whether something is one of the containers of the user's Compose project: “our compose project (api, nginx)”, “with
/// containers for nginx and PostgreSQL”.
pub fn is_a_container(place: &Range<usize>, words: &Words) -> bool {
    const CONTAINING: &[&str] = &[
        "with",
        "con",
        "mit",
        "avec",
        "container",
        "containers",
        "containern",
        "contenedores",
        "conteneurs",
    ];
    // A machine or a place is not in the list.
    const ENDING: &[&str] =
        &["server", "machine", "vm", "vps", "box", "in", "on", "at", "en", "à", "auf", "sur"];
    if !foreign::names_compose(words) {
        return false;
    }
    let at = words.origin(place.start);
    let values: Vec<&str> = words.values().collect();
    let before = values[words.sentence(at).start..at].iter().rev();
    let mut before = before.take_while(|word| !ENDING.contains(word));
    let contained = before.any(|word| CONTAINING.contains(word));
    let named = words.phrase(place.clone());
    let mut outside = words.text().split('(').enumerate().map(|(part, text)| match part {
        0 => text,
        _ => text.split_once(')').map_or("", |(_, rest)| rest),
    });
    let bracketed = words.text().contains('(') && !outside.any(|text| Words::of(text).has(&named));
    bracketed || contained
}

/// Whether servers of a kind are only mentioned: “from web servers”, “only the three web servers”.
pub(super) fn is_a_source(place: &Range<usize>, words: &Words) -> bool {
    const FROM: &[&str] = &["from", "von", "vom", "depuis", "desde"];
    const THE: &[&str] = &[
        "the", "our", "these", "die", "den", "unseren", "unsere", "les", "nos", "los", "nuestros",
    ];
    const REACH: usize = 2;
    let named = words.phrase(place.clone());
    let before = words.phrase(place.start.saturating_sub(REACH)..place.start);
    let mut before =
        before.split_whitespace().rev().skip_while(|word| numbers::read(word).is_some());
    let kind = named.contains(' ') && named.trim_end_matches('s').ends_with("server");
    kind && before.next().is_some_and(|word| FROM.contains(&word) || THE.contains(&word))
}

/// Whether a product is in a list of sources of logs: “only journald and nginx”.
fn is_beside_logs(place: &Range<usize>, words: &Words) -> bool {
    const SOURCES: &str = "journald journal syslog rsyslog auditd auth.log kern.log dmesg fail2ban";
    const JOINING: &str = "and y e et und plus sowie";
    const BRIEF: usize = 2;
    let values: Vec<&str> = words.values().collect();
    let at = words.origin(place.start);
    let clause = words.clause(at);
    let after = words.values_of(place).end;
    let joined = |at: usize| clause.contains(&at) && lists(JOINING, values[at]);
    let source = |at: usize| clause.contains(&at) && lists(SOURCES, values[at]);
    // “Only nginx + app logs”
    let next = Some(clause.end).filter(|next| words.sentence(at).contains(next));
    let next = next.map_or(0..0, |next| words.clause(next));
    let logs = after == clause.end
        && (1..=BRIEF).contains(&next.len())
        && ["logs", "log"].contains(&values[next.end - 1]);
    logs || at > 1 && joined(at - 1) && source(at - 2) || joined(after) && source(after + 1)
}

/// Whether a product is only what the message wants a copy of: “back up our MySQL”, “guardar la base de datos MySQL en …”.
fn is_saved(place: &Range<usize>, words: &Words) -> bool {
    const SAVING: &str = "back backup backups save saving copy copies dump dumps guardar respaldar salvar copiar sichern sichere \
        sichert sauvegarder sauvegardez sauvegarde sauvegardes";
    const THERE: &str = "our my the existing its their unser unsere unserem unseren unserer mein meine die das den la el mi su \
        nuestra nuestro notre ma mon nos le";
    let at = words.origin(place.start);
    let start = words.clause(at).start;
    let there = at.saturating_sub(OWNING_REACH + 1).max(start)..at;
    let there = there.into_iter().find(|at| words.is_in(*at, THERE));
    let saving = there.is_some_and(|there| words.any_in(start..there, SAVING));
    // In German, the verb is at the end: “unsere MySQL nach S3 sichern”.
    let end = words.clause(at).end - 1;
    saving || there.is_some() && ["sichern", "gesichert"].contains(&words.said(end).0)
}

/// Whether the words after a product name its logs together with others: “nginx and auth logs”.
fn are_logs_of_both(after: &str) -> bool {
    let after: Vec<&str> = after.split(' ').collect();
    matches!(
        after.as_slice(),
        ["and", _, "logs" | "log"]
            | [
                "access" | "error" | "auth" | "system" | "server" | "app" | "application",
                "logs" | "log",
                ..
            ]
    )
}
