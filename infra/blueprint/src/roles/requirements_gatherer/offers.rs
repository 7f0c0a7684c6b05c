//! What the model says while no deployment is chosen, and what it would build once one is.

use super::differences::{Said, not_your_server};
use super::questions::answers;
use crate::catalogue::additions;
use crate::catalogue::translations::translated;
use crate::catalogue::{self, Blueprint, town};
use crate::choice::Choice;
use crate::reading::dialogue::Dialogue;
use crate::reading::wishes::{self, Fate};
use crate::texts::{self, say};

/// Answers while nothing is chosen: the user's questions, what cannot be built, and a few deployments. All of them are
/// listed only if the user asks for the list, and never twice in a row.
pub fn offer(dialogue: &Dialogue, said: &Said, message: &str) -> String {
    let language = dialogue.language;
    let mut parts = answers(dialogue, message);
    if let Some(list) = everything(dialogue) {
        parts.push(list);
        parts.push(say(language, &texts::WHICH).into());
        return parts.join("\n\n");
    }
    let answered = !parts.is_empty();
    parts.extend(refusal(dialogue, said, answered));
    parts.push(few(dialogue));
    // How to connect a model is worth saying once.
    let refuses = dialogue.nearest.is_some() || wanted(dialogue, said).next().is_some();
    if refuses && (dialogue.is_first_difference() || dialogue.asked.is_empty()) {
        parts.push(say(language, &texts::CONNECT).into());
    }
    parts.join("\n\n")
}

/// The list of all deployments if the latest message asks for it, or where to find it if the answer before had it.
pub fn everything(dialogue: &Dialogue) -> Option<String> {
    let language = dialogue.language;
    if dialogue.latest.listed {
        return Some(say(language, &texts::LIST_ABOVE).into());
    }
    let list = || format!("{}\n\n{}", say(language, &texts::GATHER), catalogue::list(language));
    dialogue.latest.lists.then(list)
}

/// The wishes that are known not to be built, in the user's words.
fn wanted<'a>(dialogue: &'a Dialogue, said: &'a Said) -> impl Iterator<Item = String> + 'a {
    let known = dialogue.asked.iter().filter(|asked| asked.fate != Fate::NotUnderstood);
    let known = known.filter(|asked| dialogue.stopped.as_ref() != Some(&asked.what));
    let known = known.filter(|asked| asked.what != wishes::EXISTING_SERVER);
    known.map(|asked| said.words(&asked.what))
}

/// What cannot be built of the user's wishes, and what was not understood.
fn refusal(dialogue: &Dialogue, said: &Said, answered: bool) -> Vec<String> {
    let language = dialogue.language;
    let mut parts = Vec::new();
    if dialogue.latest.in_vain {
        parts.push(say(language, &texts::IN_VAIN).into());
    }
    // Who only asks something or wants to go on has read the refusal before.
    if (answered || dialogue.latest.in_vain) && dialogue.latest.asked.is_empty() {
        return parts;
    }
    parts.extend(not_your_server(dialogue));
    let wanted: Vec<String> = wanted(dialogue, said).collect();
    let unknown = dialogue.asked.iter().filter(|asked| asked.fate == Fate::NotUnderstood);
    let unknown = unknown.filter(|asked| !is_named_below(dialogue, &wanted, &asked.what));
    let unknown = said.quotations(language, unknown);
    if !wanted.is_empty() {
        parts.push(texts::fill(language, &texts::CANNOT, &wanted.join(", ")));
    }
    match (wanted.is_empty(), unknown.is_empty()) {
        (_, true) => {}
        (true, false) => parts.push(texts::fill(language, &texts::NO_MATCH, &unknown)),
        (false, false) => parts.push(texts::fill(language, &texts::ALSO_UNKNOWN, &unknown)),
    }
    if parts.is_empty() && dialogue.nearest.is_none() && !answered && !dialogue.latest.greeting {
        parts.push(say(language, &texts::NO_WISH).into());
    }
    parts
}

/// Whether the answer names each of these words anyway: in what cannot be built, or in the title of what can.
fn is_named_below(dialogue: &Dialogue, wanted: &[String], words: &str) -> bool {
    let titles = dialogue.suggestions().into_iter();
    let titles = titles.map(|blueprint| blueprint.title_in(dialogue.language).to_string());
    let named: Vec<String> =
        titles.chain(wanted.iter().cloned()).map(|text| text.to_lowercase()).collect();
    let is_named =
        |word: &str| named.iter().any(|text| text.split_whitespace().any(|other| other == word));
    words.to_lowercase().split_whitespace().all(is_named)
}

/// At most three deployments, each with what it is good for, and how to choose.
fn few(dialogue: &Dialogue) -> String {
    let language = dialogue.language;
    let suggested = dialogue.suggestions();
    let (start, end) = match dialogue.nearest {
        Some(_) => (&texts::NEAREST, &texts::TAKE_NEAREST),
        None => (&texts::FOR_EXAMPLE, &texts::TAKE_ONE),
    };
    let line = |(number, blueprint): (usize, &&Blueprint)| {
        let (title, benefit) = (blueprint.title_in(language), blueprint.benefit_in(language));
        format!("{number}. **{title}**: {benefit}")
    };
    let lines: Vec<String> = (1..).zip(&suggested).map(line).collect();
    format!("{}\n\n{}\n\n{}", say(language, start), lines.join("\n"), say(language, end))
}

/// One sentence about what would be built: “I would build: **A VPS with PostgreSQL** in Falkenstein.”
pub fn planned(dialogue: &Dialogue, choice: &Choice) -> String {
    let (language, blueprint) = (dialogue.language, choice.blueprint);
    let key = ["location", "region"].into_iter().find(|key| choice.has(key));
    let open = dialogue.open();
    let decided = key.filter(|key| !open.iter().any(|parameter| parameter.key == *key));
    let place = match decided {
        Some(key) => town(language, blueprint.place, choice.value(key)),
        None => translated(language, blueprint.place.words()),
    };
    let added: Vec<&str> =
        choice.additions().map(|addition: &additions::Addition| addition.label).collect();
    let mut what = format!("**{}** {place}", blueprint.title_in(language));
    if !added.is_empty() {
        what += &format!(", {}", translated(language, &format!("with {}", added.join(", "))));
    }
    texts::fill(language, &texts::PLANNED, &what)
}
