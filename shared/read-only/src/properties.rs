//! Tests that no command that does more than read is recognized as a reading, regardless of its quoting and position.

use super::{Place, Reading};
use proptest::prelude::*;

const PLACES: [Place; 3] = [Place::Sandbox, Place::Server, Place::Terminal];

/// Commands that write or reach too far, word by word.
const WRITING: &[&[&str]] = &[
    &["rm", "-rf", "data"],
    &["find", ".", "-delete"],
    &["find", ".", "-exec", "rm", "x", "+"],
    &["sed", "-i", "s/a/b/", "file"],
    &["sort", "-o", "out", "in"],
    &["curl", "-o", "file", "http://localhost/"],
    &["curl", "-d", "a=b", "http://localhost/"],
    &["terraform", "apply"],
    &["systemctl", "restart", "nginx"],
    &["docker", "rm", "web"],
    &["awk", "{print > \"out\"}", "in"],
    &["uniq", "in", "out"],
    &["date", "-s", "now"],
    &["cat", "ssh/id"],
    &["tee", "out"],
];
const READING: &[&str] =
    &["ls -la", "df -h", "echo \"a b\"", "cat '/etc/os-release'", "pwd", "true"];

/// A word in one of its shell spellings, character by character.
fn spelled(word: &str, ways: &[u8]) -> String {
    let mut spelled = String::new();
    for (c, way) in word.chars().zip(ways.iter().cycle()) {
        let plain = c.is_ascii_alphanumeric() || "-./=:,+%_".contains(c);
        match way % 6 {
            0 | 1 if plain => spelled.push(c),
            2 if c != '\'' => spelled.extend(['\'', c, '\'']),
            3 if !"$`\"\\".contains(c) => spelled.extend(['"', c, '"']),
            4 if plain => spelled.extend(['\\', '\n', c]),
            5 if plain => spelled.extend(['\'', '\'', c]),
            _ => spelled.extend(['\\', c]),
        }
    }
    spelled
}

/// Pieces of lines that come close to readings.
const PIECES: &[&str] = &[
    "ls",
    "cat",
    "curl",
    "grep",
    "awk",
    "find",
    "ps",
    "-n",
    "-la",
    "--",
    "-",
    " ",
    " ",
    "|",
    "||",
    "&&",
    ";",
    "&",
    ">",
    "<",
    "2>/dev/null",
    "2>&1",
    "'",
    "\"",
    "\\",
    "$",
    "`",
    "(",
    ")",
    "{print $1}",
    "*",
    "?",
    "[",
    "~",
    "!",
    "#",
    "\n",
    "\r",
    "\t",
    "\u{0}",
    "\u{7f}",
    "\u{e9}",
    "\u{2010}",
    "\u{200b}",
    "..",
    "/",
    "a.tf",
    "ssh",
    ".env",
    "http://localhost:80/",
    "=",
    "%",
    "@",
    ":",
    "5",
];

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(PIECES), 0..40)
            .prop_map(|pieces| pieces.concat()),
        prop::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        ".{0,60}",
    ]
}

/// Asserts the properties that every text has.
fn check(text: &str) {
    for place in PLACES {
        let Some(reading) = Reading::of(text, place) else { continue };
        let script = reading.script();
        // The command that runs has the same words, and quotes surround every character that a shell expands.
        assert_eq!(
            Reading::of(&script, place).as_ref(),
            Some(&reading),
            "{text:?} became {script:?}"
        );
        let mut bare = String::new();
        let mut quote = None;
        for c in script.chars() {
            match (quote, c) {
                (None, '\'' | '"') => quote = Some(c),
                (Some(end), c) if end == c => quote = None,
                (None, c) => bare.push(c),
                (Some('"'), '$' | '`' | '\\' | '!') => panic!("{script:?} expands"),
                _ => {}
            }
        }
        assert!(
            quote.is_none()
                && !bare
                    .contains(['$', '`', '\\', '*', '?', '[', '{', '(', '<', '~', '#', '!', '\n']),
            "{script:?}"
        );
        let gone = ["2>/dev/null", "2>&1", ">/dev/null", "&&"]
            .iter()
            .fold(bare, |bare, known| bare.replace(known, ""));
        assert!(!gone.contains(['>', '&']), "{script:?} redirects");
    }
}

/// How many inputs are tried; `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn quoting_never_makes_a_writing_command_a_reading_one(
        which in 0..WRITING.len(),
        ways in prop::collection::vec(any::<u8>(), 1..24),
        before in 0..READING.len(),
        after in 0..READING.len(),
        place in 0..8u8,
    ) {
        let words: Vec<_> = WRITING[which].iter().map(|word| spelled(word, &ways)).collect();
        let command = words.join(" ");
        let (before, after) = (READING[before], READING[after]);
        let line = match place {
            0 => command,
            1 => format!("{before}; {command}"),
            2 => format!("{command} | {after}"),
            3 => format!("{before} && {command} || {after}"),
            4 => format!("{before}\n{command}\n{after}"),
            5 => format!("echo $({command})"),
            6 => format!("echo \"$({before}; {command})\""),
            _ => format!("timeout 5 {command}"),
        };
        for place in PLACES {
            prop_assert!(Reading::of(&line, place).is_none(), "{line}");
        }
    }

    #[test]
    fn a_redirection_to_a_file_never_passes(text in "[a-z |;0-9-]{0,30}", sign in "(>|>>|&>|2>|>\\||<|<<|<<<|1>|>&)") {
        let line = format!("ls {text} {sign} out");
        for place in PLACES {
            prop_assert!(Reading::of(&line, place).is_none(), "{line}");
        }
    }

    #[test]
    fn a_command_that_passes_runs_as_exactly_the_words_that_were_judged(text in line()) {
        check(&text);
    }
}

/// How many lines the long run judges; start it with `cargo test --release -- --ignored`.
const MANY: u32 = 1_000_000;

#[test]
#[ignore = "a million lines take a minute in release"]
fn a_million_lines_neither_panic_nor_pass_wrongly() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: MANY,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let passed = std::cell::Cell::new(0_u32);
    let began = std::time::Instant::now();
    runner
        .run(&line(), |text| {
            check(&text);
            passed.set(passed.get() + u32::from(Reading::of(&text, Place::Sandbox).is_some()));
            Ok(())
        })
        .unwrap();
    println!("{MANY} lines in {:?}, {} of them read", began.elapsed(), passed.get());
}

#[test]
fn time_grows_no_faster_than_the_length() {
    // The length limit makes it linear by construction: longer lines are not read.
    for seed in
        ["ls ", "cat a;", "|", "'", "\"a\" ", "-", "a/", "echo a|", "curl http://localhost:80/ "]
    {
        let longest = seed.repeat(super::JUDGED_BYTES / seed.len());
        for place in PLACES {
            check(&longest);
            assert!(Reading::of(&format!("{longest}{longest} "), place).is_none(), "{seed:?}");
        }
    }
}
