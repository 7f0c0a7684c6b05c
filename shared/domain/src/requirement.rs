//! What the user asks for, with the outcome of each request, the steps that build it, and the checks that prove it.
//!
//! A model states which requirement a step or a check serves. This module decides from the real results of the steps
//! and checks whether it is proved. A requirement that no step or check names counts as missing, never as proved.

mod coverage;
pub mod words;

pub use coverage::{Coverage, Named, Trace, Traced, Verdict, coverage, named, table};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most wishes of one project.
pub const MAX_WISHES: usize = 40;
/// The longest wish, and the longest text on its outcome, in characters: each is a cell of a table.
pub const MAX_WISH_CHARS: usize = 200;
/// The most bytes of their table in a document, without the user's words.
pub const TABLE_BYTES: usize = 14_000;
/// The most bytes that the user's words add to it, including the words that no line quotes.
pub const WORDS_BYTES: usize = 8_000;
/// The most parts of the user's messages that are shown because no line quotes them.
pub const MAX_UNREAD: usize = 8;
/// Heading of the list in the requirements document.
pub const HEADING: &str = "## What you asked for";

/// The outcome of what the user wants later, and why it is not built now.
pub const LATER: &str = "later, as asked";

/// Begins the paragraph below the list with the user's words that no line quotes.
pub const UNREAD: &str = "You also said this, which no line above covers:";

/// How the plan treats a wish. It says nothing about what exists already: the plan may not have run yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RequirementFate)]
pub enum Fate {
    /// The plan builds it as the user asked. What the steps and checks prove is the verdict of its [`Coverage`].
    Built,
    /// The plan builds something else instead.
    Differently,
    /// The plan does not build it.
    Not,
}

/// One thing that the user asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The request, in the user's words.
    pub wish: String,
    /// Its outcome.
    pub fate: Fate,
    /// The replacement, or the reason why it is not built.
    #[serde(default)]
    pub how: String,
    /// The user's own words that say so; empty if the user said nothing about it, as with a default.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// A request with the id by which steps and checks name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// `R1`, `R2` and so on. A request keeps its id while its words stay the same, and ids are never reused.
    pub id: String,
    /// The user's request.
    #[serde(flatten)]
    pub asked: Wish,
}

/// Everything that the user asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// In their listed order.
    pub requirements: Vec<Requirement>,
    /// How many ids were ever assigned.
    pub ids_given: u32,
    /// What the user said and no line comes from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

impl Wish {
    /// The outcome, in words. The user reads them before anything is built.
    pub fn outcome(&self) -> String {
        match (self.fate, self.how.is_empty()) {
            (Fate::Built, _) => "will be built".to_owned(),
            (Fate::Differently, _) => format!("instead: {}", self.how),
            (Fate::Not, true) => "not built".to_owned(),
            (Fate::Not, false) if self.how == LATER => LATER.to_owned(),
            (Fate::Not, false) => format!("not built: {}", self.how),
        }
    }

    /// Whether this is the same request, in any spelling.
    pub fn is_same(&self, wish: &str) -> bool {
        same(&self.wish, wish)
    }

    /// The user's words in quotation marks, or a dash.
    fn quoted(&self) -> String {
        if self.words.is_empty() { "–".to_owned() } else { quoted(&self.words) }
    }
}

impl Asked {
    /// The list with new requests: one that was listed before keeps its id, and its quotation unless it has a new one.
    pub fn renewed(&self, wishes: Vec<Wish>) -> Self {
        let mut ids_given = self.ids_given;
        let mut left = self.requirements.clone();
        let requirements = wishes.into_iter().map(|mut asked| {
            let known = left.iter().position(|before| before.asked.is_same(&asked.wish));
            let id = match known {
                Some(place) => {
                    let before = left.remove(place);
                    if asked.words.is_empty() {
                        asked.words = before.asked.words;
                    }
                    before.id
                }
                None => {
                    ids_given += 1;
                    format!("R{ids_given}")
                }
            };
            Requirement { id, asked }
        });
        let requirements = requirements.collect();
        Self { requirements, ids_given, unread: Vec::new() }
    }

    /// The same list, with the user's words that no line quotes.
    pub fn leaving_unread(self, mut unread: Vec<String>) -> Self {
        // One more than is shown says that there are more.
        unread.truncate(MAX_UNREAD + 1);
        Self { unread, ..self }
    }

    /// What this list has and a renewed one has not.
    pub fn gone(&self, renewed: &Self) -> Vec<Requirement> {
        let stays = |gone: &&Requirement| !renewed.requirements.iter().any(|new| new.id == gone.id);
        self.requirements.iter().filter(stays).cloned().collect()
    }

    /// The document with the list: in the section that the agent left for it, or at the end.
    pub fn listed_in(&self, document: &str) -> String {
        if self.requirements.is_empty() {
            return document.to_owned();
        }
        let quoted = self.requirements.iter().any(|one| !one.asked.words.is_empty());
        let row = |requirement: &Requirement| {
            let Requirement { id, asked } = requirement;
            let words = if quoted { format!(" {} |", asked.quoted()) } else { String::new() };
            format!("| {id} | {} |{words} {} |\n", cell(&asked.wish), cell(&asked.outcome()))
        };
        let rows: String = self.requirements.iter().map(row).collect();
        let head = match quoted {
            true => "| id | asked | your words | outcome |\n|---|---|---|---|",
            false => "| id | asked | outcome |\n|---|---|---|",
        };
        section_in(document, HEADING, &format!("{head}\n{rows}{}", self.not_read()))
    }

    /// The paragraph about what the user said and no line comes from.
    fn not_read(&self) -> String {
        let shown = self.unread.iter().take(MAX_UNREAD).map(|part| quoted(part));
        let more = (self.unread.len() > MAX_UNREAD).then(|| "and more".to_owned());
        let all: Vec<String> = shown.chain(more).collect();
        match all.is_empty() {
            true => String::new(),
            false => format!("\n{UNREAD} {}.\n", all.join(", ")),
        }
    }
}

/// The document with a section: in place of the one under the same heading, or at the end.
pub fn section_in(document: &str, heading: &str, section: &str) -> String {
    let (before, after) = around(document, heading);
    let section = format!("{heading}\n\n{}", section.trim());
    let parts = [before.trim(), section.as_str(), after.trim()];
    let filled: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}\n", filled.join("\n\n"))
}

/// The user's words in quotation marks.
fn quoted(words: &str) -> String {
    format!("“{}”", cell(words))
}

fn same(one: &str, other: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    words(one) == words(other)
}

/// The text before a section, and the text after it.
fn around<'a>(document: &'a str, heading: &str) -> (&'a str, &'a str) {
    let Some(start) = lines(document).find(|(_, line)| line.trim_end() == heading) else {
        return (document, "");
    };
    let rest = &document[start.0 + start.1.len()..];
    let ends = |line: &str| line.starts_with('#') || line.trim_end() == "---";
    let end = lines(rest).find(|(_, line)| ends(line)).map_or(rest.len(), |(at, _)| at);
    (&document[..start.0], &rest[end..])
}

/// Each line with its offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let here = *at;
        *at += line.len();
        Some((here, line))
    })
}

/// The text on one line, without characters that end a cell.
pub fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(wish: &str, fate: Fate, how: &str) -> Wish {
        Wish { wish: wish.into(), fate, how: how.into(), words: String::new() }
    }

    fn said(wish: &str, words: &str) -> Wish {
        Wish { wish: wish.into(), fate: Fate::Built, how: String::new(), words: words.into() }
    }

    fn ids(asked: &Asked) -> Vec<&str> {
        asked.requirements.iter().map(|requirement| requirement.id.as_str()).collect()
    }

    #[test]
    fn an_id_stays_with_its_request_and_is_never_reused() {
        let built = |text| wish(text, Fate::Built, "");
        let first = Asked::default().renewed(vec![built("a VPS"), built("MySQL"), built("TLS")]);
        assert_eq!(ids(&first), ["R1", "R2", "R3"]);
        let second = first.renewed(vec![built("tls"), built("Redis"), built("a  VPS")]);
        assert_eq!(ids(&second), ["R3", "R4", "R1"]);
        let third = second.renewed(vec![built("MySQL"), built("MySQL")]);
        assert_eq!(ids(&third), ["R5", "R6"], "R2 meant something that was dropped");
    }

    #[test]
    fn the_list_goes_to_the_section_left_for_it() {
        let asked = Asked::default().renewed(vec![
            wish("a VPS", Fate::Built, ""),
            wish("MySQL | 5.7", Fate::Differently, "MySQL\n8.4"),
            wish("Redis", Fate::Not, ""),
        ]);
        let rows = "| R1 | a VPS | will be built |\n| R2 | MySQL / 5.7 | instead: MySQL 8.4 |\n| R3 | Redis | not built |\n";
        let list = format!("{HEADING}\n\n| id | asked | outcome |\n|---|---|---|\n{rows}");
        assert_eq!(asked.listed_in("# Goal\nA server."), format!("# Goal\nA server.\n\n{list}"));
        let left =
            format!("# Goal\n\n{HEADING}\n\n| R9 | all | will be built |\n\n## Open\n\n- x\n");
        let written = asked.listed_in(&left);
        assert_eq!(written, format!("# Goal\n\n{list}\n## Open\n\n- x\n"));
        assert_eq!(asked.listed_in(&written), written, "listing twice changes nothing");
        let line = format!("# Goal\n\n{HEADING}\n\n---\n\nBlueprint: x\n");
        assert_eq!(asked.listed_in(&line), format!("# Goal\n\n{list}\n---\n\nBlueprint: x\n"));
        assert_eq!(Asked::default().listed_in("# Goal"), "# Goal");
    }

    #[test]
    fn what_is_for_later_is_not_called_refused() {
        assert_eq!(wish("nginx", Fate::Not, LATER).outcome(), "later, as asked");
        assert_eq!(wish("nginx", Fate::Not, "as you asked").outcome(), "not built: as you asked");
    }

    #[test]
    fn a_line_quotes_the_words_that_it_comes_from() {
        let wishes = vec![said("Location: nbg1", "in | Nuremberg"), said("Server name: shop", "")];
        let asked = Asked::default().renewed(wishes);
        let unread = (0..MAX_UNREAD + 2).map(|n| format!("mirror {n}")).collect();
        let asked = asked.leaving_unread(unread);
        let listed = asked.listed_in("# Goal");
        for text in [
            "| id | asked | your words | outcome |\n|---|---|---|---|\n",
            "| R1 | Location: nbg1 | “in / Nuremberg” | will be built |\n",
            "| R2 | Server name: shop | – | will be built |\n\n",
            &format!("{UNREAD} “mirror 0”, “mirror 1”, "),
            ", “mirror 7”, and more.\n",
        ] {
            assert!(listed.contains(text), "{text} is not in {listed}");
        }
        assert_eq!(asked.listed_in(&listed), listed, "listing twice changes nothing");
    }

    #[test]
    fn a_request_keeps_its_quotation_until_it_has_another() {
        let first = Asked::default().renewed(vec![said("TLS", "https"), said("a VPS", "a server")]);
        let second = first.renewed(vec![said("tls", ""), said("a VPS", "a small VPS")]);
        let words: Vec<_> =
            second.requirements.iter().map(|one| one.asked.words.as_str()).collect();
        assert_eq!(words, ["https", "a small VPS"]);
    }
}
