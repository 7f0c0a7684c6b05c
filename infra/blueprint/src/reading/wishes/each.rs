//! A database for each of several people or things: “each their own database”, “je eine eigene Datenbank”. A deployment has
//! one.

use super::context::Context;
use super::open::Open;
use super::{Asked, Fate};
use crate::words::{Words, lists};

const EACH: &str = "each every per je jede jeder jedes jedem cada chacun chacune chaque";
const DATABASES: &str = "database databases db dbs datenbank datenbanken base bases schema";
/// Words by which one of them is for one of the others.
const OWN: &str =
    "own their its separate eigene eigenen eigener propia su sa propre different a an eine una une";
/// What is not a thing that has a database: “a backup of the database every night”.
const TIMES: &str = "night day hour week month minute nightly daily nacht tag stunde woche noche día hora semana nuit jour heure semaine";
/// The most words between both.
const REACH: usize = 6;

/// The row for several databases.
pub(super) fn databases(words: &Words, context: &Context, open: &mut Open) -> Option<Asked> {
    let forms: Vec<[String; 2]> = words
        .values()
        .enumerate()
        .map(|(at, value)| [value.to_string(), words.said(at).0.to_lowercase()])
        .collect();
    let is = |at: usize, list: &str| forms[at].iter().any(|word| lists(list, word));
    let said = (0..forms.len()).filter(|at| is(*at, EACH)).find_map(|at| {
        let end = words.clause(at).end.min(at + 1 + REACH);
        let database = (at + 1..end).find(|at| is(*at, DATABASES))?;
        let between = at + 1..database;
        let own = between.clone().any(|at| is(at, OWN));
        let timed =
            is(at + 1, TIMES) || between.into_iter().any(|at| is(at, "of de del du von der"));
        (own && !timed).then_some(at..database + 1)
    })?;
    open.take_range(&said);
    let fate = match context.blueprint {
        Some(_) if context.asks("database") => Fate::Differently("one database for all".into()),
        _ => Fate::Not,
    };
    Some(Asked { what: words.said_in(said), fate })
}
