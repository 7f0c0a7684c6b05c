//! What deployments with a database ask for, and how to maintain them.

use super::operations::{Command, Target};
use super::parameters::{Found, Parameter, find_name};
use super::vps::{self, Secret};
use crate::reading::language::Language;
use crate::reading::words::Words;

pub const DATABASE: Parameter = Parameter {
    key: "database",
    label: "Database",
    question: "what should the database and its login be called?",
    default: "app",
    asked: true,
    accept: accept_database,
    find: find_database,
};

/// The server's name: “a database called orders” does not name the server.
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

/// Longest name of a database, in characters; MySQL's user names have at most 32.
const NAME_CHARS: usize = 30;

/// Names that the database systems use themselves.
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

/// “a database called orders”, “database orders”.
fn find_database(words: &Words) -> Found {
    const FILLERS: &[&str] = &["called", "named", "name", "is", "be", "should", "it", "the"];
    const NOT_NAMES: &[&str] =
        &["server", "and", "with", "for", "on", "in", "of", "to", "at", "use", "please", "as"];
    let values: Vec<&str> = words.values().collect();
    let Some(position) = values.iter().position(|value| *value == "database") else {
        return Found::Nothing;
    };
    let rest = &values[position + 1..];
    let follower = rest.iter().find(|value| !FILLERS.contains(value));
    let is_name = |name: &&&str| !NOT_NAMES.contains(*name) && !Language::English.is_filler(name);
    Found::maybe(follower.filter(is_name).and_then(|name| accept_database(name)))
}

fn find_server_name(words: &Words) -> Found {
    let text = words.text().to_lowercase();
    let without = text.replace("database called", "database").replace("database named", "database");
    find_name(&Words::of(&without))
}

/// How long a dump is kept, in days: between a day and a year.
const DAYS: std::ops::RangeInclusive<u32> = 1..=366;

fn accept_days(text: &str) -> Option<String> {
    let days: u32 = text.trim().parse().ok()?;
    DAYS.contains(&days).then(|| days.to_string())
}

fn find_days(words: &Words) -> Found {
    let values: Vec<&str> = words.values().collect();
    let pair = values.windows(2).find(|pair| ["day", "days"].contains(&pair[1]));
    let weeks = values.windows(2).find(|pair| ["week", "weeks"].contains(&pair[1]));
    let weeks = weeks.and_then(|pair| Some((pair[0].parse::<u32>().ok()? * 7).to_string()));
    Found::maybe(pair.map(|pair| pair[0].to_string()).or(weeks).and_then(|days| accept_days(&days)))
}

/// Commands for dumps. The units have the same names for both databases.
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
    fn names_and_days_are_read_and_bounded() {
        let find = |text: &str| find_database(&Words::of(text));
        assert_eq!(find("with a database called Order-Items"), Found::Value("order_items".into()));
        assert_eq!(find("the database server shall be fast"), Found::Nothing);
        let server = |text: &str| find_server_name(&Words::of(text));
        assert_eq!(server("named web, with a database called orders"), Found::Value("web".into()));
        assert_eq!(server("a database called orders"), Found::Nothing);
        assert_eq!(accept_database("postgres"), None);
        assert_eq!(accept_database("a\"; DROP"), None);
        assert_eq!(find_days(&Words::of("keep dumps for 30 days")), Found::Value("30".into()));
        assert_eq!(find_days(&Words::of("keep them 2 weeks")), Found::Value("14".into()));
        assert_eq!(accept_days("9999"), None);
    }
}
