//! What the resources, data sources and settings of the common providers consist of, from the tables in `../schemas/`.
//!
//! The tables were read from the bindings for CDKTF of aws 5.99 and 6.25, azurerm 3.116 and 4.55, cloudflare 4.52 and
//! 5.14, google 6.50, digitalocean 2.71, helm 2.17 and 3.1, kubernetes 2.38 and the smaller ones of 2025, and for hcloud
//! from its source of August 2026. Where two major versions differ, the fields of both are allowed.
//!
//! A line names a type or, indented below it, one of its blocks, and then the fields: a sign for the kind of value, and
//! `!` for a required field or `~` for one that the provider decides. ` = ` instead of `:` points to a block or type
//! with the same fields. `others.txt` names the types whose fields are in no table.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A provider whose types are all known.
pub(super) struct Provider {
    /// The prefix of its types.
    pub(super) name: &'static str,
    source: &'static str,
    /// The newest major version that the tables know.
    newest: u32,
}

const fn provider(name: &'static str, source: &'static str, newest: u32) -> Provider {
    Provider { name, source, newest }
}

const PROVIDERS: [Provider; 18] = [
    provider("archive", "hashicorp/archive", 2),
    provider("aws", "hashicorp/aws", 6),
    provider("azurerm", "hashicorp/azurerm", 4),
    provider("cloudflare", "cloudflare/cloudflare", 5),
    provider("digitalocean", "digitalocean/digitalocean", 2),
    provider("docker", "kreuzwerker/docker", 3),
    provider("external", "hashicorp/external", 2),
    provider("github", "integrations/github", 6),
    provider("google", "hashicorp/google", 6),
    provider("hcloud", "hetznercloud/hcloud", 1),
    provider("helm", "hashicorp/helm", 3),
    provider("http", "hashicorp/http", 3),
    provider("kubernetes", "hashicorp/kubernetes", 2),
    provider("local", "hashicorp/local", 2),
    provider("null", "hashicorp/null", 3),
    provider("random", "hashicorp/random", 3),
    provider("time", "hashicorp/time", 0),
    provider("tls", "hashicorp/tls", 4),
];

const TABLES: [&str; 7] = [
    include_str!("../schemas/aws.txt"),
    include_str!("../schemas/azurerm.txt"),
    include_str!("../schemas/cloudflare.txt"),
    include_str!("../schemas/digitalocean.txt"),
    include_str!("../schemas/google.txt"),
    include_str!("../schemas/kubernetes.txt"),
    include_str!("../schemas/small.txt"),
];

const OTHERS: &str = include_str!("../schemas/others.txt");

/// What a field's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    Bool,
    List,
    Map,
    /// Only blocks.
    Block,
    /// An object or several, as a value or as blocks.
    Object,
    Any,
}

/// One argument, attribute or block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) required: bool,
    /// Whether only the provider sets it.
    pub(super) decided: bool,
}

impl Field {
    fn read(word: &'static str) -> Self {
        let name = word.trim_end_matches(['!', '~', '#', '?', '*', '%', '{', '=', '@']);
        let signs = &word[name.len()..];
        let kind = match signs.chars().next() {
            Some('#') => Kind::Number,
            Some('?') => Kind::Bool,
            Some('*') => Kind::List,
            Some('%') => Kind::Map,
            Some('{') => Kind::Block,
            Some('=') => Kind::Object,
            Some('@') => Kind::Any,
            _ => Kind::Text,
        };
        Self { name, kind, required: signs.contains('!'), decided: signs.contains('~') }
    }
}

enum Line {
    Fields(&'static str),
    Same(&'static str),
}

/// Each path, as `aws_instance.root_block_device`, with its line.
static LINES: LazyLock<HashMap<String, Line>> = LazyLock::new(|| {
    let mut lines = HashMap::new();
    let mut above: Vec<&str> = Vec::new();
    for line in TABLES.iter().flat_map(|table| table.lines()) {
        let text = line.trim_start_matches(' ');
        above.truncate(line.len() - text.len());
        let (name, line) = match (text.split_once(" = "), text.split_once(':')) {
            (Some((name, other)), _) => (name, Line::Same(other)),
            (None, Some((name, fields))) => (name, Line::Fields(fields)),
            (None, None) => continue,
        };
        above.push(name);
        lines.insert(above.join("."), line);
    }
    lines
});

/// The types whose fields are in no table, in full.
static NAMES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lines = OTHERS.lines().filter_map(|line| line.split_once(':'));
    let names = |(provider, names): (&'static str, &'static str)| {
        names.split_whitespace().map(move |name| format!("{provider}_{name}"))
    };
    lines.flat_map(names).collect()
});

/// The path whose line has the fields of this path; none if they are not known.
pub(super) fn resolved(path: &str) -> Option<&'static str> {
    let (mut at, line) = LINES.get_key_value(path)?;
    let mut line = line;
    while let Line::Same(other) = line {
        (at, line) = LINES.get_key_value(*other)?;
    }
    Some(at.as_str())
}

/// The fields of a type or a block, by its resolved path.
pub(super) fn fields(path: &str) -> Vec<Field> {
    match LINES.get(path) {
        Some(Line::Fields(fields)) => fields.split_whitespace().map(Field::read).collect(),
        _ => Vec::new(),
    }
}

/// Whether a provider has this type, which may begin with `data.`.
pub(super) fn exists(kind: &str) -> bool {
    LINES.contains_key(kind) || NAMES.contains(kind)
}

/// All types that begin like this.
pub(super) fn types(begin: &str) -> Vec<&'static str> {
    let tables = LINES.keys().map(String::as_str);
    let all = tables.chain(NAMES.iter().map(String::as_str));
    all.filter(|name| name.starts_with(begin)).collect()
}

/// The provider of a type or a provider block, by its prefix.
pub(super) fn of(kind: &str) -> Option<&'static Provider> {
    let prefix = kind.split('_').next().unwrap_or_default();
    PROVIDERS.iter().find(|provider| provider.name == prefix)
}

impl Provider {
    /// Whether the tables hold for what a folder declares: its source and version constraint, if there are any.
    pub(super) fn holds(&self, source: Option<&str>, version: Option<&str>) -> bool {
        let source = source.map(|text| text.trim_start_matches("registry.terraform.io/"));
        let major = version.and_then(|text| {
            let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
            digits.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
        });
        source.is_none_or(|source| source == self.source)
            && major.is_none_or(|major| major <= self.newest)
    }
}
