//! Commands whose words mean more than options and operands.

use super::may_run;
use super::options::{Operands, Options};
use super::parse::Word;
use super::table::is_plain_file;

/// The words as text, when all are literal.
fn literal(words: &[Word]) -> Option<Vec<&str>> {
    words
        .iter()
        .all(Word::is_literal)
        .then(|| words.iter().map(|word| word.text.as_str()).collect())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A name as services, containers and devices have it.
fn is_name(text: &str) -> bool {
    let inside = |b: u8| b.is_ascii_alphanumeric() || b"._-@:".contains(&b);
    !text.is_empty() && !text.starts_with('-') && text.bytes().all(inside)
}

const FIND: [&str; 33] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-type",
    "-maxdepth",
    "-mindepth",
    "-mtime",
    "-mmin",
    "-ctime",
    "-cmin",
    "-atime",
    "-amin",
    "-newer",
    "-size",
    "-user",
    "-group",
    "-perm",
    "-print",
    "-print0",
    "-printf",
    "-ls",
    "-o",
    "-a",
    "-not",
    "-empty",
    "-prune",
    "-xdev",
    "-mount",
    "-regex",
    "-L",
    "-H",
    "-P",
];

pub(super) fn find(words: &[Word]) -> bool {
    words.iter().all(|word| {
        let known =
            !word.text.starts_with('-') || FIND.contains(&word.text.as_str()) || is_age(&word.text);
        known && !word.open && word.globs.first() != Some(&0)
    })
}

/// `-7` of `-mtime -7`.
fn is_age(text: &str) -> bool {
    let digits = text.trim_start_matches('-').trim_end_matches(|c: char| "kMG".contains(c));
    is_number(digits)
}

/// `command -v` only says where a command lies.
pub(super) fn command(words: &[Word]) -> bool {
    matches!(literal(words).as_deref(), Some(["-v" | "-V", _, ..]))
}

const TESTS: [&str; 26] = [
    "-e", "-f", "-d", "-s", "-r", "-w", "-x", "-L", "-h", "-n", "-z", "-S", "-p", "-b", "-c", "-u",
    "-g", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
];

/// Not `-v`: it evaluates the subscript of what it is asked about, substitutions included.
pub(super) fn test(words: &[Word]) -> bool {
    let known = |text: &&str| !text.starts_with('-') || TESTS.contains(text);
    literal(words).is_some_and(|words| words.iter().all(|text| known(text) || is_age(text)))
}

pub(super) fn cd(words: &[Word]) -> bool {
    let may = |folder: &str| !folder.starts_with('-') && folder != "ssh";
    literal(words).is_some_and(|words| words.len() <= 1 && words.iter().all(|folder| may(folder)))
}

/// Not `-v`: it assigns.
pub(super) fn printf(words: &[Word]) -> bool {
    words.first().is_some_and(|format| format.is_literal() && !format.text.starts_with('-'))
}

/// Only `sed -n 3,9p`: its other commands can write and run.
pub(super) fn sed(words: &[Word]) -> bool {
    let lines = |script: &str| {
        script.strip_suffix('p').is_some_and(|range| {
            let end = |text: &str| is_number(text) || text == "$";
            range.split_once(',').map_or(end(range), |(from, to)| end(from) && end(to))
        })
    };
    match words {
        [quiet, script, files @ ..] => {
            let known = quiet.text == "-n" && script.is_literal() && lines(&script.text);
            known && files.iter().all(|file| is_plain_file(file) && !file.text.starts_with('-'))
        }
        _ => false,
    }
}

/// Programs without calls, pipes and redirections, so also without comparisons by `<` and `>`.
pub(super) fn awk(words: &[Word]) -> bool {
    let harmless = |program: &str| {
        let words = ["getline", "ENVIRON", "system", "close", "print>"];
        !program.contains(['(', '<', '>', '|', '@', '\\', '&'])
            && !words.iter().any(|word| program.contains(word))
    };
    let words = match words {
        [separator, value, rest @ ..] if separator.text == "-F" && value.is_literal() => rest,
        [separator, rest @ ..] if separator.text.starts_with("-F") && separator.is_literal() => {
            rest
        }
        words => words,
    };
    match words {
        [program, files @ ..] => {
            let known =
                program.is_literal() && !program.text.starts_with('-') && harmless(&program.text);
            known && files.iter().all(|file| is_plain_file(file) && !file.text.starts_with('-'))
        }
        [] => false,
    }
}

/// Not what shows the environment or loads other programs.
pub(super) fn jq(words: &[Word]) -> bool {
    const JQ: Options =
        Options { flags: "rcMnSsej", values: "", long: &[], operands: Operands::Any };
    let loads = |text: &str| {
        let text = text.to_lowercase();
        ["env", "import", "include"].iter().any(|word| text.contains(word))
    };
    JQ.allow(words) && words.iter().all(|word| is_plain_file(word) && !loads(&word.text))
}

/// Any other operand than a format would set the clock.
pub(super) fn date(words: &[Word]) -> bool {
    let shows = |text: &&str| {
        text.starts_with('+')
            || text.starts_with("-I")
            || ["-u", "--utc", "-R", "--iso-8601"].contains(text)
    };
    literal(words).is_some_and(|words| words.iter().all(shows))
}

/// Exact words: a cluster with `e` in it shows environments in some spellings.
pub(super) fn ps(words: &[Word]) -> bool {
    const ALONE: [&str; 15] = [
        "aux",
        "auxf",
        "auxww",
        "axf",
        "ax",
        "-e",
        "-f",
        "-ef",
        "-eF",
        "-A",
        "-w",
        "-ww",
        "-eLf",
        "--forest",
        "--no-headers",
    ];
    let value =
        |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"%,=_.-+:".contains(&b));
    let Some(words) = literal(words) else { return false };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let sorted = word.strip_prefix("--sort=").is_some_and(value);
        let valued = ["-o", "-eo", "-p", "-C", "-U", "-u"].contains(&word);
        let known = ALONE.contains(&word)
            || sorted
            || (valued && words.next().is_some_and(|next| !next.starts_with('-') && value(next)));
        if !known {
            return false;
        }
    }
    true
}

/// `ip addr show dev eth0`; every abbreviation of a verb but these asks.
pub(super) fn ip(words: &[Word]) -> bool {
    let Some(words) = literal(words) else { return false };
    let options =
        words.iter().take_while(|word| ["-br", "-brief", "-4", "-6", "-j", "-s"].contains(word));
    match &words[options.count()..] {
        ["addr" | "address" | "a" | "link" | "l" | "route" | "r" | "neigh", rest @ ..] => {
            match rest {
                [] | ["show" | "list" | "ls"] => true,
                ["show" | "list" | "ls", "dev", device] => is_name(device),
                _ => false,
            }
        }
        _ => false,
    }
}

/// A host's name would be looked up, and a name can carry words outside.
pub(super) fn lsof(words: &[Word]) -> bool {
    const LSOF: Options =
        Options { flags: "nPltU", values: "ipsu", long: &[], operands: Operands::Any };
    LSOF.allow(words) && words.iter().all(|word| !word.is_glob() && !word.text.contains('@'))
}

pub(super) fn getent(words: &[Word]) -> bool {
    matches!(literal(words).as_deref(), Some(["passwd" | "group" | "services" | "protocols", ..]))
}

pub(super) fn dpkg(words: &[Word]) -> bool {
    let Some(words) = literal(words) else { return false };
    match words.as_slice() {
        ["-l" | "-s" | "-L" | "-S" | "--list" | "--status", rest @ ..] => {
            rest.iter().all(|word| !word.starts_with('-'))
        }
        _ => false,
    }
}

pub(super) fn systemctl(words: &[Word]) -> bool {
    const OPTIONS: Options = Options {
        flags: "alq",
        values: "nt",
        long: &[
            "--no-pager",
            "--all",
            "--full",
            "--lines",
            "--type",
            "--state",
            "--failed",
            "--user",
            "--plain",
            "--quiet",
            "--no-legend",
        ],
        operands: Operands::Any,
    };
    const VERBS: [&str; 8] = [
        "status",
        "is-active",
        "is-enabled",
        "is-failed",
        "list-units",
        "list-timers",
        "list-unit-files",
        "list-sockets",
    ];
    // The verb is the first operand; whatever follows it is a unit.
    let verb = words.iter().find(|word| !word.text.starts_with('-'));
    let lists = words.iter().any(|word| word.text == "--failed") && verb.is_none();
    let known = verb.is_some_and(|verb| verb.is_literal() && VERBS.contains(&verb.text.as_str()));
    OPTIONS.allow(words) && (known || lists) && !hides_the_verb(words)
}

/// An option's value before the verb could be taken for the verb.
fn hides_the_verb(words: &[Word]) -> bool {
    words.first().is_some_and(|word| word.text.starts_with('-') && !word.text.starts_with("--"))
        || words
            .iter()
            .take_while(|word| word.text.starts_with('-'))
            .any(|word| ["--lines", "--type", "--state"].contains(&word.text.as_str()))
}

const ANY: Operands = Operands::Any;

fn docker_options(verb: &[&str]) -> Option<Options> {
    let long: &'static [&'static str] = &[
        "--all",
        "--filter",
        "--format",
        "--no-trunc",
        "--quiet",
        "--latest",
        "--size",
        "--tail",
        "--timestamps",
        "--since",
        "--until",
        "--no-stream",
        "--services",
        "--status",
        "--no-color",
    ];
    Some(match verb {
        ["ps" | "images"] | ["container" | "image" | "network" | "volume", "ls"] => {
            Options { flags: "aqls", values: "fn", long, operands: ANY }
        }
        ["logs"] => Options { flags: "t", values: "n", long, operands: ANY },
        ["version" | "info" | "port" | "diff" | "stats"] | ["system", "df"] => {
            Options { flags: "", values: "f", long, operands: ANY }
        }
        _ => return None,
    })
}

pub(super) fn docker(words: &[Word]) -> bool {
    let Some((verb, rest)) = words.split_first().filter(|(verb, _)| verb.is_literal()) else {
        return false;
    };
    if verb.text == "compose" {
        return compose(rest);
    }
    if verb.text == "stats" && !rest.iter().any(|word| word.text == "--no-stream") {
        return false;
    }
    if let Some(options) = docker_options(&[&verb.text]) {
        return options.allow(rest);
    }
    match rest.split_first() {
        Some((second, rest)) if second.is_literal() => {
            docker_options(&[&verb.text, &second.text]).is_some_and(|options| options.allow(rest))
        }
        _ => false,
    }
}

pub(super) fn compose(words: &[Word]) -> bool {
    let mut rest = words;
    while let [option, value, more @ ..] = rest {
        let file = ["-f", "--file", "-p", "--project-name", "--project-directory"]
            .contains(&option.text.as_str());
        if !file || !value.is_literal() || value.text.starts_with('-') {
            break;
        }
        rest = more;
    }
    let Some((verb, rest)) = rest.split_first().filter(|(verb, _)| verb.is_literal()) else {
        return false;
    };
    let options = match verb.text.as_str() {
        "ps" | "ls" | "images" => docker_options(&["ps"]),
        "logs" => docker_options(&["logs"]),
        "port" | "version" => docker_options(&["port"]),
        _ => None,
    };
    options.is_some_and(|options| options.allow(rest))
}

/// Nothing that starts a provider's program, and no single output: asked for by name, one that is
/// marked sensitive is shown.
pub(super) fn terraform(words: &[Word]) -> bool {
    let Some(mut words) = literal(words) else { return false };
    if words.first().is_some_and(|word| word.starts_with("-chdir=")) {
        words.remove(0);
    }
    words.retain(|word| *word != "-no-color");
    match words.as_slice() {
        ["version" | "output"] | ["state", "list"] | ["workspace", "show" | "list"] => true,
        ["fmt", rest @ ..] => {
            let known = |word: &&str| ["-check", "-diff", "-recursive"].contains(word);
            rest.contains(&"-check") && rest.iter().all(known)
        }
        _ => false,
    }
}

/// `timeout 5 …` is what follows it.
pub(super) fn timeout(words: &[Word]) -> bool {
    match words {
        [time, command @ ..] => {
            let time = time.text.trim_end_matches(['s', 'm']);
            is_number(time) && !command.is_empty() && may_run(command)
        }
        [] => false,
    }
}
