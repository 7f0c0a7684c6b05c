//! What the answer says about wishes that are not built as stated, in the user's own words.

use std::collections::{BTreeMap, BTreeSet};

use super::{TOOL, plain};
use crate::catalogue::translations::translated;
use crate::conversation::Conversation;
use crate::reading::dialogue::Dialogue;
use crate::reading::wishes::{self, Asked, Fate};
use crate::texts::{self, say};
use crate::words::language::Language;

/// The most words of a quotation beyond those of its wish.
const OTHER_WORDS: usize = 4;
/// The same if the quotation does not have the wish word by word, as in another language.
const OTHER_WORDS_ABROAD: usize = 8;

/// The user's words for each wish, as the call of this turn quotes them.
#[derive(Default)]
pub struct Said(BTreeMap<String, String>);

impl Said {
    pub fn of(conversation: &Conversation) -> Said {
        let call = conversation.last_call(TOOL).map(|(arguments, _)| arguments);
        let lines = call.as_ref().and_then(|call| call.get("asked")?.as_array());
        let line = |line: &serde_json::Value| {
            let text = |name: &str| line.get(name)?.as_str().filter(|text| !text.is_empty());
            Some((text("wish")?.to_owned(), text("words")?.to_owned()))
        };
        Said(lines.into_iter().flatten().filter_map(line).collect())
    }

    /// The user's words for a wish. Without a quotation, and if that has many other words, the wish as the list names it.
    pub fn words(&self, wish: &str) -> String {
        let wish = plain(wish);
        let count = |text: &str| text.split(' ').count();
        let close = |words: &&String| {
            let same = words.to_lowercase().contains(&wish.to_lowercase());
            let others = if same { OTHER_WORDS } else { OTHER_WORDS_ABROAD };
            count(words) <= count(&wish) + others
        };
        // “Also open 9002” does not say all of “also port 9001, 9002”.
        let numbers = |text: &str| {
            let parts = text.split(|c: char| !c.is_ascii_digit());
            parts.filter(|part| !part.is_empty()).map(str::to_owned).collect::<BTreeSet<_>>()
        };
        let whole = |words: &&String| {
            let wanted = numbers(&wish);
            wanted.len() < 2 || wanted.is_subset(&numbers(words))
        };
        self.0.get(&wish).filter(close).filter(whole).map_or(wish.clone(), |words| plain(words))
    }

    /// The user's words for several wishes, each in quotation marks.
    pub fn quotations<'a>(
        &self,
        language: Language,
        asked: impl Iterator<Item = &'a Asked>,
    ) -> String {
        let quote = |asked: &Asked| texts::fill(language, &texts::QUOTED, &self.words(&asked.what));
        asked.map(quote).collect::<Vec<_>>().join(", ")
    }
}

/// The sentence that a machine which the user has is not used; nothing if the user speaks of none.
pub fn not_your_server(dialogue: &Dialogue) -> Option<String> {
    let language = dialogue.language;
    let all = dialogue.unagreed || dialogue.ready() || dialogue.blueprint.is_none();
    let asked = if all { &dialogue.asked } else { &dialogue.latest.asked };
    asked.iter().find(|asked| wishes::is_an_own_machine(&asked.what))?;
    let Some(blueprint) = dialogue.blueprint else {
        return Some(say(language, &texts::ONLY_NEW_SERVERS).into());
    };
    let text = match blueprint.has_server() {
        true => &texts::A_NEW_SERVER,
        false => &texts::NOT_YOUR_SERVER,
    };
    Some(texts::fill(language, text, &translated(language, blueprint.place.words())))
}

/// What is not built as stated: a list of wishes, and a sentence with all words that were not understood. It is complete
/// while the user has to agree to it and when the requirements are ready; otherwise it has only what is new.
pub fn differences(dialogue: &Dialogue, said: &Said) -> Option<String> {
    let language = dialogue.language;
    let all = dialogue.unagreed || dialogue.ready();
    let asked = if all { &dialogue.asked } else { &dialogue.latest.asked };
    if asked.is_empty() {
        return None;
    }
    let (unknown, known): (Vec<&Asked>, Vec<&Asked>) =
        asked.iter().partition(|asked| asked.fate == Fate::NotUnderstood);
    let mut parts = Vec::new();
    if !known.is_empty() {
        let line = |asked: &&Asked| {
            let words = translated(language, &said.words(&asked.what));
            format!("- **{words}**: {}", fate(language, asked))
        };
        let lines: Vec<String> = known.iter().map(line).collect();
        parts.push(format!("{}\n\n{}", say(language, &texts::NOT_AS_ASKED), lines.join("\n")));
    }
    if !unknown.is_empty() {
        let quotations = said.quotations(language, unknown.into_iter());
        parts.push(texts::fill(language, &texts::NOT_UNDERSTOOD, &quotations));
    }
    if dialogue.unagreed {
        let [accept, connect] = [&texts::ACCEPT, &texts::CONNECT].map(|text| say(language, text));
        // How to connect a model is worth saying once.
        let first = dialogue.is_first_difference();
        parts.push(if first { format!("{accept} {connect}") } else { accept.to_string() });
    }
    Some(parts.join("\n\n"))
}

/// How the plan treats a wish, in the user's language.
fn fate(language: Language, asked: &Asked) -> String {
    match &asked.fate {
        Fate::Differently(how) if how == wishes::CONTRADICTION => {
            say(language, &texts::CONTRADICTION).to_string()
        }
        Fate::Differently(how) => match how.strip_suffix(wishes::DOUBT) {
            Some(value) => texts::fill(language, &texts::DOUBT, &translated(language, value)),
            None => texts::fill(language, &texts::INSTEAD, &translated(language, how)),
        },
        Fate::Not | Fate::NotUnderstood => say(language, &texts::WILL_NOT).to_string(),
        Fate::Later => say(language, &texts::NOT_NOW).to_string(),
    }
}
