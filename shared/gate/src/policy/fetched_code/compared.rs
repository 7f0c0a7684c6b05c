//! Finds where a script compares a file with what its author published, and which files that covers.
//!
//! A comparison counts for the files that it names, if they are there already and nothing runs them before. A list of
//! digests that the script does not contain may name any of them.

use super::fetch::substitutions;
use super::runs::is_interpreter;
use crate::Unit;
use crate::bash::{self, Command, Piece, Script, Sign, assignment, base};
use crate::files::known;

/// Programs that print or check the digests of files.
const DIGESTS: [&str; 13] = [
    "b2sum",
    "b3sum",
    "cksum",
    "md5",
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256",
    "sha256sum",
    "sha384sum",
    "sha512",
    "sha512sum",
    "shasum",
];

/// Parts of programs in other languages that compute a digest or check a signature.
const CODE: [&str; 8] = [
    "createHash(",
    "createVerify(",
    "Digest::",
    "hash_file(",
    "hashlib",
    "subtle.digest(",
    "verify_key",
    "VerifyKey",
];

/// Programs that read a list of digests and send a part of it on.
const READERS: [&str; 7] = ["awk", "cat", "cut", "grep", "head", "sed", "tail"];

/// A place where files are compared.
#[derive(Debug)]
struct Comparison {
    line: usize,
    /// The text with the names of the files; `None` if it may name any file.
    names: Option<String>,
}

/// All comparisons of one script.
#[derive(Debug, Default)]
pub(in crate::policy) struct Comparisons(Vec<Comparison>);

impl Comparisons {
    pub(in crate::policy) fn new(script: &Script, unit: &Unit) -> Self {
        let mut found = Vec::new();
        for (at, command) in script.commands.iter().enumerate() {
            let names = checks(script, at).filter(|_| !is_hidden(script, at));
            let names = names.or_else(|| computes(command, script, unit).then_some(None));
            if let Some(names) = names {
                found.push(Comparison { line: command.line, names });
            }
            found.extend(compared(command, script));
        }
        for call in bash::calls::calls(script) {
            found.extend(Self::new(&call, unit).0);
        }
        Self(found)
    }

    /// Whether a file is compared after it was saved and before a line.
    pub(in crate::policy) fn cover(&self, path: &str, saved: usize, before: usize) -> bool {
        let name = base(path);
        self.0.iter().any(|one| {
            let named = one.names.as_ref().is_none_or(|names| names_file(names, name));
            named && (saved..=before).contains(&one.line)
        })
    }

    /// Whether the value of a variable is compared anywhere.
    pub(super) fn cover_variable(&self, name: &str) -> bool {
        let read = [format!("${name}"), format!("${{{name}}}")];
        let names = self.0.iter().filter_map(|one| one.names.as_ref());
        names.into_iter().any(|names| read.iter().any(|read| names.contains(read.as_str())))
    }
}

/// Ends of the names of signatures and digests of a file with the rest of the name.
const SIGNATURES: [&str; 9] =
    [".asc", ".gpg", ".md5", ".minisig", ".pem", ".sha1", ".sha256", ".sha512", ".sig"];

/// Whether a text has the name of a file as a whole word, or that of its signature.
fn names_file(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let part = |c: char| c.is_alphanumeric() || "._-".contains(c);
        let after = &text[at + name.len()..];
        let ends = !after.starts_with(part) || SIGNATURES.iter().any(|end| after.starts_with(end));
        ends && !text[..at].ends_with(part)
    })
}

/// The words and inputs of a command, with the values of variables and without.
fn whole(command: &Command, script: &Script) -> String {
    let words = command.words.iter().map(|word| word.text.as_str());
    let texts = words.chain(command.reads.iter().map(String::as_str));
    let mut whole: String = texts.flat_map(|text| [text, " "]).collect();
    for heredoc in command.heredocs.iter().filter_map(|at| script.heredocs.get(*at)) {
        whole.push_str(&heredoc.text);
    }
    format!("{whole} {}", known(&whole, script))
}

fn digests(command: &Command) -> bool {
    let argv = command.argv();
    match argv.as_slice() {
        ["openssl", "dgst" | "sha1" | "sha256" | "sha512", ..] => true,
        ["busybox" | "toybox" | "coreutils", program, ..] => DIGESTS.contains(program),
        [program, ..] => DIGESTS.contains(program),
        [] => false,
    }
}

/// What a command compares, if it fails for a file that differs: the text with the names of the files.
fn checks(script: &Script, at: usize) -> Option<Option<String>> {
    let command = &script.commands[at];
    let argv = command.argv();
    let has = |words: &[&str]| argv.iter().any(|word| words.contains(word));
    let short = |letter: char| {
        argv.iter()
            .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
    };
    let signed = match argv.as_slice() {
        ["gpg" | "gpg2" | "sq", ..] => has(&["--verify", "verify"]),
        ["gpgv" | "gpgv2" | "slsa-verifier" | "rpmkeys", ..] => true,
        ["cosign", verb, ..] => verb.starts_with("verify"),
        ["gh", "attestation", "verify", ..] => true,
        ["minisign" | "signify", ..] => short('V'),
        ["openssl", "dgst" | "pkeyutl" | "cms" | "smime", ..] => has(&["-verify"]),
        ["rpm", ..] => has(&["-K", "--checksig"]),
        _ => false,
    };
    if signed {
        return Some(Some(whole(command, script)));
    }
    if !digests(command) {
        return None;
    }
    let checks = has(&["--check"]) || short('c');
    let before = sources(script, at);
    if !checks {
        // `sha256sum a | grep -q "$expected"`
        let judged = next(script, at).is_some_and(|next| {
            let program = next.program().unwrap_or_default();
            ["grep", "cmp", "diff"].contains(&program) || judges(&next.argv())
        });
        return judged.then(|| Some(whole(command, script)));
    }
    let listed = |command: &Command| {
        let argv = command.argv();
        let reader = argv.first().is_some_and(|program| READERS.contains(program));
        reader && command.heredocs.is_empty()
    };
    // `shasum -a 256`
    let number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let own = argv.iter().skip(1).any(|word| !word.starts_with('-') && !number(word));
    let read = command.reads.iter().any(|read| !command.strings.contains(read));
    if own || read || before.iter().any(|command| listed(command)) {
        return Some(None);
    }
    // `<<<"$sums"`: the names are in a variable.
    let one = |text: &str| text.starts_with('$') && !text.contains(char::is_whitespace);
    let printed = |command: &&Command| matches!(command.argv().as_slice(), [_, only] if one(only));
    if command.strings.iter().any(|text| one(text)) || before.iter().any(printed) {
        return Some(None);
    }
    let fed = before.iter().map(|command| whole(command, script)).collect::<String>();
    Some(Some(fed + &whole(command, script)))
}

/// Whether `awk` ends with a status of its own.
fn judges(argv: &[&str]) -> bool {
    argv.first() == Some(&"awk") && argv.iter().any(|word| word.contains("exit"))
}

/// Whether the failure of a command changes nothing: `sha256sum -c sums || echo differs`.
fn is_hidden(script: &Script, at: usize) -> bool {
    let Some(place) = script.pieces.iter().position(|it| *it == Piece::Command(at)) else {
        return false;
    };
    let [Piece::Sign(Sign::Or), Piece::Command(other), rest @ ..] = &script.pieces[place + 1..]
    else {
        return false;
    };
    let other = &script.commands[*other];
    let grouped = other.words.first().is_some_and(|word| word.text == "{");
    let passes = matches!(other.program(), Some("true" | ":" | "echo" | "printf" | "logger"));
    passes && !grouped && rest.first() != Some(&Piece::Sign(Sign::And))
}

/// The command to which a pipe leads from another.
fn next(script: &Script, at: usize) -> Option<&Command> {
    let place = script.pieces.iter().position(|it| *it == Piece::Command(at))?;
    let mut rest = script.pieces.get(place + 1..)?.iter();
    let piped = rest.next() == Some(&Piece::Sign(Sign::Pipe));
    match rest.find(|piece| **piece != Piece::Sign(Sign::End))? {
        Piece::Command(next) if piped => script.commands.get(*next),
        _ => None,
    }
}

/// The commands from which pipes lead to another.
fn sources(script: &Script, at: usize) -> Vec<&Command> {
    let place = script.pieces.iter().position(|it| *it == Piece::Command(at));
    let Some(mut place) = place else { return Vec::new() };
    let mut found = Vec::new();
    loop {
        // The lines of a pipeline may break after each `|`.
        while place > 0 && script.pieces[place - 1] == Piece::Sign(Sign::End) {
            place -= 1;
        }
        let two = place.checked_sub(2).and_then(|from| script.pieces.get(from..place));
        let Some([Piece::Command(before), Piece::Sign(Sign::Pipe)]) = two else { break };
        found.extend(script.commands.get(*before));
        place -= 2;
    }
    found
}

/// Commands that compare two texts.
const TESTS: [&str; 6] = ["[", "[[", "case", "cmp", "diff", "test"];

fn is_test(command: &Command) -> bool {
    let first = command.words.iter().any(|word| word.text == "case");
    let program = command.program().unwrap_or_default();
    first || TESTS.contains(&program) || program == "grep"
}

/// `[ "$(sha256sum a)" = "$expected" ]`, at once or by a variable.
fn compared(command: &Command, script: &Script) -> Vec<Comparison> {
    let mut found = Vec::new();
    for word in &command.words {
        let inner = substitutions(&word.text).into_iter();
        let computed = inner.filter(|text| bash::read(text).commands.iter().any(digests));
        let names: String = computed.collect();
        if names.is_empty() {
            continue;
        }
        let names = Some(format!("{names} {}", known(&names, script)));
        if is_test(command) {
            found.push(Comparison { line: command.line, names });
        } else if let Some((name, _)) = assignment(&word.text) {
            let read = [format!("${name}"), format!("${{{name}")];
            let reads = |text: &str| read.iter().any(|read| text.contains(read.as_str()));
            let test = script.commands.iter().find(|later| {
                is_test(later)
                    && (later.words.iter().any(|word| reads(&word.text))
                        || later.reads.iter().any(|text| reads(text)))
            });
            if let Some(test) = test {
                found.push(Comparison { line: test.line.max(command.line), names });
            }
        }
    }
    found
}

/// Whether a command runs a program in another language that computes digests.
fn computes(command: &Command, script: &Script, unit: &Unit) -> bool {
    let argv = command.argv();
    let Some((program, rest)) = argv.split_first() else { return false };
    if !is_interpreter(program) || ["bash", "sh", "dash"].contains(program) {
        return false;
    }
    let has = |text: &str| CODE.iter().any(|sign| text.contains(sign));
    let heredocs = command.heredocs.iter().filter_map(|at| script.heredocs.get(*at));
    let fed = heredocs.into_iter().any(|heredoc| has(&heredoc.text));
    let file = || {
        let named = |path: &str| rest.iter().any(|word| base(word) == base(path));
        unit.written().any(|file| named(&file.path) && has(&file.text))
    };
    fed || rest.iter().any(|word| has(word)) || file()
}
