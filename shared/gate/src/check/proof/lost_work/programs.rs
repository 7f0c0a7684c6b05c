//! Single commands that lose the failure of work that they carry.

use super::super::commands::{masks, only_tells};
use super::super::says;
use super::Fate;
use crate::bash::{self, Command, Script};
use crate::work::is_work;

/// `setsid --fork` returns before the work has ended.
pub(super) fn forks(command: &Command) -> Option<Fate> {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    let at = words.iter().position(|word| bash::base(word) == "setsid")?;
    let options = words[at + 1..].iter().take_while(|word| word.starts_with('-'));
    let forks =
        |word: &&&str| **word == "--fork" || (!word.starts_with("--") && word.contains('f'));
    options
        .into_iter()
        .any(|word| forks(&word))
        .then_some(Fate::Lost { because: says::BACKGROUND, surely: true })
}

/// Why a command loses the failure of the work that it carries.
pub(super) fn loses(script: &Script, command: &Command) -> Option<&'static str> {
    let argv = command.argv();
    let works = |text: &str| bash::read(text).commands.iter().any(|one| is_work(one, false));
    let substituted =
        |word: &str| word.split("$(").skip(1).any(|rest| works(rest.trim_end_matches(')')));
    if command
        .reads
        .iter()
        .any(|from| from.strip_prefix("<(").is_some_and(|it| works(it.trim_end_matches(')'))))
    {
        return Some(says::EMPTY);
    }
    if argv.iter().any(|word| substituted(word)) {
        if masks(command) {
            return Some(says::MASKED);
        }
        if only_tells(command) {
            return Some(says::SUBSTITUTED);
        }
    }
    match argv.as_slice() {
        ["find", rest @ ..] => {
            let from = rest.iter().position(|word| ["-exec", "-execdir"].contains(word))?;
            let carried = &rest[from + 1..];
            let end = carried.iter().position(|word| [";", "\\;"].contains(word))?;
            works(&carried[..end].join(" ")).then_some(says::FOUND)
        }
        ["make", rest @ ..] => {
            let ignores = |word: &&str| {
                **word == *"--ignore-errors"
                    || (word.starts_with('-') && !word.starts_with("--") && word.contains('i'))
            };
            rest.iter().any(ignores).then_some(says::IGNORED)
        }
        ["python" | "python3", ..] => {
            let fed = command.heredocs.iter().filter_map(|at| script.heredocs.get(*at));
            let fed = fed.map(|heredoc| heredoc.text.as_str());
            let said = argv.windows(2).filter(|pair| pair[0] == "-c").map(|pair| pair[1]);
            fed.chain(said).any(python).then_some(says::UNCHECKED)
        }
        _ => None,
    }
}

/// Whether Python starts work and does not look at its status.
fn python(code: &str) -> bool {
    let starts = ["subprocess.run(", "subprocess.call(", "subprocess.Popen(", "os.system("];
    let looks = [
        "check=True",
        "check_call",
        "check_output",
        "check_returncode",
        "returncode",
        "raise",
        "sys.exit",
        "SystemExit",
        "assert",
        ".wait(",
        "= os.system(",
        "if os.system(",
    ];
    let words = code.replace(['"', '\'', ',', '[', ']', '(', ')'], " ");
    let works = words.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (0..words.len()).any(|at| {
            let text = words[at..].join(" ");
            is_work(&bash::read(&text).commands.first().cloned().unwrap_or_default(), false)
        })
    });
    works
        && starts.iter().any(|start| code.contains(start))
        && !looks.iter().any(|look| code.contains(look))
}
