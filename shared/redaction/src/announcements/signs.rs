//! Looks for all parts of words that the forms below need, in one pass over a line: most lines have none of them.

use super::{
    STEMS, access, changes, groups, keys, licenses, lists, mentions, onetime, passphrases,
    reserves, text_messages, tuples, unlocks, well_known,
};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::sync::OnceLock;

/// What a line has parts of words of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signs(u32);

/// A kind of such parts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sign {
    Password,
    Code,
    With,
    Opens,
    Key,
    Network,
    OneTime,
    Seed,
    As,
    Default,
    Question,
    Codeword,
    Reserve,
    Phone,
    Decrypts,
    Cookie,
    Instead,
    Keys,
    Described,
    App,
}

/// The parts of each kind.
const PARTS: [(Sign, &[&str]); 20] = [
    (Sign::Password, &STEMS),
    (Sign::Code, &access::STEMS),
    (Sign::With, &unlocks::TIES),
    (Sign::Opens, &unlocks::STEMS),
    (Sign::Key, &keys::KEYS),
    (Sign::Network, &keys::NETWORKS),
    (Sign::OneTime, &onetime::STEMS),
    (Sign::Seed, &onetime::NAMES),
    (Sign::As, &changes::AS),
    (Sign::Default, &well_known::DEFAULTS),
    (Sign::Question, &access::QUESTIONS),
    (Sign::Codeword, &access::CODEWORDS),
    (Sign::Reserve, &reserves::RESERVES),
    (Sign::Phone, &text_messages::SIGNS),
    (Sign::Decrypts, &passphrases::OPENS),
    (Sign::Cookie, &licenses::COOKIES),
    (Sign::Instead, &tuples::INSTEAD),
    (Sign::Keys, &lists::KEYS),
    (Sign::Described, &mentions::DESCRIBED),
    (Sign::App, &groups::APP),
];

/// Finds the parts, and the kinds that each of them belongs to.
struct Finder {
    parts: AhoCorasick,
    kinds: Vec<u32>,
}

fn finder() -> Option<&'static Finder> {
    static FINDER: OnceLock<Option<Finder>> = OnceLock::new();
    FINDER
        .get_or_init(|| {
            let all =
                || PARTS.iter().flat_map(|(sign, parts)| parts.iter().map(move |p| (sign, p)));
            let mut builder = AhoCorasick::builder();
            let builder = builder.kind(Some(AhoCorasickKind::DFA));
            let parts = builder.build(all().map(|(_, part)| part)).ok()?;
            Some(Finder { parts, kinds: all().map(|(sign, _)| 1 << *sign as u32).collect() })
        })
        .as_ref()
}

impl Signs {
    /// The kinds of parts in a text in lower case.
    pub(super) fn of(lower: &str) -> Self {
        // Without a finder, each form looks for its parts itself.
        let Some(finder) = finder() else { return Self(u32::MAX) };
        let found = finder.parts.find_overlapping_iter(lower);
        Self(found.fold(0, |signs, part| {
            signs | finder.kinds.get(part.pattern().as_usize()).copied().unwrap_or_default()
        }))
    }

    pub(super) fn has(self, sign: Sign) -> bool {
        self.0 >> sign as u32 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_found_wherever_it_is() {
        for (sign, parts) in PARTS {
            for part in parts {
                assert!(Signs::of(part).has(sign), "{part}");
                assert!(Signs::of(&format!("x{part}y")).has(sign), "{part}");
            }
        }
        assert_eq!(Signs::of("we need two more, please"), Signs(0));
    }
}
