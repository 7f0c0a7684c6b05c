//! Proofs that pass whether or not the work was done.
//!
//! Some look at nothing that the work made: fixed words, the system's own files, what any machine prints. Some make
//! what they look for. Some never get to the command that would fail.

mod own;

use super::commands::{fails, only_tells};
use super::fixed::{is_fixed, is_said, is_status, only_starts};
use super::says;
use super::shows::{Shown, carried, passes_on, shown};
use super::tools::{ANY_SHELL, FILTERS, HERE, PRESENT, asks, is_a_tool, is_place};
use crate::bash::tree::{Chain, List, Node, Pipeline, tree};
use crate::bash::{self, Command, Script};

/// Programs that succeed on any machine, if they are given no file.
const ANYWHERE: [&str; 17] = [
    "arch", "cd", "clear", "date", "df", "env", "free", "groups", "hostname", "id", "ls", "mount",
    "printenv", "ps", "pwd", "uname", "uptime",
];

/// The same, whatever they are given.
const ALWAYS: [&str; 14] = [
    "hostnamectl",
    "jobs",
    "logger",
    "lscpu",
    "lsb_release",
    "lsblk",
    "lsmod",
    "netstat",
    "nproc",
    "seq",
    "ss",
    "tput",
    "wait",
    "whoami",
];

/// Whether nothing in a list depends on the work.
pub(super) fn is_idle(list: &List, script: &Script) -> bool {
    is_idle_by(list, script, |part| pipeline(part, script))
}

/// The same for the proof itself, which runs in a sandbox: it may also ask only for programs that every sandbox has, or for
/// a file that the script before it writes.
pub(super) fn is_idle_here(list: &List, script: &Script, before: &str) -> bool {
    let asks = |part: &Pipeline| match part.parts.as_slice() {
        [Node::Simple(at), rest @ ..] => {
            is_a_tool(&script.commands[*at], &HERE) && rest.iter().all(|node| passes(node, script))
        }
        _ => false,
    };
    let own = |part: &Pipeline| own::asks(part, script, before);
    is_idle_by(list, script, |part| pipeline(part, script) || asks(part) || own(part))
}

/// Whether a pipeline succeeds whether or not the work was done. An assignment keeps the failure: `a || code=$?`.
pub(super) fn always_passes(part: &Pipeline, script: &Script) -> bool {
    let assigns = match part.parts.as_slice() {
        [Node::Simple(at)] => script.commands[*at].argv().is_empty(),
        _ => true,
    };
    !assigns && pipeline(part, script)
}

fn is_idle_by(list: &List, script: &Script, idle: impl Fn(&Pipeline) -> bool) -> bool {
    list.0.iter().all(|chain| {
        // What follows `||` does not run, because nothing before it fails.
        let follows = |(or, part): &(bool, Pipeline)| idle(part) || (*or && leaves(part, script));
        idle(&chain.first) && chain.rest.iter().all(follows)
    })
}

/// Whether the commands of a text only show something, or are idle.
fn is_idle_text(text: &str) -> bool {
    let script = bash::read(text);
    tree(&script).is_some_and(|list| is_idle(&list, &script))
}

/// Why an idle proof proves nothing.
pub(super) fn why(script: &Script) -> &'static str {
    if any(script, &only_starts) {
        says::STARTED
    } else if any(script, &|command| shown(command).is_some()) {
        says::SHOWN
    } else {
        says::NOTHING
    }
}

/// Whether any command fits, here or where a command carries it.
fn any(script: &Script, fits: &dyn Fn(&Command) -> bool) -> bool {
    script.commands.iter().any(|command| {
        fits(command) || carried(command, script).iter().any(|text| any(&bash::read(text), fits))
    })
}

/// Whether a list ends the proof with a failure.
fn leaves_badly(list: &List, script: &Script) -> bool {
    list.0.last().is_some_and(|chain| chain.rest.is_empty() && leaves(&chain.first, script))
}

fn leaves(pipeline: &Pipeline, script: &Script) -> bool {
    match pipeline.parts.as_slice() {
        [Node::Simple(at)] => fails(&script.commands[*at]),
        [Node::Group(list) | Node::Subshell(list)] => leaves_badly(list, script),
        _ => false,
    }
}

fn pipeline(pipeline: &Pipeline, script: &Script) -> bool {
    let [first, rest @ ..] = pipeline.parts.as_slice() else { return true };
    let filters = rest.iter().all(|node| match node {
        Node::Simple(at) => {
            script.commands[*at].program().is_some_and(|program| FILTERS.contains(&program))
        }
        _ => false,
    });
    match first {
        Node::Simple(at) => {
            let command = &script.commands[*at];
            let tells = only_tells(command);
            let fixed = || command.words.iter().all(|word| !asks(&word.text, script));
            let fed = !command.reads.is_empty() || !command.heredocs.is_empty();
            let shows = || only_shows(command, script);
            let same = || is_fixed(command, script) || (pipeline.negated && fails(command));
            match rest {
                [] if same() || only_starts(command) => true,
                [_, ..] if rest.iter().all(|node| passes(node, script)) && is_status(command) => {
                    true
                }
                [] => tells || shows() || (!fed && idle(command, script)),
                _ if rest.iter().all(|node| passes(node, script)) => {
                    tells || shows() || (!fed && idle(command, script))
                }
                _ => filters && ((tells && fixed()) || finds_itself(command, rest, script)),
            }
        }
        Node::Group(list) | Node::Subshell(list) | Node::For { body: list, .. } => {
            rest.is_empty() && is_idle(list, script)
        }
        Node::If { branches, otherwise } => {
            let bodies = || branches.iter().map(|(_, body)| body).chain(otherwise);
            rest.is_empty()
                && branches.iter().all(|(condition, _)| is_idle(condition, script))
                && bodies().all(|body| is_idle(body, script) || leaves_badly(body, script))
        }
        Node::Function(..) => true,
        _ => false,
    }
}

/// Whether a command shows something here, on a server or in a container. If no one sees what it prints about one thing,
/// its author relies on its status, which says whether that thing exists.
fn only_shows(command: &Command, script: &Script) -> bool {
    let discards = command.writes.iter().any(|(path, _)| path == "/dev/null");
    let scripts = carried(command, script);
    match shown(command) {
        Some(Shown::Anything) => true,
        Some(Shown::Named) => !discards,
        None => !scripts.is_empty() && scripts.iter().all(|text| is_idle_text(text)),
    }
}

fn passes(node: &Node, script: &Script) -> bool {
    matches!(node, Node::Simple(at) if passes_on(&script.commands[*at]))
}

/// `ps aux | grep nginx`: the list has the search itself.
fn finds_itself(command: &Command, rest: &[Node], script: &Script) -> bool {
    let argv = command.argv();
    let lists_all = argv.get(1).is_some_and(|how| {
        let how = how.trim_start_matches('-');
        let all = how.contains(['e', 'A']) || (how.contains('a') && how.contains('x'));
        // With `-o comm`, a search is only `grep`.
        all && !how.contains('o') && !argv.contains(&"-o")
    });
    let searches = rest.iter().filter_map(|node| match node {
        Node::Simple(at) => Some(script.commands.get(*at)?.argv()),
        _ => None,
    });
    let spared = |argv: &Vec<&str>| argv.iter().any(|word| word.contains('[') || *word == "-v");
    argv.first() == Some(&"ps") && lists_all && !searches.into_iter().any(|argv| spared(&argv))
}

fn idle(command: &Command, script: &Script) -> bool {
    if is_a_tool(command, &PRESENT) {
        return true;
    }
    let argv = command.argv();
    let Some((program, given)) = argv.split_first() else {
        // Only assignments: one fails if its command does.
        let values = command.words.iter().filter_map(|word| bash::assignment(&word.text));
        return values.into_iter().all(|(_, value)| {
            !value.contains("$(") || swallows(value) || shows_in_substitution(value)
        });
    };
    if script.functions.contains(*program) {
        return false;
    }
    // `date +%s` takes a format.
    let files = given.iter().any(|word| !word.starts_with(['-', '+']) && !is_place(word));
    match *program {
        "[" | "[[" | "test" => is_constant(given, script),
        "exit" | "return" => given == ["0"],
        "grep" => {
            given.last() == Some(&"/etc/passwd") && given.iter().any(|word| word.contains("root"))
        }
        "python3" | "python" | "node" | "perl" => prints(given),
        "cat" | "stat" => !given.is_empty() && !files,
        name if ALWAYS.contains(&name) => true,
        "id" if given == ["root"] => true,
        name if ANYWHERE.contains(&name) => !files,
        // A file never differs from itself.
        "cmp" | "diff" => match given {
            [.., one, other] => one == other && !asks(one, script),
            _ => false,
        },
        "getent" => given == ["passwd", "root"],
        "ping" => given.last().is_some_and(|host| ["127.0.0.1", "::1", "localhost"].contains(host)),
        _ => false,
    }
}

/// Whether a test compares only fixed words, or looks at a place that is always there.
fn is_constant(words: &[&str], script: &Script) -> bool {
    let words: Vec<&str> =
        words.iter().copied().filter(|word| *word != "]" && *word != "!").collect();
    let fixed = |word: &str| {
        is_said(word, script)
            || (!asks(word, script) && !word.replace("$?", "").contains(['*', '?']))
    };
    match words.as_slice() {
        [_] => fixed(words[0]),
        ["-n" | "-z", word] => fixed(word) || shows_any_machine(word),
        ["-v", name] => ANY_SHELL.contains(name),
        [operator, path] if operator.starts_with('-') => is_place(path),
        [left, _, right] => fixed(left) && fixed(right),
        _ => false,
    }
}

/// `$(date)`, which is never empty.
fn shows_any_machine(word: &str) -> bool {
    let inner = word.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    ["date", "hostname", "id", "pwd", "uname", "whoami"].iter().any(|name| inner == Some(name))
}

/// `$(docker ps)`.
fn shows_in_substitution(value: &str) -> bool {
    let inner = value.trim_matches('"').strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(is_idle_text)
}

/// `$(… || true)`.
fn swallows(value: &str) -> bool {
    let inner = value.trim_end_matches([')', '"']).trim_end();
    ["|| true", "|| :", "|| echo"].iter().any(|end| inner.ends_with(end))
        || inner.contains("|| echo ")
}

/// `python3 -c 'print("ok")'`.
fn prints(given: &[&str]) -> bool {
    let [option, code] = given else { return false };
    let code = code.trim().trim_end_matches(';');
    let printed =
        ["print(", "console.log(", "print "].iter().find_map(|begin| code.strip_prefix(begin));
    let fixed = |rest: &str| {
        let rest = rest.trim_end_matches(')').trim();
        let marks = ['"', '\''];
        rest.len() > 1
            && marks.iter().any(|mark| {
                rest.strip_prefix(*mark)
                    .and_then(|rest| rest.strip_suffix(*mark))
                    .is_some_and(|text| !text.contains(*mark))
            })
    };
    ["-c", "-e"].contains(option) && (code == "pass" || printed.is_some_and(fixed))
}

/// The line of a command that ends the proof well before the rest of it has run.
pub(super) fn leaves_early(list: &List, script: &Script) -> Option<usize> {
    let (_, before) = list.0.split_last()?;
    before.iter().find_map(|chain| {
        let command = alone(chain, script)?;
        let leaves = match command.argv().as_slice() {
            ["exit" | "return", "0"] | ["exit"] => true,
            [program, ..] => {
                command.words.first().is_some_and(|word| word.text == "exec")
                    && ["true", ":"].contains(program)
            }
            [] => false,
        };
        leaves.then_some(command.line)
    })
}

fn alone<'a>(chain: &Chain, script: &'a Script) -> Option<&'a Command> {
    match chain.first.parts.as_slice() {
        [Node::Simple(at)] if chain.rest.is_empty() => script.commands.get(*at),
        _ => None,
    }
}

/// The line of a trap that ends the script well, whatever failed.
pub(super) fn trapped(script: &Script) -> Option<usize> {
    let traps = script.commands.iter().find(|command| {
        let argv = command.argv();
        let [program, action, signals @ ..] = argv.as_slice() else { return false };
        let ends = ["EXIT", "ERR", "0"].iter().any(|signal| signals.contains(signal));
        let well = action.contains("exit 0")
            || action.trim_end_matches(';').trim_end().ends_with("exec true");
        *program == "trap" && ends && well
    });
    traps.map(|command| command.line)
}

/// The line of a check that runs in the background, so its exit code is lost.
pub(super) fn in_background(list: &List, script: &Script) -> Option<usize> {
    // A helper that a scratch test needs is stopped, or waited for by its number.
    let minds = script.commands.iter().any(|command| match command.argv().as_slice() {
        ["wait", job, ..] => !job.is_empty(),
        ["kill" | "pkill" | "trap", ..] => true,
        _ => false,
    });
    let chain = list.0.iter().find(|chain| chain.background)?;
    let line = match chain.first.parts.first()? {
        Node::Simple(at) => script.commands.get(*at)?.line,
        _ => 1,
    };
    (!minds).then_some(line)
}
