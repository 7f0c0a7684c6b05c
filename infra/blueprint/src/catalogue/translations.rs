//! German, Spanish and French for the English texts that the model stores: labels, features, reasons and places.
//!
//! Documents stay in English, and what the user reads in the chat is translated: `catalogue/translations.json` has the
//! phrases, in which `{}` stands for any text, and the `offer.json` of each deployment has its own texts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{ALL, Blueprint, Place, folder, places, versions};
use crate::words::language::Language;

/// A phrase in English, German, Spanish and French.
type Phrase = [String; 4];

/// The texts of a deployment or an addition; see its `offer.json`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    #[serde(default)]
    title: Option<[String; 3]>,
    #[serde(default)]
    detail: Option<[String; 3]>,
    /// What a beginner would want it for, in English and the other languages.
    #[serde(default)]
    benefit: Option<Phrase>,
    #[serde(default)]
    before_confirming: Option<[String; 3]>,
}

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let text = folder::text("translations.json");
    let sections: BTreeMap<String, Vec<Phrase>> = serde_json::from_str(text).unwrap_or_default();
    sections.into_values().flatten().collect()
});

static OFFERS: LazyLock<BTreeMap<&'static str, Offer>> = LazyLock::new(|| {
    let all = folder::all().filter_map(|(path, text)| {
        let folder = path.strip_suffix("/offer.json")?;
        let id = folder.strip_prefix("additions/").unwrap_or(folder);
        Some((id, serde_json::from_str(text).ok()?))
    });
    all.collect()
});

/// The position of a language among the translations; `None` for English.
fn position(language: Language) -> Option<usize> {
    match language {
        Language::English | Language::Other => None,
        Language::German => Some(0),
        Language::Spanish => Some(1),
        Language::French => Some(2),
    }
}

/// A stored English text in the user's language. A text that the phrases do not have stays as it is.
pub fn translated(language: Language, english: &str) -> String {
    known(language, english).unwrap_or_else(|| match english.split_once(": ") {
        // “Server size: cx33”
        Some((label, value)) => match known(language, label) {
            Some(label) => format!("{label}: {}", translated(language, value)),
            None => english.to_string(),
        },
        None => english.to_string(),
    })
}

/// Where a location or a region is: “in Nuremberg”, or “at AWS” for one without a known name.
pub fn town(language: Language, place: Place, code: &str) -> String {
    let name = places::of(place).iter().find(|(_, own)| *own == code).map(|(name, _)| *name);
    let town = name.map_or(place.words().to_string(), |name| format!("in {name}"));
    translated(language, &town)
}

/// The translation of a text that the phrases have. The English form corrects only the capital letters of places.
fn known(language: Language, english: &str) -> Option<String> {
    let to = position(language).map_or(0, |at| at + 1);
    // A pattern that says more comes first: “on a new server {}” before “{} servers”.
    let exact = PHRASES.iter().find(|phrase| phrase[0].eq_ignore_ascii_case(english));
    if let Some(phrase) = exact {
        return Some(phrase[to].clone());
    }
    if let Some(text) = versions::labeled(english).or_else(|| deployment(language, english)) {
        return Some(text);
    }
    let matches = PHRASES.iter().filter_map(|phrase| {
        let parts = captured(&phrase[0], english)?;
        Some((phrase, parts))
    });
    let (phrase, parts) = matches.max_by_key(|(phrase, _)| phrase[0].len())?;
    let mut text = phrase[to].clone();
    for part in parts {
        text = text.replacen("{}", &known(language, part).unwrap_or_else(|| part.to_string()), 1);
    }
    Some(text)
}

/// A deployment's title, alone or with its detail, in the user's language.
fn deployment(language: Language, english: &str) -> Option<String> {
    let rest =
        |blueprint: &&'static Blueprint| Some((*blueprint, english.strip_prefix(blueprint.title)?));
    let (blueprint, rest) = ALL.iter().find_map(rest)?;
    let title = blueprint.title_in(language);
    match rest.strip_prefix(", ") {
        Some(detail) if detail == blueprint.detail => {
            Some(format!("{title}, {}", blueprint.detail_in(language)))
        }
        _ => rest.is_empty().then(|| title.to_string()),
    }
}

/// What stands for each `{}` of a pattern in a text.
fn captured<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut fixed = pattern.split("{}");
    let mut rest = text.strip_prefix(fixed.next()?)?;
    let fixed: Vec<&str> = fixed.collect();
    let (last, inner) = fixed.split_last()?;
    let mut parts = Vec::new();
    for next in inner {
        let (part, after) = rest.split_once(next)?;
        parts.push(part);
        rest = after;
    }
    parts.push(rest.strip_suffix(last)?);
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

/// One of the texts of a deployment or an addition in a language other than English.
fn own(
    id: &str,
    language: Language,
    text: fn(&Offer) -> &Option<[String; 3]>,
) -> Option<&'static str> {
    let offer: &'static Offer = OFFERS.get(id)?;
    let texts = text(offer).as_ref()?;
    Some(texts[position(language)?].as_str())
}

impl Blueprint {
    /// Its name in the user's language.
    pub fn title_in(&self, language: Language) -> &'static str {
        own(self.id, language, |offer| &offer.title).unwrap_or(self.title)
    }

    /// Its place and conditions in the user's language.
    pub fn detail_in(&self, language: Language) -> &'static str {
        own(self.id, language, |offer| &offer.detail).unwrap_or(self.detail)
    }

    /// What a beginner would want it for, in a short clause.
    pub fn benefit_in(&self, language: Language) -> &'static str {
        let benefit = OFFERS.get(self.id).and_then(|offer| offer.benefit.as_ref());
        let at = position(language).map_or(0, |at| at + 1);
        benefit.map_or(self.detail_in(language), |texts| texts[at].as_str())
    }
}

/// What the user should know before confirming a deployment or an addition, if it is not in English.
pub fn before_confirming(id: &str, language: Language) -> Option<&'static str> {
    own(id, language, |offer| &offer.before_confirming)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{additions, covers, differs};

    const OTHERS: [Language; 3] = [Language::German, Language::Spanish, Language::French];

    #[test]
    fn every_deployment_has_its_texts_in_every_language() {
        for blueprint in ALL.iter() {
            let offer = OFFERS.get(blueprint.id).unwrap_or_else(|| panic!("{}", blueprint.id));
            assert!(offer.benefit.is_some(), "{}", blueprint.id);
            for language in OTHERS {
                let id = blueprint.id;
                assert!(own(id, language, |offer| &offer.title).is_some(), "{id}");
                assert!(own(id, language, |offer| &offer.detail).is_some(), "{id}");
                let before = before_confirming(id, language).is_some();
                assert_eq!(before, !blueprint.before_confirming.is_empty(), "{id}");
            }
        }
        for addition in additions::all() {
            let before = before_confirming(addition.id, Language::German).is_some();
            assert_eq!(before, !addition.before_confirming.is_empty(), "{}", addition.id);
        }
    }

    #[test]
    fn every_label_feature_and_reason_of_the_data_is_translated() {
        let labels = ALL.iter().flat_map(|blueprint| blueprint.all_parameters());
        let mut texts: Vec<&str> = labels.map(|parameter| parameter.label).collect();
        for feature in covers::features() {
            texts.extend([feature.wish(), feature.name()]);
            texts.extend(feature.instead());
        }
        texts.extend(ALL.iter().flat_map(|blueprint| differs::reasons(blueprint.id)));
        let lacks =
            |text: &&str| !PHRASES.iter().any(|phrase| phrase[0].eq_ignore_ascii_case(text));
        let lacking: Vec<&str> = texts.into_iter().filter(lacks).collect();
        assert!(lacking.is_empty(), "{lacking:#?}");
        for phrase in PHRASES.iter() {
            let gaps = |text: &String| text.matches("{}").count();
            assert!(phrase.iter().all(|text| gaps(text) == gaps(&phrase[0])), "{phrase:?}");
        }
    }

    #[test]
    fn phrases_are_translated_with_what_stands_in_their_gaps() {
        for (english, german, french) in [
            ("at Hetzner", "bei Hetzner", "chez Hetzner"),
            (
                "with a server at Hetzner",
                "mit einem Server bei Hetzner",
                "avec un serveur chez Hetzner",
            ),
            ("in nuremberg", "in Nürnberg", "à Nuremberg"),
            (
                "30 so far; please say which one holds",
                "bisher 30; bitte sagen Sie, was gilt",
                "pour l'instant 30 ; dites ce qui vaut",
            ),
            ("postgres 17", "PostgreSQL 17", "PostgreSQL 17"),
            ("Server size: cx33", "Servergröße: cx33", "Taille du serveur: cx33"),
            ("frobnicator", "frobnicator", "frobnicator"),
            (
                "A basic VPS so far; please say which one holds",
                "bisher Ein einfacher VPS; bitte sagen Sie, was gilt",
                "pour l'instant Un VPS simple ; dites ce qui vaut",
            ),
        ] {
            assert_eq!(translated(Language::German, english), german);
            assert_eq!(translated(Language::French, english), french);
        }
        assert_eq!(translated(Language::English, "in nuremberg"), "in Nuremberg");
    }
}
