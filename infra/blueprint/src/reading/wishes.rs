//! What a message asks for, word by word: planned, planned differently, not planned, or not understood.
//!
//! Every word is explained or reported. A word is explained if it is a cue or a value of the chosen deployment, or part
//! of something known that cannot be built; any other word is reported to the user as not understood. Words without a
//! meaning, such as articles and auxiliary verbs, are skipped. A word such as “basic” has no meaning alone, but it
//! stays with a wish beside it, as in “basic auth”, and a negation stays with what it rules out. `words/stop.txt` lists
//! both kinds. The words that are left are reported clause by clause; see [`clauses`].

mod account;
mod amounts;
mod background;
mod bare_address;
mod clauses;
mod closed;
mod contacts;
mod context;
mod countries;
mod denied;
mod each;
mod features;
mod keys;
mod measures;
mod names;
mod open;
mod open_anyway;
mod others;
mod own_machine;
mod owned;
mod parts;
mod placed;
mod provider_account;
mod purposes;
mod ruled_out;
mod second;
mod through;
mod times;
mod versioned;
mod volumes;

pub use account::{Account, BUDGET, account, is_an_amount_of_money};
pub use background::background;
pub use context::{Context, DAYS, looks_secret};
pub use measures::contents;
pub use own_machine::{names_a_new_place, place as own_machine};
pub use owned::{
    EXISTING_SERVER, NEW as NEW_SERVER, NEW_DOMAIN, SSH_PORT, is_an_own_machine, is_elsewhere,
};
pub use volumes::{OWN_DISK, own_disk};

use crate::words::Words;
use open::Open;

/// One thing that the user asked for, and how the plan treats it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub what: String,
    pub fate: Fate,
}

/// How the plan treats a wish that it does not fulfill as stated.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// The plan builds it in another way, which this describes.
    Differently(String),
    /// The plan does not build it.
    Not,
    /// The user wants it later, so the plan does not build it now.
    Later,
    /// The model does not know what it means.
    NotUnderstood,
}

impl Fate {
    /// The text for the document.
    pub fn in_document(&self) -> String {
        match self {
            Fate::Differently(how) => format!("instead: {how}"),
            Fate::Not => "not built".into(),
            Fate::Later => LATER.into(),
            Fate::NotUnderstood => "not understood, so not planned".into(),
        }
    }

    /// Reads the text from a document; `None` if the wish is built.
    fn of_document(text: &str) -> Option<Fate> {
        match (text.strip_prefix("instead: "), text) {
            (_, BUILT | FORMERLY_BUILT) => None,
            (Some(how), _) => Some(Fate::Differently(how.into())),
            (None, "not built") => Some(Fate::Not),
            (None, LATER) => Some(Fate::Later),
            (None, _) => Some(Fate::NotUnderstood),
        }
    }
}

/// The outcome of a wish that the user postponed, in the list of wishes.
pub const LATER: &str = "later, as asked";

/// Why something that the user rules out is not built.
pub const RULED_OUT: &str = "as you asked";

/// The outcome of a wish that the plan builds, in the list of wishes, which the user reads before anything is built.
pub const BUILT: &str = "will be built";

/// The same in documents that the product wrote before the list said when.
const FORMERLY_BUILT: &str = "built";

/// A row in a document's list of what the user asked for.
pub struct Row<'a> {
    /// The id that the product gave it; empty if the product did not write the list.
    pub id: &'a str,
    pub what: &'a str,
    /// The user's words from which it was read; empty if there are none.
    pub words: &'a str,
    /// How the plan treats it.
    pub outcome: &'a str,
}

impl Row<'_> {
    /// How the plan treats the wish; `None` if the plan builds it as stated.
    pub fn fate(&self) -> Option<Fate> {
        Fate::of_document(self.outcome)
    }

    /// What the user rules out, if the row is about that.
    pub fn ruled_out(&self) -> Option<&str> {
        let about = self.outcome.strip_prefix("not built: ") == Some(RULED_OUT);
        about.then_some(self.what)
    }
}

/// The rows under a heading.
pub fn rows<'a>(document: &'a str, heading: &str) -> Vec<Row<'a>> {
    let Some((_, list)) = document.split_once(heading) else { return Vec::new() };
    let list = list.split("\n#").next().unwrap_or_default();
    let lines = list.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = lines.map(|line| line.split(" | ").collect::<Vec<&'a str>>());
    let rows = cells.filter_map(|cells| match cells.as_slice() {
        [id, what, words, outcome] => Some(Row { id, what, words: unquoted(words), outcome }),
        [id, what, outcome] => Some(Row { id, what, words: "", outcome }),
        [what, outcome] => Some(Row { id: "", what, words: "", outcome }),
        _ => None,
    });
    rows.filter(|row| row.what != "asked").collect()
}

/// The words of a cell in quotation marks; a cell without them quotes nothing.
fn unquoted(cell: &str) -> &str {
    cell.strip_prefix('“').and_then(|words| words.strip_suffix('”')).unwrap_or_default()
}

/// How the plan treats wishes that contradict each other.
pub const CONTRADICTION: &str =
    "only one of them, because they contradict each other; please say which one holds";

/// What the list says after a value that a later message may have changed.
pub const DOUBT: &str = " so far; please say which one holds";

/// The requirement that only the planned ports are open.
const CLOSED_PORTS: &str = "Nothing open but what is planned";

/// The clauses of a message that changed nothing, if they say more than what is planned anyway.
pub fn unexplained(words: &Words, context: &Context) -> Vec<Asked> {
    let mut open = Open::of(words, context);
    let cues = context.blueprint.into_iter().flat_map(|blueprint| blueprint.cues());
    cues.for_each(|cue| open.take(cue));
    open.take_values(context, words);
    let rows = clauses::light(&open, words).into_iter();
    rows.map(|what| Asked { what, fate: Fate::NotUnderstood }).collect()
}
