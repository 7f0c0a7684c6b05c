//! However a command is quoted and wherever it stands: what writes is never taken for reading.

use super::is_read_only;
use proptest::prelude::*;

/// Commands that write, word by word.
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
    &["test", "-v", "a[$(rm x)]"],
    &["cat", "ssh/id"],
    &["tee", "out"],
];
const READING: &[&str] =
    &["ls -la", "df -h", "echo \"a b\"", "cat 'x y'", "ps aux | head -3", "true"];

/// A word in one of the ways in which a shell can be told it, character by character.
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

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
        prop_assert!(!is_read_only(&line), "{line}");
    }

    #[test]
    fn quoting_does_not_change_what_a_reading_command_is(
        ways in prop::collection::vec(any::<u8>(), 1..24),
    ) {
        let line: Vec<_> = ["grep", "-n", "a b $x", "notes.txt"].map(|word| spelled(word, &ways)).into();
        prop_assert!(is_read_only(&line.join(" ")), "{line:?}");
    }

    #[test]
    fn any_text_is_judged_and_a_redirection_to_a_file_never_passes(text in "[a-z $'\"\\\\();|&<>#*\n-]{0,30}") {
        let _ = is_read_only(&text);
        let line = format!("ls {text} > out");
        // Unless the sign stands in quotes or a comment, where it is none.
        if !text.contains(['\'', '"', '\\', '#']) {
            prop_assert!(!is_read_only(&line), "{line}");
        }
    }
}
