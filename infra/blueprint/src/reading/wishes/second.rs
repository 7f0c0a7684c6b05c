//! A second bucket beside that of a site: “a static site on S3, and a second, private bucket for the scans”. One wish has
//! one deployment, so nothing that the user asks of the second bucket is built.

use std::ops::Range;

use crate::catalogue::Blueprint;
use crate::words::Words;

/// The deployment that has a bucket of its own.
const SITE: &str = "static-site";
const BUCKET: &str = "bucket";

/// Features that are those of a bucket.
pub(super) const OF_A_BUCKET: &[&str] =
    &["a private bucket", "former versions", "encryption at rest"];

/// Words before a bucket that is not the site's, and words that add one with an article.
const SECOND: &[&str] = &[
    "second",
    "another",
    "separate",
    "additional",
    "further",
    "other",
    "weiteren",
    "weiterer",
    "weiteres",
    "zweiten",
    "eigenen",
    "separaten",
    "otro",
    "segundo",
    "aparte",
    "deuxième",
    "autre",
    "séparé",
];
const ADDING: &[&str] = &[
    "also",
    "plus",
    "additionally",
    "besides",
    "ainsi",
    "asimismo",
    "sowie",
    "dazu",
    "ferner",
    "además",
    "también",
    "encore",
];
const ARTICLES: &[&str] = &["a", "an", "one", "ein", "einen", "un", "una", "une", "qu'un", "einem"];

/// How many words before a bucket they may be.
const REACH: usize = 5;

/// The second bucket in a message.
pub(super) struct Second {
    /// The user's words for it, as positions of values.
    pub(super) named: Range<usize>,
    /// What is said of it, as positions of values.
    pub(super) about: Range<usize>,
}

/// Finds a bucket that is named in addition to the site.
pub(super) fn bucket(blueprint: &Blueprint, words: &Words) -> Option<Second> {
    if blueprint.id != SITE {
        return None;
    }
    let values: Vec<&str> = words.values().collect();
    let site = blueprint.own_cues().flat_map(|cue| words.places(cue)).map(|place| place.start);
    let site = words.origin(site.min()?);
    words.meant_at(BUCKET).into_iter().map(|place| words.origin(place.start)).find_map(|at| {
        let sentence = words.sentence(at);
        let near = at.saturating_sub(REACH).max(sentence.start)..at;
        let is = |list: &'static [&str]| {
            let values = &values;
            move |at: &usize| list.contains(&values[*at])
        };
        let article = near.clone().rev().find(is(ARTICLES));
        let added = article.filter(|article| {
            (sentence.start..*article + 1).rev().take(REACH).any(|at| is(ADDING)(&at))
        });
        let first = near.clone().find(is(SECOND)).or(added.map(|article| article + 1))?;
        (site < first).then(|| Second { named: first..at + 1, about: first..sentence.end })
    })
}
