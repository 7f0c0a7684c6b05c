//! Questions of the deployments with a database, and commands that maintain it.

use super::covers;
use super::operations::{Command, Target};
use super::parameters::names::{self, Noun};
use super::parameters::{Found, Parameter, accept_name, find_span};
use super::vps::{self, Secret};
use crate::catalogue::foreign::Foreign;
use crate::words::language::{Language, Weight};
use crate::words::{Words, numbers};

pub const DATABASE: Parameter = Parameter {
    key: "database",
    label: "Database",
    question: "what should the database and its login be called?",
    default: "app",
    asked: true,
    accept: accept_database,
    find: find_database,
};

/// The server's name, where “call it …” may also mean the database.
pub const SERVER_NAME: Parameter = Parameter { find: find_server_name, ..vps::NAME };

pub const DUMP_DAYS: Parameter = Parameter {
    key: "dump-days",
    label: "Dumps kept",
    question: "for how many days should the nightly dumps be kept?",
    default: "14",
    asked: false,
    accept: accept_days,
    find: find_days,
};

pub const PASSWORD: Secret = ("APP_DB_PASSWORD", "the password of the application's login");

/// Maximum length of a database's name, in characters: MySQL's user names have at most 32.
const NAME_CHARS: usize = 30;

/// Names that the database systems reserve.
const RESERVED: &[&str] = &[
    "postgres",
    "template0",
    "template1",
    "mysql",
    "sys",
    "root",
    "information_schema",
    "restore_check",
];

fn accept_database(text: &str) -> Option<String> {
    let name = text.trim().to_lowercase().replace('-', "_");
    let good = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let starts_well = name.starts_with(|first: char| first.is_ascii_lowercase());
    (starts_well
        && name.len() <= NAME_CHARS
        && name.bytes().all(good)
        && !RESERVED.contains(&name.as_str()))
    .then_some(name)
}

/// “a database called orders”, “the db name is orders”, “with database orders”.
fn find_database(words: &Words) -> Found {
    // “a database "ledger", and somebody called reader”
    let quoted = ["database", "db", "schema"].into_iter().find_map(|noun| words.quoted_after(noun));
    let quoted = quoted.filter(|name| !is_of_another(words, name));
    if let Some(name) = quoted.and_then(accept_database) {
        return Found::Value(name);
    }
    let own = |named: &names::Named| match named.noun {
        Noun::Database => true,
        Noun::Unsaid | Noun::Unclear => is_of_the_database(words, &named.name),
        _ => false,
    };
    let mut named = names::of(words).into_iter().filter(own);
    let named = named.find_map(|named| accept_database(&named.name));
    Found::maybe(named.or_else(|| beside(words)).or_else(|| before(words)))
}

/// A name right before “database”: “create the shop_prod database”. No ordinary word has an underscore.
fn before(words: &Words) -> Option<String> {
    let values: Vec<&str> = words.values().collect();
    let noun = |at: &usize| ["database", "db"].contains(&values[*at]);
    let named = |at: usize| values[at - 1].contains('_') && words.means_value(at - 1);
    let at = (1..values.len()).filter(noun).find(|at| named(*at) && !words.ends_clause(at - 1))?;
    accept_database(values[at - 1])
}

/// Whether a quoted name is right behind another noun: “a database named birds, owner "vet"”.
fn is_of_another(words: &Words, quoted: &str) -> bool {
    let values: Vec<&str> = words.values().collect();
    let first = quoted.split_whitespace().next().unwrap_or_default().to_lowercase();
    let place = (1..values.len()).find(|at| words.is_quoted(*at) && values[*at] == first);
    let mut before = place.into_iter().flat_map(|at| (words.clause(at).start..at).rev());
    let noun = before.find(|at| names::is_a_noun(values[*at]));
    noun.is_some_and(|at| names::is_of_a_person(values[at]))
}

/// Whether a name without a noun is the database's by another mention: “our ledger database is old. Name: ledger”.
fn is_of_the_database(words: &Words, name: &str) -> bool {
    ["database", "datenbank"]
        .iter()
        .any(|noun| words.has(&format!("{} {noun}", name.to_lowercase())))
}

/// A name right after “database”, where it can be nothing else: “database orders, 30 days”.
fn beside(words: &Words) -> Option<String> {
    // “a managed database” in languages that put the adjective behind the noun, and “a database managed by you”
    const PARTICIPLES: &[&str] =
        &["ed", "ado", "ada", "ados", "adas", "ido", "ida", "é", "ée", "és", "ées"];
    // “una base de datos inicial”, “une base de données locale”
    const ADJECTIVES: &[&str] = &["al", "ale", "ales", "ar", "aire", "uel", "uelle"];
    let values: Vec<&str> = words.values().collect();
    let empty = |at: usize| names::is_blank(values[at]);
    let first = |at: usize| {
        let clause = words.clause(at).start..at;
        let with = clause.clone().rev().find(|at| ["with", "and"].contains(&values[*at]));
        let system = |at: usize| ["postgres", "postgresql", "mysql"].contains(&values[at]);
        // “PostgreSQL database shop_2”: no ordinary word has an underscore.
        let next = values.get(at + 1).filter(|_| !words.ends_clause(at));
        let written = next.is_some_and(|next| next.contains('_'));
        (with.unwrap_or(clause.start)..at).all(|at| empty(at) || (written && system(at)))
    };
    let at =
        (0..values.len()).find(|at| ["database", "db"].contains(&values[*at]) && first(*at))?;
    // “Database: orders”
    let label = format!("{}:", values[at]);
    let labeled = words.text().to_lowercase().contains(&label) && words.ends_clause(at + 1);
    let beside = !words.ends_clause(at) || labeled;
    let next = Some(at + 1).filter(|next| *next < values.len() && beside)?;
    let ends = words.ends_clause(next) || empty(next + 1) || names::is_a_noun(values[next + 1]);
    let name = Words::of(values[next]);
    let known = || {
        let foreign = Foreign::all().flat_map(|foreign| foreign.cues.iter().copied());
        // “A database Oracle”
        let pair = Words::of(&format!("{} {}", values[at], values[next]));
        let product = |cue: &str| cue.contains(' ') && pair.has(cue);
        let features = covers::features().flat_map(|feature| feature.cues());
        let own = super::ALL.iter().flat_map(|blueprint| blueprint.cues());
        let mut foreign = foreign;
        foreign.any(|cue| name.has(cue) || product(cue))
            || own.chain(features).any(|cue| name.has(cue))
    };
    let full = Language::English.weight(values[next]) == Weight::Full;
    let romance = [Language::Spanish, Language::French].contains(&words.language(at));
    let endings = PARTICIPLES.iter().chain(ADJECTIVES.iter().filter(|_| romance));
    let adjective = endings.into_iter().any(|ending| values[next].ends_with(ending));
    let free = ends && full && !adjective && names::can_be_a_name(values[next]) && !known();
    accept_database(values[next]).filter(|_| free)
}

fn find_server_name(words: &Words) -> Found {
    let named = names::of(words).into_iter();
    let unsaid = |named: &names::Named| {
        named.noun == Noun::Unsaid && !is_of_the_database(words, &named.name)
    };
    let mut own = named.filter(|named| named.noun == Noun::Server || unsaid(named));
    let named = own.find_map(|named| accept_name(&named.name));
    Found::maybe(named.or_else(|| names::quoted(words).and_then(accept_name)))
}

/// How long a dump is kept, in days: between a day and a year.
const DAYS: std::ops::RangeInclusive<u32> = 1..=366;

fn accept_days(text: &str) -> Option<String> {
    let days: u32 = text.trim().parse().ok()?;
    DAYS.contains(&days).then(|| days.to_string())
}

/// Words for what is kept.
const KEPT: &[&str] =
    &["dump", "backup", "retention", "copy", "copies", "history", "archive", "kept"];

fn find_days(words: &Words) -> Found {
    match find_span(words, KEPT, &DAYS) {
        Found::Nothing => Found::maybe(copies_kept(words).and_then(|days| accept_days(&days))),
        found => found,
    }
}

/// How many of the nightly copies a message keeps, which is the number of days: “every night, and keep 14 of them”.
fn copies_kept(words: &Words) -> Option<String> {
    const KEEPING: &str = "keep keeps keeping kept store retain behalte behalten aufheben \
        aufbewahren guarda guardar guarde guarden conserva conservar garde garder gardez \
        conserver conservez";
    const COPIES: &str = "backup backups dump dumps copies";
    // Of weekly copies, 14 last longer.
    const OTHERWISE: &str = "week weeks weekly month monthly hour hourly hours monday mondays \
        tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday \
        saturdays sunday sundays";
    const AFTER: &str = "of de von davon stück copies copias backups dumps";
    let values: Vec<&str> = words.values().collect();
    words.sentences().into_iter().find_map(|sentence| {
        let has = |list: &str| words.any_in(sentence.clone(), list);
        if !has(COPIES) || has(OTHERWISE) {
            return None;
        }
        let bare = |at: usize| {
            let next = at + 1;
            words.ends_clause(at)
                || values[next] == "and"
                || words.is_in(next, AFTER)
                || words.is_in(next, KEEPING)
        };
        let kept = |at: &usize| {
            let verb = *at > sentence.start && words.is_in(*at - 1, KEEPING);
            let clause = words.clause(*at);
            verb || words.is_in(clause.end - 1, KEEPING)
        };
        let number = |at: usize| numbers::read(values[at]).filter(|_| words.means_value(at));
        let at = sentence.clone().find(|at| number(*at).is_some() && bare(*at) && kept(at))?;
        number(at).map(|days| days.to_string())
    })
}

/// Commands for dumps. Both databases use the same unit names.
pub const COMMANDS: &[Command] = &[
    Command {
        cues: &["backup", "backups", "dump", "dumps", "last backup", "retention"],
        target: Target::Server,
        command: "systemctl list-timers dump-database.timer --no-pager; sudo journalctl --no-pager --unit dump-database.service --lines 8 --output cat; sudo find /var/backups -name '@database@-*' -printf '%TY-%Tm-%Td %TH:%TM %s bytes %f\\n' | sort | tail -n 10",
        reason: "Shows when the database was dumped last, when it will be next, and which dumps there are.",
        changes: false,
        readings: &[
            ("dumped @database@", "The dumps are being made; the newest are at the end:"),
            ("", "There is no record of a dump yet:"),
        ],
    },
    Command {
        cues: &[
            "dump now",
            "make a backup",
            "back up",
            "backup now",
            "take a backup",
            "dump the database",
        ],
        target: Target::Server,
        command: "sudo systemctl start dump-database.service && sudo journalctl --no-pager --unit dump-database.service --lines 3 --output cat",
        reason: "Dumps the database now.",
        changes: true,
        readings: &[("dumped", "The database was dumped.")],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_days_are_read_within_their_limits() {
        let find = |text: &str| find_database(&Words::of(text));
        assert_eq!(find("with a database called Order-Items"), Found::Value("order_items".into()));
        assert_eq!(find("the database server shall be fast"), Found::Nothing);
        assert_eq!(find("database orders, 30 days"), Found::Value("orders".into()));
        assert_eq!(find("database gestionada, mysql"), Found::Nothing);
        assert_eq!(find("a database managed by you"), Found::Nothing);
        assert_eq!(find("create the shop_prod database"), Found::Value("shop_prod".into()));
        let server = |text: &str| find_server_name(&Words::of(text));
        assert_eq!(server("named web, with a database called orders"), Found::Value("web".into()));
        assert_eq!(server("a database called orders"), Found::Nothing);
        assert_eq!(accept_database("postgres"), None);
        assert_eq!(accept_database("a\"; DROP"), None);
        assert_eq!(find_days(&Words::of("keep dumps for 30 days")), Found::Value("30".into()));
        assert_eq!(find_days(&Words::of("keep them 2 weeks")), Found::Value("14".into()));
        assert_eq!(accept_days("9999"), None);
    }

    #[test]
    fn a_number_of_nightly_copies_is_one_of_days() {
        for (text, days) in [
            ("backups every night at 3 and keep 14 of them", Some("14")),
            ("nightly backups, keep 14", Some("14")),
            ("backups cada noche, guardar ocho", None),
            ("backups every sunday, keep 14 of them", None),
            ("backups at night, keep 14 users", None),
            ("keep 14", None),
        ] {
            assert_eq!(copies_kept(&Words::of(text)).as_deref(), days, "{text}");
        }
    }

    #[test]
    fn a_product_after_the_noun_is_not_a_name() {
        assert_eq!(find_database(&Words::of("a database Oracle")), Found::Nothing);
    }
}
