//! Reads a bash script from its text: its commands, here-documents and variables.
//!
//! This is not bash's grammar. It handles quotes, comments, substitutions and here-documents, which distinguish a
//! command from text that looks like one. Everything that joins commands is a separator, and `bash -n` judges syntax.

pub(crate) mod calls;
mod carriers;
mod hooks;
mod lexer;
mod notes;
mod scan;
pub(crate) mod tree;
mod wrappers;

use carriers::carried;
pub(crate) use carriers::operand;
use std::collections::{BTreeMap, BTreeSet};

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text without its quotes, with `$NAME` and `$(…)` unexpanded.
    pub text: String,
    /// Whether any part of it is quoted.
    pub quoted: bool,
}

/// A simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The line it begins in, from 1.
    pub line: usize,
    /// Its name and arguments.
    pub words: Vec<Word>,
    /// Files to which its output goes, and whether it is appended to them.
    pub writes: Vec<(String, bool)>,
    /// The source of its standard input, except here-documents: `<file`, `< <(…)`, `<<<text`.
    pub reads: Vec<String>,
    /// Those of them that stand in the script: `<<<text`.
    pub strings: Vec<String>,
    /// Its here-documents, by their index in [`Script::heredocs`].
    pub heredocs: Vec<usize>,
}

/// The lines between `<<EOF` and `EOF`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heredoc {
    /// Its first line, from 1.
    pub line: usize,
    /// Its lines, each with its line end.
    pub text: String,
    /// Whether bash replaces `$NAME` in it.
    pub expands: bool,
}

/// A variable that is read without a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Its name.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
}

/// A sign between commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// `;` or the end of a line.
    End,
    /// `;;`
    CaseEnd,
    /// `&`
    Background,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `(`
    Open,
    /// `)`
    Close,
}

/// A part of a script, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A command, by its index in [`Script::commands`].
    Command(usize),
    /// A sign between two commands.
    Sign(Sign),
    /// The head of a function, `name()`.
    Function(String),
}

/// A script, split into its parts.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// Its simple commands, in order.
    pub commands: Vec<Command>,
    /// Its here-documents, in order.
    pub heredocs: Vec<Heredoc>,
    /// Variables that are read without a default.
    pub reads: Vec<Read>,
    /// Variables that get a value somewhere, with that value if it is plain.
    pub assigned: BTreeMap<String, Option<String>>,
    /// Functions that it defines.
    pub functions: BTreeSet<String>,
    /// Its own commands and the signs between them, without those of substitutions.
    pub(crate) pieces: Vec<Piece>,
}

/// Splits a script. It never fails; text that it cannot follow counts as words.
pub fn read(text: &str) -> Script {
    lexer::Lexer::new(text, 1).script().without_wrappers()
}

/// Words before a command that are not commands.
const KEYWORDS: [&str; 15] = [
    "!", "{", "}", "do", "done", "elif", "else", "esac", "fi", "if", "then", "time", "until",
    "while", "coproc",
];

/// Programs that run the command in their arguments, and their options that take a value.
const CARRIERS: [(&str, &[&str]); 18] = [
    ("builtin", &[]),
    ("command", &[]),
    ("doas", &["-u"]),
    ("env", &["-u", "-C", "-S"]),
    ("eval", &[]),
    ("exec", &["-a"]),
    ("flock", &["-E", "-w", "--timeout"]),
    ("gosu", &[]),
    ("ionice", &["-c", "-n"]),
    ("nice", &["-n"]),
    ("nohup", &[]),
    ("runuser", &["-G", "-g", "-u", "--user"]),
    ("setsid", &[]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("su-exec", &[]),
    ("sudo", &["-u", "-g", "-h", "-C", "--user", "--group"]),
    ("timeout", &["-k", "-s", "--signal", "--kill-after"]),
    ("xargs", &["-n", "-I", "-P", "-L", "-d", "-a", "-s"]),
];

pub(crate) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    is_name(name).then_some((name, value))
}

pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Command {
    /// The program and its arguments, without assignments, keywords and the programs that carry it.
    pub fn argv(&self) -> Vec<&str> {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let mut rest = words.as_slice();
        loop {
            let Some(first) = rest.first() else { return Vec::new() };
            if KEYWORDS.contains(first) || assignment(first).is_some() {
                rest = &rest[1..];
                continue;
            }
            let name = base(first);
            let Some((_, valued)) = CARRIERS.iter().find(|(carrier, _)| *carrier == name) else {
                break;
            };
            // The first operand of these is a time, a file or an account.
            let skips = ["flock", "gosu", "su-exec", "timeout"].contains(&name);
            let carried = carried(&rest[1..], valued, skips);
            // Without an account, `runuser` is another shell, and `flock -c` starts one.
            let shell = name == "runuser"
                && !rest.iter().any(|word| ["-u", "--user"].contains(word))
                || carried.first().is_some_and(|word| word.starts_with('-'));
            // This only asks where a program is.
            let asks = name == "command" && rest.get(1).is_some_and(|it| ["-v", "-V"].contains(it));
            if carried.is_empty() || shell || asks {
                break;
            }
            rest = carried;
        }
        let mut argv = rest.to_vec();
        if let Some(first) = argv.first_mut() {
            *first = base(first);
        }
        argv
    }

    /// The program's name.
    pub fn program(&self) -> Option<&str> {
        self.argv().first().copied()
    }
}

pub(crate) fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Programs that take a script as one of their arguments.
const SHELLS: [&str; 4] = ["bash", "sh", "dash", "su"];

/// Options of ssh that take a value.
const SSH_VALUED: [&str; 16] = [
    "-F", "-i", "-o", "-p", "-l", "-L", "-R", "-D", "-J", "-b", "-c", "-E", "-m", "-S", "-W", "-Q",
];

impl Script {
    /// Scripts that this one hands to a shell, here or on a server, with the line in which they begin.
    pub fn inner(&self) -> Vec<(usize, String)> {
        self.commands.iter().flat_map(|command| self.inner_of(command)).collect()
    }

    /// The scripts that one command hands over.
    pub(crate) fn inner_of(&self, command: &Command) -> Vec<(usize, String)> {
        let Some(said) = said(command) else { return self.piped(command) };
        let said = (!said.trim().is_empty()).then_some((command.line, said));
        said.into_iter().chain(self.fed(command)).collect()
    }

    /// The scripts that one command hands to a program that is certainly a shell.
    pub(crate) fn parsed_of(&self, command: &Command) -> Vec<(usize, String)> {
        let Some(said) = said(command) else { return self.piped(command) };
        let remote = read(&said);
        let other = match remote.commands.as_slice() {
            // `ssh host bash -s` reads the here-document; `ssh host tee` gets something else.
            [only] => only.clone(),
            _ => command.clone(),
        };
        let given = if said.trim().is_empty() { command } else { &other };
        let here = SHELLS.contains(&command.program().unwrap_or_default());
        let reads = if here { said.is_empty() && reads_input(command) } else { reads_input(given) };
        let fed = self.fed(command).filter(|_| reads);
        let said = (!said.trim().is_empty()).then_some((command.line, said));
        said.into_iter().chain(fed).collect()
    }

    /// A script that `cat` sends through a pipe, perhaps after other lines: its first line shows that it is one.
    fn piped(&self, command: &Command) -> Vec<(usize, String)> {
        let sends = command.argv() == ["cat"] && command.writes.is_empty();
        self.fed(command).filter(|(_, text)| sends && text.starts_with("set -e")).collect()
    }

    fn fed(&self, command: &Command) -> impl Iterator<Item = (usize, String)> {
        let fed = command.heredocs.iter().filter_map(|at| self.heredocs.get(*at));
        fed.map(|heredoc| (heredoc.line, heredoc.text.clone()))
    }
}

/// What a command tells a shell to run, here or on a server; `None` if it starts no shell.
pub(crate) fn said(command: &Command) -> Option<String> {
    let argv = command.argv();
    let program = argv.first()?;
    match *program {
        "ssh" => Some(remote(&argv)),
        // One word may be a function of the script.
        "trap" => argv.get(1).filter(|text| text.contains([';', '&'])).map(ToString::to_string),
        "certbot" | "acme.sh" => hooks::hooked(&argv),
        "docker" | "docker-compose" | "kubectl" | "podman" => {
            let at = argv.iter().position(|word| SHELLS.contains(&base(word)))?;
            let option = argv.get(at + 1)?;
            (option.starts_with('-') && option.ends_with('c')).then(|| after_c(&argv[at..]))
        }
        _ => SHELLS.contains(program).then(|| after_c(&argv)),
    }
}

/// Whether a shell takes its script from its standard input.
fn reads_input(command: &Command) -> bool {
    let argv = command.argv();
    let Some((program, rest)) = argv.split_first() else { return false };
    let option = |word: &&&str| word.starts_with(['-', '+']) || **word == "pipefail";
    let options = rest.iter().take_while(option);
    let stated = options.clone().any(|word| !word.starts_with("--") && word.contains('s'));
    let free = rest.iter().all(|word| word.starts_with(['-', '+']) || *word == "pipefail");
    *program == "ssh" || (["bash", "sh", "dash"].contains(program) && (stated || free))
}

/// The text after `-c`.
fn after_c(argv: &[&str]) -> String {
    let is_c =
        |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    let at = argv.iter().position(is_c);
    at.and_then(|at| argv.get(at + 1)).map(ToString::to_string).unwrap_or_default()
}

/// The text after the host.
fn remote(argv: &[&str]) -> String {
    let mut at = 1;
    while let Some(word) = argv.get(at) {
        at += match word {
            word if SSH_VALUED.contains(word) => 2,
            word if word.starts_with('-') || word.starts_with("${") => 1,
            _ => break,
        };
    }
    // `ssh host -- command`
    let from = at + 1 + usize::from(argv.get(at + 1) == Some(&"--"));
    argv.get(from..).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argvs(text: &str) -> Vec<String> {
        read(text).commands.iter().map(|command| command.argv().join(" ")).collect()
    }

    #[test]
    fn commands_are_found_in_every_position() {
        let text = "set -e; a=1 b\nif ! c 'x;y' \"$(d \"e f\")\" && sudo -u x g; then (h) | i; fi # j\n`k l`";
        let found = argvs(text);
        for command in ["set -e", "b", "d e f", "g", "h", "i", "k l", "c x;y $(d \"e f\")"] {
            assert!(found.iter().any(|one| one == command), "{command}: {found:?}");
        }
        assert!(!found.iter().any(|one| one.contains('j')), "{found:?}");
    }

    #[test]
    fn a_program_is_found_behind_the_programs_that_run_it() {
        assert_eq!(argvs("sudo timeout -k 5 30 /bin/rm -rf x"), ["rm -rf x"]);
        assert_eq!(argvs("env A=b nohup nice -n 5 c -d"), ["c -d"]);
        assert_eq!(argvs("runuser -u postgres -- psql -c x"), ["psql -c x"]);
        assert_eq!(argvs("flock -n /run/a.lock b --c"), ["b --c"]);
        assert_eq!(argvs("runuser -l postgres"), ["runuser -l postgres"]);
    }

    #[test]
    fn a_here_document_is_not_a_command_and_keeps_its_lines() {
        let script = read(
            "cat >a.tf <<'EOF' && next\nrm -rf /\nEOF\ncat <<-B | tee -a b.txt\n\tx $Y\n\tB\nlast\n",
        );
        assert_eq!(script.heredocs.len(), 2);
        assert_eq!((script.heredocs[0].line, script.heredocs[0].text.as_str()), (2, "rm -rf /\n"));
        assert!(!script.heredocs[0].expands && script.heredocs[1].expands);
        assert_eq!(script.heredocs[1].text, "x $Y\n");
        assert_eq!(script.commands[0].writes, [("a.tf".to_owned(), false)]);
        assert_eq!(script.commands.last().unwrap().words[0].text, "last");
        assert_eq!(script.reads, [Read { name: "Y".into(), line: 5 }]);
    }

    #[test]
    fn variables_are_read_and_assigned() {
        let text = "a=1; echo \"$a ${b} ${c:-x} ${#d} $1 $(e \"$f\")\" '$g' $((h + 1))\nread -r i; for j in x; do :; done\nlocal -a k=(1)\n: \"${l:=1}\"\n((m++))\nprintf -v n x; mapfile -t o < p";
        let script = read(text);
        let reads: Vec<_> = script.reads.iter().map(|read| read.name.as_str()).collect();
        for name in ["a", "b", "f"] {
            assert!(reads.contains(&name), "{name}: {reads:?}");
        }
        for name in ["c", "g", "1", "l"] {
            assert!(!reads.contains(&name), "{name}: {reads:?}");
        }
        for name in ["a", "i", "j", "k", "l", "m", "n", "o"] {
            assert!(script.assigned.contains_key(name), "{name}: {:?}", script.assigned);
        }
    }

    #[test]
    fn a_case_in_a_substitution_does_not_end_it() {
        let script = read("x=$(case $y in a) echo b;; *) c;; esac)\nd\n");
        assert_eq!(script.commands.last().unwrap().words[0].text, "d");
    }

    #[test]
    fn scripts_for_other_shells_are_scripts() {
        let inner = read(
            "ssh -F c -i \"$k\" u@h -- 'rm -rf /x' && bash -ec 'a; b'\nssh h bash -s <<'E'\nd\nE\n",
        )
        .inner();
        let texts: Vec<_> = inner.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["rm -rf /x", "a; b", "bash -s", "d\n"]);
    }
}
