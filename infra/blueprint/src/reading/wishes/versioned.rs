//! Versions of the product that a deployment is about, where the message does not repeat its name: “version 8.4”, “not
//! 17”, “8.4 breaks our app”.

use super::measures::{PRODUCTS, is_version};
use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::Blueprint;
use crate::catalogue::foreign::{Kind, Mention};
use crate::words::Words;
use crate::words::language::Weight;

/// Verbs after a version that does not fit.
const BREAKING: &[&str] = &[
    "breaks",
    "broke",
    "break",
    "rompe",
    "romper",
    "casse",
    "cassent",
    "zerschießt",
    "zerstört",
    "crashes",
    "fails",
];

/// Words right before a version alone: “but then in 8.0”.
const BEFORE: &[&str] = &["in", "en", "la", "the", "die", "auf"];

/// The mention of another system with the version after it: “Ubuntu 24.04”.
pub(super) fn with_version(mut mention: Mention, words: &Words, open: &mut Open) -> Mention {
    let next = words.values_of(&mention.place).end;
    let joined = next > 0 && !words.ends_clause(next - 1);
    // “Windows 2022” has a year.
    let number = |value: &&str| value.chars().all(|c| c.is_ascii_digit() || c == '.');
    let version = words.values().nth(next).filter(|value| joined && number(value));
    if let Some(version) =
        version.filter(|version| !version.is_empty() && mention.foreign.kind == Kind::System)
    {
        mention.what = format!("{} {version}", mention.what);
        open.take_range(&(next..next + 1));
    }
    mention
}

/// The product of a deployment, and the version that is built.
pub(super) struct Versioned {
    product: Option<(&'static str, &'static str)>,
}

/// What a message says about a version.
pub(super) enum Spoken {
    /// It is the version that is built, or one that the user does not want and that is not built.
    Fulfilled,
    /// Another version is built.
    Another(Asked),
}

impl Versioned {
    pub(super) fn of(blueprint: &Blueprint) -> Versioned {
        let mut products = PRODUCTS.iter().filter(|product| **product != "debian");
        let product = products.find_map(|name| Some((*name, blueprint.version_of(name)?)));
        Versioned { product }
    }

    /// What the message says about the version at this position.
    pub(super) fn spoken(
        &self,
        words: &Words,
        values: &[&str],
        at: usize,
        value: usize,
    ) -> Option<Spoken> {
        let (product, built) = self.product?;
        let said = values[at];
        let clause = words.clause(value);
        let before = value.checked_sub(1).filter(|_| value > clause.start);
        let all: Vec<&str> = words.values().collect();
        let before = before.map_or("", |before| all[before]);
        if !is_version(said) || before == product || other_names(product).contains(&before) {
            return None;
        }
        let same = built == said || built.starts_with(&format!("{said}."));
        let instead = |what: String| {
            Spoken::Another(Asked { what, fate: Fate::Differently(format!("{product} {built}")) })
        };
        let next = if value + 1 < clause.end { all[value + 1] } else { "" };
        if same && BREAKING.contains(&next) {
            return Some(instead(format!("not {product} {said}")));
        }
        // “Versión 18 de node”
        let own = |name: &str| name == product || other_names(product).contains(&name);
        let of = ["of", "de", "del", "du", "von"].contains(&next);
        if of
            && all.get(value + 2).filter(|_| value + 2 < clause.end).is_some_and(|name| !own(name))
        {
            return None;
        }
        // “Not 17”
        let full = |at: usize| words.language(at).weight(all[at]) == Weight::Full;
        let alone = !clause.clone().any(|at| at != value && full(at));
        let named = || {
            let pair = |pair: &[&str]| own(pair[0]) && is_version(pair[1]);
            all.windows(2).any(pair)
        };
        if alone && !words.means_value(value) && named() {
            return Some(match same {
                true => instead(format!("not {product} {said}")),
                false => Spoken::Fulfilled,
            });
        }
        let of_the_product = || {
            let own = |at: usize| all[at] == product || other_names(product).contains(&all[at]);
            let owner = value.checked_sub(2).filter(|owner| *owner >= clause.start);
            // “A PostgreSQL beside it (outside the cluster) version 16”
            let named = |at: &usize| {
                PRODUCTS
                    .iter()
                    .any(|name| all[*at] == *name || other_names(name).contains(&all[*at]))
            };
            let nearest = || (words.sentence(value).start..value).rev().find(named);
            match owner {
                Some(owner) => !full(owner) || own(owner),
                None => nearest().is_none_or(own),
            }
        };
        let dotted = said.contains('.') && BEFORE.contains(&before) && alone_so_far(words, value);
        if (before == "version" && of_the_product()) || (dotted && built.contains('.')) {
            return Some(match same {
                true => Spoken::Fulfilled,
                false => instead(format!("{product} {said}")),
            });
        }
        None
    }
}

/// Other names of a product.
fn other_names(product: &str) -> &'static [&'static str] {
    match product {
        "postgresql" => &["postgres", "pg", "psql"],
        _ => &[],
    }
}

/// Whether a clause names nothing before a version: “but then in 8.0 and with utf8mb4”.
fn alone_so_far(words: &Words, value: usize) -> bool {
    let all: Vec<&str> = words.values().collect();
    let start = words.clause(value).start;
    let fits = |at: usize| {
        let kept = ["gardez", "garder", "keep", "behalten", "mantener"].contains(&all[at]);
        kept || words.language(at).weight(all[at]) != Weight::Full
    };
    (start..value).all(fits)
}

impl Spoken {
    /// Marks the version, and the words right beside it that say so, as explained.
    pub(super) fn take(self, open: &mut Open, at: usize) -> Option<Asked> {
        open.take_at(at);
        let word = |at: usize| open.tokens.get(at).map_or("", |token| token.word.as_str());
        let version = at.checked_sub(1).filter(|before| word(*before) == "version");
        let verb = Some(at + 1).filter(|next| BREAKING.contains(&word(*next)));
        version.into_iter().chain(verb).for_each(|beside| open.take_at(beside));
        open.tokens[at].ruled_out = true;
        match self {
            Spoken::Fulfilled => None,
            Spoken::Another(asked) => Some(asked),
        }
    }
}
