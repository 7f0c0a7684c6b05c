//! Keeps phrases that hide the actor or read as translated out of what people read: documents, comments, messages, and
//! the names of functions and tests.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};

/// Refused phrases, with what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("nobody", "name who may: “only the owner”, “no user”"),
    ("by itself", "“automatically”, “unasked”, or name what starts it"),
    ("is told", "name who says it, or what the other learns"),
    ("are told", "name who says it, or what the others learn"),
    ("was told", "name who said it, or what the other knows"),
    ("were told", "name who said it, or what the others know"),
    ("be told", "name who says it, or what the other learns"),
    ("been told", "name who said it, or what the other knows"),
    ("what became of", "“the result of”"),
    ("to do is said", "name who says what to do"),
    ("to be had", "“available”"),
    ("else than", "“other than”"),
    ("afterwards", "“afterward”"),
    ("towards", "“toward”"),
    ("whilst", "“while”"),
    ("behaviour", "“behavior”"),
    ("colour", "“color”"),
    ("favour", "“favor”"),
    ("initialise", "“initialize”"),
    ("apologise", "“apologize”"),
    ("organise", "“organize”"),
    ("recognise", "“recognize”"),
];

/// Forms of “to be”. Before “no” and a noun, “not a” is idiomatic: “a port is not a password”.
const BE: &[&str] = &["is", "it's", "are", "was", "were", "be", "been"];
/// Words with which “no” forms an idiom: “is no longer”.
const AFTER_NO: &[&str] = &["longer", "more", "less", "later", "better", "worse", "other", "such"];

/// Files that people read.
const ENDINGS: &[&str] = &[
    ".css",
    ".html",
    ".j2",
    ".js",
    ".json",
    ".md",
    ".py",
    ".rs",
    ".sh",
    ".tf",
    ".toml",
    ".ts",
    ".tsx",
    ".yaml",
    ".yml",
    "Dockerfile",
];

/// Files whose texts are not ours to reword.
const DATA: &[(&str, &str)] = &[
    ("infra/blueprint/words/", "vocabularies of what users write"),
    ("shared/gate/tests/", "scripts by many authors"),
    ("shared/redaction/tests/", "messages by many authors"),
    (
        "tests/eval/transcripts/",
        "recordings: the catalogue's texts are read where they are written",
    ),
    ("tests/eval/ground/images/Dockerfile", "“nobody” is a user of Debian"),
    ("tests/eval/requests/cloud.toml", "“nobody” is a user of Debian"),
    ("tests/house/tests/language.rs", "the phrases themselves"),
];

/// Files with strings that users write. Only their comments and names are read.
const VOCABULARIES: &[&str] = &[
    "infra/blueprint/src/",
    "infra/blueprint/tests/",
    "shared/redaction/src/",
    "web/src/changes/examples",
];

/// The most bytes between the marks of a quotation; a mark without its partner is not one.
const LONGEST_QUOTATION: usize = 400;

/// A text without what is between “ and ”, except for line feeds.
fn without_quotations(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('“') {
        let (before, quoted) = rest.split_at(at);
        kept.push_str(before);
        let end = quoted.find('”').filter(|end| *end < LONGEST_QUOTATION).unwrap_or_default();
        kept.extend(quoted[..end].chars().filter(|c| *c == '\n'));
        rest = quoted[end..].trim_start_matches(['“', '”']);
    }
    kept + rest
}

/// The comment of a line of code without what it quotes, or else the name of the function that it declares.
fn comment_or_name(line: &str) -> String {
    if let Some((_, comment)) = line.split_once("//") {
        return comment.split('"').step_by(2).collect();
    }
    let declared = line.split_once("fn ").map(|(_, rest)| rest);
    declared.and_then(|rest| rest.split('(').next()).unwrap_or_default().to_owned()
}

/// What a person reads in a file.
fn readable(path: &str, text: &str) -> String {
    let text = without_quotations(text);
    match VOCABULARIES.iter().any(|start| path.starts_with(start)) {
        true => text.lines().map(comment_or_name).collect::<Vec<_>>().join("\n"),
        false => text,
    }
}

/// The words of a text in lower case, with their lines. A mark that ends a clause counts as a word; the parts of a name
/// are words, too.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let spaced = line.replace(['.', ',', ';', ':', '!', '?', '(', '|'], " . ");
        let parts = spaced.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '.'));
        let parts = parts.filter(|part| !part.is_empty());
        words.extend(parts.map(|part| (at + 1, part.to_lowercase())));
    }
    words
}

/// Whether the words begin with a form of “to be” and “no” before a noun. `before` has the words before them.
fn denies(before: &[(usize, String)], words: &[(usize, String)]) -> bool {
    let word = |at: usize| words.get(at).map_or(".", |(_, word)| word.as_str());
    // “There is no”, “there may be no”, “there has never been no”
    let there = before.iter().rev().take(3).any(|(_, word)| word == "there");
    BE.contains(&word(0))
        && word(1) == "no"
        && word(2) != "."
        && !AFTER_NO.contains(&word(2))
        && !there
}

/// The refused phrases in a text, each with its line and what to write instead.
fn refused(text: &str) -> Vec<(usize, String)> {
    let words = words(text);
    let mut found = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        let here = &words[at..];
        for (phrase, instead) in PHRASES {
            let mut parts = phrase.split(' ').enumerate();
            if parts.all(|(next, part)| here.get(next).is_some_and(|(_, word)| word == part)) {
                found.push((*line, format!("“{phrase}”: write {instead}")));
            }
        }
        if denies(&words[..at], here) {
            found.push((*line, format!("“{} no”: write “{0} not a”", here[0].1)));
        }
    }
    found
}

#[test]
fn texts_name_their_actors_in_plain_american_english() {
    let ours = |path: &String| {
        let data = DATA.iter().map(|(start, _)| start);
        ENDINGS.iter().any(|ending| path.ends_with(ending))
            && !data.into_iter().any(|start| path.starts_with(start))
            && !path.ends_with("package-lock.json")
    };
    let mut wrong = Vec::new();
    for path in tracked().into_iter().filter(ours) {
        let text = std::fs::read_to_string(repository().join(&path)).unwrap();
        let found = refused(&readable(&path, &text));
        wrong.extend(found.into_iter().map(|(line, why)| format!("{path}:{line}: {why}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_exempt_path_exists() {
    let tracked = tracked();
    let exempt = DATA.iter().map(|(start, _)| start).chain(VOCABULARIES);
    let gone: Vec<_> =
        exempt.filter(|start| !tracked.iter().any(|path| path.starts_with(*start))).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn phrases_are_found_in_comments_names_and_across_lines() {
    let lines = |text: &str| refused(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
    for text in [
        "/// Nobody may.",
        "fn a_greeting_is_no_secret() {}",
        "// The page is\n// told once.",
        "the sandbox restarts by itself",
        "What became of it.",
        "self.is_told()",
        "Its address was no name.",
    ] {
        assert_eq!(lines(text), [1], "{text}");
    }
    for text in [
        "There is no address, and there may be no other.",
        "It is no longer open.",
        "a script whose purpose it is, no other",
        "The answer is no.",
        "Whoever told it",
    ] {
        assert_eq!(lines(text), [] as [usize; 0], "{text}");
    }
}

#[test]
fn quotations_and_the_strings_of_vocabularies_are_not_read() {
    assert_eq!(without_quotations("a “b\nc” d “"), "a \n d ");
    let code = "let x = \"nobody\"; // not \"nobody\"\nfn nobody_else(x: u8) {}";
    let read = readable("infra/blueprint/src/words.rs", code);
    assert_eq!(refused(&read).into_iter().map(|(line, _)| line).collect::<Vec<_>>(), [2]);
    assert_eq!(refused(&readable("shared/x.rs", code)).len(), 3);
}
