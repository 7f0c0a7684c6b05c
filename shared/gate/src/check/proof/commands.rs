//! How single commands handle a failure.

mod answers;

use super::says;
use crate::bash::{self, Command};
pub(super) use answers::unread_answer;

/// Programs that only print, so that no proof can rest on them.
const TELL: [&str; 5] = [":", "echo", "printf", "sleep", "true"];

/// Builtins that prepare what follows.
const SET: [&str; 16] = [
    "break", "continue", "declare", "exit", "export", "local", "mapfile", "read", "readonly",
    "return", "set", "shift", "shopt", "trap", "umask", "unset",
];

/// Programs that show people the state of something, or clean up.
const SHOW: [&str; 13] = [
    "cat",
    "date",
    "df",
    "free",
    "head",
    "hostname",
    "journalctl",
    "kill",
    "ls",
    "rm",
    "rmdir",
    "tail",
    "wait",
];

/// Subcommands of other programs that do the same.
const SHOWN: [&str; 2] = ["logs", "describe"];

/// Builtins whose status hides that of a command in their value.
const MASKING: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

/// Programs that compare what they read.
const COMPARE: [&str; 3] = ["cmp", "comm", "diff"];

/// Whether a command only prints.
pub(super) fn only_tells(command: &Command) -> bool {
    let silent = |program: &str| TELL.contains(&program);
    command
        .program()
        .is_some_and(|program| silent(program) || (program == "set" && command.argv().len() > 1))
}

/// Whether a command prepares something for later commands.
pub(super) fn only_sets(command: &Command) -> bool {
    command.program().is_none_or(|program| SET.contains(&program)) || only_tells(command)
}

/// Whether a command serves only its output, or cleans up.
pub(super) fn only_shows(command: &Command) -> bool {
    let argv = command.argv();
    argv.first().is_some_and(|program| SHOW.contains(program))
        || argv.iter().skip(1).take(4).any(|word| SHOWN.contains(word))
}

/// Whether a command ends the script, or the function, with a failure.
pub(super) fn fails(command: &Command) -> bool {
    match command.argv().as_slice() {
        ["false"] => true,
        ["exit" | "return", status] => *status != "0",
        _ => false,
    }
}

/// Whether a command ends the script, or the function, well.
pub(super) fn ends_well(command: &Command) -> bool {
    matches!(command.argv().as_slice(), ["exit" | "return", "0"])
}

/// Whether the commands after this one do not run.
pub(super) fn leads_away(command: &Command) -> bool {
    let away = ["break", "continue", "exit", "return", "false", "exec"];
    command.program().is_some_and(|program| away.contains(&program))
}

/// `export x=$(…)`.
pub(super) fn masks(command: &Command) -> bool {
    let argv = command.argv();
    argv.first().is_some_and(|program| MASKING.contains(program))
        && argv.iter().skip(1).any(|word| {
            let value = bash::assignment(word).map_or("", |(_, value)| value);
            value.starts_with("$(") && !value.starts_with("$((") && !harmless(value)
        })
}

/// The words of a test.
fn tested(command: &Command) -> Vec<&str> {
    let argv = command.argv();
    match argv.split_first() {
        Some((&("[" | "[[" | "test"), words)) => words.to_vec(),
        _ => Vec::new(),
    }
}

/// Whether a word contains the output of a command.
fn output(word: &str) -> bool {
    word.contains("$(") && !word.contains("$((") && !harmless(word)
}

/// A test that passes only if a command prints something.
pub(super) fn passes_when_told(command: &Command) -> bool {
    tested(command).windows(2).any(|pair| pair[0] == "-n" && output(pair[1]))
}

/// A test of a command's output that passes if the output is empty.
pub(super) fn succeeds_when_silent(command: &Command) -> bool {
    let words = tested(command);
    let counted = |word: &str| word.contains("wc ") || word.contains("grep -c");
    let pairs = words.windows(2).any(|pair| pair[0] == "-z" && output(pair[1]));
    pairs
        || words.windows(3).any(|three| match three {
            [left, "=" | "==", right] => output(left) && right.is_empty(),
            [left, "!=", right] => output(left) && !right.is_empty(),
            [left, "-eq", "0"] => output(left) && counted(left),
            _ => false,
        })
}

/// A test of texts that are in the script.
pub(super) fn compares_texts(command: &Command) -> bool {
    let words = tested(command);
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "]").collect();
    let plain = |word: &str| !word.contains(['$', '`', '*', '~']);
    let of_texts = match words.as_slice() {
        [text] => plain(text),
        ["-n" | "-z", text] => plain(text),
        [left, "=" | "==" | "!=" | "-eq" | "-ne" | "-gt" | "-ge" | "-lt" | "-le", right] => {
            plain(left) && plain(right)
        }
        _ => false,
    };
    of_texts && command.argv().first() != Some(&"[[")
}

/// A test with more words than one comparison has.
pub(super) fn is_malformed(command: &Command) -> bool {
    let words = tested(command);
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "]").collect();
    let joined = ["-a", "-o", "!", "(", ")"];
    let opens = |word: &&str| word.contains("[@]") || word.contains("[*]");
    words.len() > 3
        && command.argv().first() != Some(&"[[")
        && !words.iter().any(|word| joined.contains(word) || opens(word))
        && command.words.iter().all(|word| word.quoted || !word.text.starts_with('$'))
}

/// `wc` at the end of a pipeline: it counts whatever comes.
fn only_counts(command: &Command) -> bool {
    command.program() == Some("wc") && command.writes.is_empty()
}

/// The line of a pipeline that succeeds with any count, or with any answer of a server, and what to say about it.
pub(super) fn judges_nothing(pipeline: &[Option<&Command>]) -> Option<(usize, &'static str)> {
    let (first, rest) = pipeline.split_first()?;
    let counts = rest.last().copied().flatten().filter(|last| only_counts(last));
    let shows = |name| ["cat", "head", "tail"].contains(&name);
    let unread = rest.iter().all(|one| one.and_then(Command::program).is_some_and(shows));
    let answer = first.filter(|first| unread && takes_any_answer(first));
    let counted = counts.map(|command| (command.line, says::COUNTED));
    counted.or(answer.map(|command| (command.line, says::ANY_ANSWER)))
}

/// `curl` whose output nothing reads, and that also succeeds if the server refuses.
fn takes_any_answer(command: &Command) -> bool {
    let argv = command.argv();
    let Some(("curl", rest)) = argv.split_first().map(|(first, rest)| (*first, rest)) else {
        return false;
    };
    let letter = |word: &str, wanted: char| {
        word.starts_with('-') && !word.starts_with("--") && word.contains(wanted)
    };
    let fails = rest.iter().any(|word| {
        word.starts_with("--fail")
            || word.starts_with("--write-out")
            || word.starts_with("--config")
            || letter(word, 'f')
            || letter(word, 'w')
            || letter(word, 'K')
    });
    let web = rest.iter().any(|word| word.starts_with("http"));
    let kept = !command.writes.is_empty()
        || rest.iter().any(|word| {
            letter(word, 'o')
                || letter(word, 'O')
                || letter(word, 'D')
                || word.starts_with("--output")
                || word.starts_with("--dump-header")
        });
    let nowhere = rest.iter().any(|word| word.ends_with("/dev/null"))
        || command.writes.iter().any(|(path, _)| path == "/dev/null");
    let open = rest.iter().any(|word| word.contains("[@]") || word.starts_with("$"));
    web && !fails && !open && (!kept || nowhere)
}

/// `mapfile … < <(…)`, and `diff <(…) <(…)`.
pub(super) fn reads_nothing(command: &Command) -> bool {
    let argv = command.argv();
    let Some(program) = argv.first() else { return false };
    let from = |text: &&str| text.starts_with("<(") && !harmless(text);
    let fed = command.reads.iter().any(|text| from(&text.as_str()));
    let two = argv.iter().filter(|word| from(word)).count() > 1;
    (fed && ["mapfile", "readarray"].contains(program)) || (two && COMPARE.contains(program))
}

/// Whether the shell that a command starts ends at a failure, even if its script does not say so.
pub(super) fn starts_strict(command: &Command) -> bool {
    if command.program() != Some("ssh") {
        return is_strict_shell(command);
    }
    // `ssh host 'sudo A=b bash -euo pipefail -s -- "$c"'`
    let there = bash::said(command).unwrap_or_default();
    bash::read(&there).commands.last().is_some_and(is_strict_shell)
}

fn is_strict_shell(command: &Command) -> bool {
    let argv = command.argv();
    let mut options = argv.iter().skip(1).take_while(|word| word.starts_with(['-', '+']));
    options.any(|word| !word.starts_with("--") && word.starts_with('-') && word.contains('e'))
}

/// Whether a substitution only prints its input.
pub(super) fn harmless(text: &str) -> bool {
    let inner = text.split_once('(').map_or("", |(_, inner)| inner);
    let inner = bash::read(inner.trim_end_matches(')'));
    let first = inner.commands.first().and_then(Command::program);
    first.is_some_and(|program| {
        ["echo", "printf", "seq", "date", "mktemp", "pwd", "id"].contains(&program)
    })
}
