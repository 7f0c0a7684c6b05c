//! Questions of the Compose stacks on a VPS, in addition to those of the server.

use super::parameters::{ADDING, Found, Parameter, find_span};
use crate::words::{Words, lists};

pub const RETENTION_DAYS: Parameter = Parameter {
    key: "retention-days",
    label: "Kept for",
    question: "for how many days should the data be kept?",
    default: "15",
    asked: false,
    accept: accept_days,
    find: find_days,
};

/// How long to keep data, in days: less than a day is not a history, and years of data do not fit on one server.
const DAYS: std::ops::RangeInclusive<u32> = 1..=366;

fn accept_days(text: &str) -> Option<String> {
    let days: u32 = text.trim().parse().ok()?;
    DAYS.contains(&days).then(|| days.to_string())
}

/// Words for what is kept.
const KEPT: &[&str] = &[
    "log",
    "data",
    "metric",
    "retention",
    "history",
    "index",
    "indices",
    "event",
    "entries",
    "number",
    "numbers",
    "figures",
    "measures",
    "measurements",
    "mesures",
    "medidas",
    "messwerte",
];

fn find_days(words: &Words) -> Found {
    find_span(words, KEPT, &DAYS)
}

pub const WATCHED: Parameter = Parameter {
    key: "watch",
    label: "Watched addresses",
    question: "which addresses (like https://example.com) should be watched?",
    default: "http://grafana:3000/api/health",
    asked: true,
    accept: accept_addresses,
    find: find_addresses,
};

pub const ALERTS_TO: Parameter = Parameter {
    key: "alerts-to",
    label: "Alerts go to",
    question: "should alerts be posted to a webhook (webhook), or stay on the server (none)?",
    default: "none",
    asked: false,
    accept: accept_receiver,
    find: find_receiver,
};

/// The value of [`ALERTS_TO`] with which alerts are posted to a webhook.
pub const WEBHOOK: &str = "webhook";

fn accept_receiver(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    [WEBHOOK, "none"].contains(&text.as_str()).then_some(text)
}

fn find_receiver(words: &Words) -> Found {
    const CUES: &[&str] = &[WEBHOOK, "web hook"];
    let excluded = CUES.iter().any(|cue| words.excludes(cue));
    let posted = !excluded && !receivers(words).is_empty();
    match words.means_any(CUES) || posted {
        true => Found::Value(WEBHOOK.into()),
        false if excluded => Found::Value("none".into()),
        false => Found::Nothing,
    }
}

/// Words before an address to which alerts are sent, and before one that is watched.
const ALERTING: &[&str] =
    &["webhook", "hook", "alert", "alerting", "alertmanager", "notify", "notification", "notice"];
/// Words right before an address that is a destination.
const TOWARD: &[&str] = &["to", "vers", "an"];
const WATCHING: &[&str] = &["watch", "monitor", "monitoring", "check", "if", "when", "whether"];

/// Positions of the addresses that take alerts and are not watched: “alerts to hooks.example.com”.
pub fn receivers(words: &Words) -> Vec<usize> {
    let values: Vec<&str> = words.values().collect();
    let takes = |at: &usize| {
        let Some((_, host)) = values[*at].split_once("://") else { return false };
        let before = &values[words.clause(*at).start..*at];
        // “alerts for https://example.com” are about what is watched.
        let about = before.last().is_some_and(|word| ["for", "on", "about"].contains(word));
        let is = |word: &&str, list: &[&str]| {
            let ended = |listed: &&str| word.strip_prefix(listed);
            list.iter().filter_map(ended).any(|ending| ["", "s", "es"].contains(&ending))
        };
        let near = before.iter().rev().find(|word| is(word, ALERTING) || is(word, WATCHING));
        match near {
            Some(word) => is(word, ALERTING) && !about,
            None if before.last().is_some_and(|word| TOWARD.contains(word)) => true,
            None => host.split(['.', '/']).any(|part| ["hook", "hooks", WEBHOOK].contains(&part)),
        }
    };
    (0..values.len()).filter(takes).collect()
}

/// Words for what the stack itself shows, and words before the address at which it is to be found.
const SHOWN: &str = "grafana kibana prometheus alertmanager dashboard interface ui panel oberfläche weboberfläche tablero panel \
    interfaz tableau";
const AT: &str = "at under on via en à sous unter auf bei sur through over";
const FOUND: &str = "reachable accessible available visible published exposed erreichbar accesible accessible joignable";

/// Positions of the addresses at which the stack itself is to be found, and which are not watched: “Grafana is reachable at
/// `https://grafana.example.com`”.
pub fn own(words: &Words) -> Vec<usize> {
    let values: Vec<&str> = words.values().collect();
    let is = |word: &str, list: &str| {
        lists(list, word) || word.strip_suffix('s').is_some_and(|one| lists(list, one))
    };
    let watches =
        |word: &str| WATCHING.iter().any(|start| word.starts_with(start)) || word == "watched";
    let own = |at: &usize| {
        let clause = words.clause(*at);
        let before = &values[clause.start..*at];
        let shown = before.iter().rposition(|word| is(word, SHOWN));
        let Some(shown) = shown.filter(|_| values[*at].contains("://")) else { return false };
        let between = &before[shown + 1..];
        let placed = between.last().is_some_and(|word| lists(AT, word));
        let found = clause.clone().any(|at| lists(FOUND, values[at]));
        let watched = between.iter().chain(&values[*at + 1..clause.end]).any(|word| watches(word));
        (placed || found) && !watched
    };
    (0..values.len()).filter(own).collect()
}

/// Maximum number of addresses that one server watches.
const MAX_ADDRESSES: usize = 10;
/// Maximum length of an address, in bytes.
const ADDRESS_BYTES: usize = 200;

/// Accepts HTTP addresses, separated by commas, without characters that YAML or a shell would interpret.
fn accept_addresses(text: &str) -> Option<String> {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?=%".contains(&byte);
    let accept = |address: &str| -> Option<String> {
        let address = address.trim();
        let (scheme, rest) = address.split_once("://")?;
        let named = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        let fits = address.len() <= ADDRESS_BYTES && address.bytes().all(good);
        (["http", "https"].contains(&scheme) && named && fits).then(|| address.to_string())
    };
    let addresses: Vec<String> = text.split(',').map(accept).collect::<Option<_>>()?;
    (addresses.len() <= MAX_ADDRESSES).then(|| addresses.join(","))
}

/// Finds addresses in the raw text, because splitting it into words would split addresses too.
fn find_addresses(words: &Words) -> Found {
    let ends = |c: char| c.is_whitespace() || "\"“”'()<>,;".contains(c);
    let mut found: Vec<String> = words
        .text()
        .split(ends)
        .map(|word| word.trim_end_matches(['.', '!', '?']))
        .filter_map(accept_addresses)
        .take(MAX_ADDRESSES)
        .collect();
    let values: Vec<&str> = words.values().collect();
    let others = [receivers(words), own(words)].concat();
    let begun = |address: &String, at: &usize| address.to_lowercase().starts_with(values[*at]);
    found.retain(|address| !others.iter().any(|at| begun(address, at)));
    // Each value of the message is an address or the beginning of one: “http://a.b:8080” is two values.
    let stopped = |address: &String| {
        let begins = |(_, value): &(usize, &str)| {
            value.contains("://") && address.to_lowercase().starts_with(value.trim_end_matches('/'))
        };
        let mut places = words.values().enumerate().filter(begins);
        places.any(|(at, _)| !words.means_value(at))
    };
    let removed: Vec<String> = found.extract_if(.., |address| stopped(address)).collect();
    match (found.is_empty(), removed.is_empty()) {
        (true, true) => Found::Nothing,
        (false, true) if !words.means_any(ADDING) => Found::Value(found.join(",")),
        _ => Found::Changed { added: found, removed },
    }
}

pub const HEAP_GB: Parameter = Parameter {
    key: "heap-gb",
    label: "Elasticsearch's heap",
    question: "how many GB of heap should Elasticsearch have?",
    default: "2",
    asked: false,
    accept: accept_heap,
    find: find_heap,
};

/// Size of the heap in GB. Elasticsearch recommends at most 31 GB, because larger heaps need larger pointers.
const HEAP: std::ops::RangeInclusive<u32> = 1..=31;

fn accept_heap(text: &str) -> Option<String> {
    let gigabytes: u32 = text.trim().parse().ok()?;
    HEAP.contains(&gigabytes).then(|| gigabytes.to_string())
}

/// A number right beside “heap”, or with its unit in the same clause: “16 GB heap”, “the heap has 8 GB”.
fn find_heap(words: &Words) -> Found {
    const REACH: usize = 4;
    const UNITS: &[&str] = &["gb", "gib", "g", "gigabytes"];
    let values: Vec<&str> = words.values().collect();
    let Some(heap) = values.iter().position(|value| *value == "heap") else {
        return Found::Nothing;
    };
    let clause = words.clause(heap);
    let number = |at: &usize| {
        let value = values[*at];
        let bare = accept_heap(value.trim_end_matches("gb").trim_end_matches('g'))?;
        let next = values.get(at + 1).filter(|_| !words.ends_clause(*at));
        let united = value.ends_with('g') || value.ends_with("gb");
        let counts = united || next.is_none_or(|next| UNITS.contains(next) || *next == "heap");
        counts.then_some(bare)
    };
    let before = || (clause.start.max(heap.saturating_sub(REACH))..heap).rev();
    let after = || heap + 1..clause.end.min(heap + REACH);
    let beside = heap.checked_sub(1).filter(|at| clause.contains(at)).and_then(|at| number(&at));
    let joined = || {
        let unit = heap.checked_sub(1).filter(|at| UNITS.contains(&values[*at]))?;
        unit.checked_sub(1).and_then(|at| number(&at))
    };
    let found = beside.or_else(joined);
    let found = found.or_else(|| after().find_map(|at| number(&at)));
    Found::maybe(found.or_else(|| before().find_map(|at| number(&at))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_are_read() {
        let find = |text: &str| find_addresses(&Words::of(text));
        let found = find("watch https://example.com/health and http://a.b:8080.");
        assert_eq!(found, Found::Value("https://example.com/health,http://a.b:8080".into()));
        assert_eq!(find("watch everything"), Found::Nothing);
        let list = |address: &str| vec![address.to_string()];
        let added = Found::Changed { added: list("https://b.example"), removed: Vec::new() };
        assert_eq!(find("also watch https://b.example"), added);
        let removed = Found::Changed { added: Vec::new(), removed: list("https://b.example") };
        for text in ["stop watching https://b.example", "no longer https://b.example"] {
            assert_eq!(find(text), removed, "{text}");
        }
        assert_eq!(accept_addresses("https://x\"]; $(id)"), None);
        assert_eq!(accept_addresses("file:///etc/passwd"), None);
    }

    #[test]
    fn alerts_go_to_a_webhook_if_one_is_wanted() {
        let find = |text: &str| find_receiver(&Words::of(text));
        let value = |value: &str| Found::Value(value.into());
        assert_eq!(find("a monitoring stack that sends its alerts to a webhook"), value(WEBHOOK));
        assert_eq!(find("post alerts to our webhooks"), value(WEBHOOK));
        assert_eq!(find("no webhook, please"), value("none"));
        assert_eq!(find("a monitoring stack"), Found::Nothing);
        assert_eq!(accept_receiver("Webhook"), Some(WEBHOOK.into()));
        assert_eq!(accept_receiver("https://hooks.example.com"), None);
    }

    #[test]
    fn numbers_outside_their_limits_are_refused() {
        assert_eq!(find_days(&Words::of("keep it 30 days")), Found::Value("30".into()));
        assert_eq!(accept_days("4000"), None);
        assert_eq!(find_heap(&Words::of("a heap of 4 GB")), Found::Value("4".into()));
        let found = find_heap(&Words::of("3 nodes with 16 GB heap and 30 days"));
        assert_eq!(found, Found::Value("16".into()));
        let find = |text: &str| find_heap(&Words::of(text));
        assert_eq!(find("logs for 2 years, heap 8 GB on a cx23"), Found::Value("8".into()));
        assert_eq!(find("the heap gets 8 GB, 3 nodes"), Found::Value("8".into()));
        assert_eq!(find("a heap for 3 nodes"), Found::Nothing);
        assert_eq!(accept_heap("64"), None);
    }
}
