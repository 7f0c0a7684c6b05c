//! Commands that run a text or a file.

use super::compared::Comparisons;
use crate::bash::{Command, Script, base};
use crate::files::known;

/// Programs that run a text that they read.
const INTERPRETERS: [&str; 14] = [
    "ash", "bash", "dash", "fish", "ksh", "node", "perl", "php", "pwsh", "python", "python3",
    "ruby", "sh", "zsh",
];

pub(super) fn is_interpreter(program: &str) -> bool {
    INTERPRETERS.contains(&program)
}

/// Whether a command runs its standard input, here, on a server or in a container.
pub(super) fn runs_input(command: &Command) -> bool {
    if !command.heredocs.is_empty() || !command.reads.is_empty() {
        return false;
    }
    let argv = command.argv();
    match argv.split_first() {
        Some((&("." | "source"), rest)) => rest.first() == Some(&"/dev/stdin"),
        Some((&("ssh" | "docker" | "podman" | "kubectl"), rest)) => {
            let words: Vec<&str> = rest.iter().flat_map(|word| word.split_whitespace()).collect();
            let at = words.iter().rposition(|word| is_interpreter(base(word)));
            at.is_some_and(|at| at > 0 && takes_input(&words[at + 1..]))
        }
        Some((program, rest)) => is_interpreter(program) && takes_input(rest),
        None => false,
    }
}

/// Whether an interpreter with these arguments has no program but its input.
fn takes_input(rest: &[&str]) -> bool {
    let own = |word: &&str| {
        let letters = word.strip_prefix('-').unwrap_or_default();
        !letters.starts_with('-')
            && (letters.ends_with(['c', 'e', 'm', 'n'])
                && !letters.starts_with(['e', 'n', 'u', 'x']))
            || ["-e", "-n", "-ne", "-pe"].contains(word)
    };
    // A shell's `-e` and `-n` stand before others; those of Perl, Ruby and Node have a program after them.
    let first = rest.first().copied().unwrap_or_default();
    match first {
        "" | "-" | "/dev/stdin" | "--" => true,
        _ if first.starts_with("-s") || rest.contains(&"-s") => true,
        _ if first.starts_with(['-', '+']) => !own(&first) && takes_input(&rest[1..]),
        "pipefail" | "errexit" | "nounset" => takes_input(&rest[1..]),
        _ => false,
    }
}

/// The texts that a command runs as a program, unexpanded.
pub(super) fn code(command: &Command) -> Vec<&str> {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    // `eval` counts as a program that carries another one.
    if let Some(at) = words.iter().take(4).position(|word| *word == "eval") {
        return words[at + 1..].to_vec();
    }
    let argv = command.argv();
    let Some((program, rest)) = argv.split_first() else { return Vec::new() };
    let fed = command.reads.iter().map(String::as_str);
    let opened = rest.iter().copied().filter(|word| word.starts_with("<("));
    if ["source", "."].contains(program) {
        return opened.chain(fed).collect();
    }
    if !is_interpreter(program) {
        return Vec::new();
    }
    let at = rest.iter().position(|word| {
        word.starts_with('-') && !word.starts_with("--") && word.ends_with(['c', 'e'])
    });
    let given = at.and_then(|at| rest.get(at + 1)).copied();
    let first = rest.first().copied().filter(|word| word.starts_with("<("));
    let fed = fed.filter(|_| takes_input(rest));
    given.into_iter().chain(first).chain(fed).collect()
}

/// Whether a mode lets someone run a file.
pub(super) fn is_executable(mode: &str) -> bool {
    let octal = mode.len() >= 3 && mode.chars().all(|c| c.is_digit(8));
    let digits = mode.chars().rev().take(3).filter_map(|c| c.to_digit(8));
    if octal {
        return digits.into_iter().any(|digit| digit & 1 == 1);
    }
    mode.split(',')
        .any(|part| part.split_once(['+', '=']).is_some_and(|(_, rights)| rights.contains('x')))
}

/// Whether a command unpacks an archive to where programs are.
pub(super) fn unpacks_programs(argv: &[&str]) -> bool {
    let place = |word: &&str| {
        let folder = word.strip_prefix("--directory=").unwrap_or(word);
        ["/opt", "/usr/local"].iter().any(|start| folder.starts_with(start))
            || is_for_programs(folder)
    };
    matches!(argv, ["tar" | "bsdtar" | "unzip", rest @ ..] if rest.iter().any(place))
}

fn is_for_programs(path: &str) -> bool {
    path.contains("/bin/") || path.contains("/sbin/") || path.ends_with("/bin")
}

/// Files with what a server sent.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Each path, and the line that saved it.
    paths: Vec<(String, usize)>,
    /// Whether an archive of them is unpacked, so that other files come from the server, too.
    unpacked: bool,
    /// Where copies of them are on servers.
    pub(super) carried: Vec<String>,
}

/// Where a command runs, and what its script compares.
pub(super) struct Place<'a> {
    pub(super) script: &'a Script,
    pub(super) compared: &'a Comparisons,
    pub(super) line: usize,
}

impl Kept {
    pub(super) fn extend(&mut self, paths: Vec<String>, line: usize) {
        let paths = paths.into_iter().map(|path| path.trim_start_matches("./").to_owned());
        self.paths.extend(paths.map(|path| (path, line)));
    }

    /// The line that saved the file with this name, if nothing compared the file since.
    fn has(&self, word: &str, place: &Place) -> Option<usize> {
        let path = known(word, place.script);
        let path = path.trim_start_matches("./");
        let mut saved = self.paths.iter().filter(|(saved, _)| saved == path).map(|(_, line)| *line);
        saved.find(|line| !place.compared.cover(path, *line, place.line))
    }

    /// Whether a command runs one of them, installs it, or lets others run it. One that is moved keeps its origin.
    pub(super) fn run_by(&mut self, command: &Command, place: &Place) -> bool {
        let argv = command.argv();
        let Some((program, rest)) = argv.split_first() else { return false };
        let operands = || rest.iter().copied().filter(|word| !word.starts_with('-'));
        let named = || operands().any(|word| self.has(word, place).is_some());
        match *program {
            "tar" | "bsdtar" | "unzip" if named() => {
                self.unpacked = true;
                unpacks_programs(&argv)
            }
            "mv" | "cp" | "install" if self.unpacked && operands().any(is_for_programs) => true,
            "mv" | "cp" => {
                let moved = operands().find_map(|word| Some((word, self.has(word, place)?)));
                if let (Some((moved, line)), Some(to)) = (moved, operands().next_back()) {
                    let to = known(to, place.script);
                    let inside = format!("{}/{}", to.trim_end_matches('/'), base(moved));
                    self.extend(vec![to, inside], line);
                }
                false
            }
            "scp" | "rsync" => {
                let sent = operands().find(|word| self.has(word, place).is_some());
                let to = operands().next_back().and_then(|to| to.split_once(':'));
                if let Some((sent, (_, to))) = sent.zip(to) {
                    let inside = format!("{}/{}", to.trim_end_matches('/'), base(sent));
                    self.carried.extend([to.to_owned(), inside]);
                }
                false
            }
            "chmod" => operands().next().is_some_and(is_executable) && named(),
            "install" => {
                let at = rest.iter().position(|word| ["-m", "--mode"].contains(word));
                let mode = at.and_then(|at| rest.get(at + 1)).copied();
                let joined = rest.iter().find_map(|word| {
                    word.strip_prefix("--mode=").or_else(|| word.strip_prefix("-m"))
                });
                let mode = mode.or(joined.filter(|mode| !mode.is_empty()));
                mode.is_none_or(is_executable) && named()
            }
            "dpkg" | "rpm" => rest.iter().any(|word| word.starts_with(['-'])) && named(),
            "apt" | "apt-get" | "dnf" | "yum" => rest.contains(&"install") && named(),
            "." | "source" => rest.first().is_some_and(|word| self.has(word, place).is_some()),
            name if is_interpreter(name) => {
                let file = rest.iter().find(|word| !word.starts_with(['-', '+']));
                file.is_some_and(|word| self.has(word, place).is_some())
            }
            _ => {
                // The program with its folder.
                let word = command.words.iter().find(|word| base(&word.text) == *program);
                word.is_some_and(|word| {
                    word.text.contains(['/', '$']) && self.has(&word.text, place).is_some()
                })
            }
        }
    }
}
