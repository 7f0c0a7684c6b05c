//! Kinds of words: the form of an operand or an option's value.

mod devices;
mod paths;
mod written;

use super::characters::{all, is_number, some, starts_plain};
use super::place::Place;
use super::{secrets, url};

pub(super) use paths::is_log;
use paths::{is_below, is_certificate, is_content, is_listing, is_small};

/// The longest operand, in bytes.
const WORD_BYTES: usize = 255;

/// The longest time until a date, in digits of seconds: 31 years.
const SECONDS_DIGITS: usize = 9;

/// Endings of units that hold only their own processes.
const UNIT_ENDS: [&str; 6] = [".service", ".timer", ".socket", ".mount", ".target", ".path"];

/// Conversions of `date`.
const CONVERSIONS: &str = "aAbBcCdDeFgGhHIjklmMNpPqrRsSTuUVwWxXyYzZ%";

/// Conversions of `stat`: all of them describe a file, none shows its content.
const STAT_CONVERSIONS: &str = "aAbBdDfFgGhiInNosStTuUwWxXyYzZ%";

/// The highest count of a repetition in a pattern. `grep` takes memory for each repeated character.
const REPETITIONS: u32 = 99;

/// Columns of `ps` without the arguments, which may contain passwords.
const PROCESS_COLUMNS: [&str; 24] = [
    "pid", "ppid", "pgid", "sid", "uid", "user", "group", "comm", "ucomm", "stat", "state", "tty",
    "etime", "etimes", "time", "start", "lstart", "pcpu", "pmem", "rss", "vsz", "ni", "nlwp",
    "psr",
];

/// The kinds of a word.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A file whose content is shown: in the workspace, or one of the few system files above.
    Content,
    /// A file or folder of which only the name and size are shown.
    Listing,
    /// The same for a program that goes through everything below it. On a server this is a folder below one of the large
    /// ones: a walk through `/etc`, a home or the whole disk needs an approval.
    Tree,
    /// A folder of the workspace.
    Folder,
    Number,
    /// Seconds until a date, of which more digits are usual.
    Seconds,
    /// `20`, or `+20` for all lines from this one.
    FromLine,
    /// `-7` or `+30` for days and minutes, `+10M` for sizes.
    Amount,
    /// Text to print. `echo` takes only words of the letters `n`, `e` and `E` for options.
    Text,
    /// A regular expression to search for, in any syntax of `grep`.
    Pattern,
    /// Plain words to search for with PCRE, whose expressions can take a time without a bound.
    Phrase,
    /// The name of a service, container, package or program.
    Name,
    /// A network interface by a usual name. Asked for one that it does not know, the kernel loads the module of
    /// that name.
    Interface,
    /// One unit of systemd, whose processes alone are shown.
    Unit,
    /// A pattern for file names.
    NamePattern,
    /// A pattern for paths.
    PathPattern,
    /// `1,3-5`
    Ranges,
    /// `2,2n`
    SortKey,
    /// One character between fields.
    Delimiter,
    /// `10,20p`
    SedLines,
    /// `{print $1, $3}`
    AwkPrint,
    /// `.services.web[0]`
    JqPath,
    /// `+%F %T`
    DateFormat,
    /// `1 hour ago`, `-1h`, `2026-01-31 10:00`
    Moment,
    /// `NAME,SIZE`
    Columns,
    ProcessColumns,
    /// `-pcpu,rss`
    ProcessOrder,
    /// `{{.Names}} {{.Status}}`, of these fields, and with at least one: without any, docker takes `json` and `raw` for
    /// the names of formats that show all fields.
    GoFields(&'static [&'static str]),
    /// The file of a certificate, which a program describes without showing it.
    Certificate,
    /// `%U %a`, for `stat`
    StatFormat,
    /// `sport = :443`. A filter with a host would look up its name.
    PortFilter,
    /// `:443`
    Port,
    /// `name=web`, of what docker's lists show anyway: a filter for labels would tell what is in them.
    DockerFilter,
    /// A page of this machine that is known to have no effect.
    LoopbackUrl,
    /// `%{http_code}\n`, for `curl`
    WriteOut,
    /// `Accept: application/json`
    AcceptHeader,
    /// Exactly one of these.
    OneOf(&'static [&'static str]),
    /// One or more of these, with commas between them.
    ListOf(&'static [&'static str]),
}

impl Kind {
    /// Whether `word` is of this kind.
    pub(super) fn is(self, word: &str, place: Place) -> bool {
        if word.len() > WORD_BYTES {
            return false;
        }
        match self {
            Self::Content => is_content(word, place),
            Self::Listing => is_listing(word, place),
            Self::Tree => is_listing(word, place) && (place != Place::Server || is_small(word)),
            Self::Folder => is_below(word),
            Self::Number => is_number(word),
            Self::Amount => is_amount(word),
            Self::Seconds => {
                word.len() <= SECONDS_DIGITS && word.bytes().all(|b| b.is_ascii_digit())
            }
            Self::FromLine => is_number(word.strip_prefix('+').unwrap_or(word)),
            Self::Text => !written::is_echo_option(word),
            Self::Pattern => !word.starts_with('-') && is_bounded(word),
            Self::Phrase => starts_plain(word) && all(word, " _./:=@,'|-"),
            Self::Name => starts_plain(word) && all(word, "._@:+-"),
            Self::Interface => devices::is_interface(word),
            Self::Unit => Self::Name.is(word, place) && is_unit(word),
            Self::NamePattern => !word.starts_with('-') && all(word, "._*?+-"),
            Self::PathPattern => !word.starts_with('-') && all(word, "./_*?+-"),
            Self::Ranges => {
                some(word) && word.bytes().all(|b| b.is_ascii_digit() || b",-".contains(&b))
            }
            Self::SortKey => word.starts_with(|c: char| c.is_ascii_digit()) && all(word, ",."),
            Self::Delimiter => word.len() == 1 && word != "-",
            Self::SedLines => is_sed_lines(word),
            Self::AwkPrint => is_awk_print(word),
            Self::JqPath => is_jq_path(word),
            Self::DateFormat => {
                word.strip_prefix('+').is_some_and(|format| is_format(format, CONVERSIONS))
            }
            Self::Moment => {
                let word = word.strip_prefix('-').unwrap_or(word);
                starts_plain(word) && all(word, " :.-")
            }
            Self::Columns => starts_plain(word) && all(word, ",-%"),
            Self::ProcessColumns => word.split(',').all(is_process_column),
            Self::ProcessOrder => {
                word.split(',').all(|one| is_process_column(one.trim_start_matches(['-', '+'])))
            }
            Self::GoFields(fields) => is_go_fields(word, fields),
            Self::Certificate => is_certificate(word),
            Self::StatFormat => is_format(word, STAT_CONVERSIONS),
            Self::PortFilter => is_port_filter(word),
            Self::LoopbackUrl => url::loopback_port(word).is_some(),
            Self::Port => word.strip_prefix(':').is_some_and(is_number),
            Self::DockerFilter => written::is_docker_filter(word),
            Self::WriteOut => written::is_write_out(word),
            Self::AcceptHeader => word
                .strip_prefix("Accept: ")
                .is_some_and(|media| starts_plain(media) && all(media, "/+.*-")),
            Self::OneOf(words) => words.contains(&word),
            Self::ListOf(words) => word.split(',').all(|one| words.contains(&one)),
        }
    }
}

fn is_amount(word: &str) -> bool {
    let word = word.strip_prefix(['-', '+']).unwrap_or(word);
    is_number(word.strip_suffix(['c', 'k', 'M', 'G']).unwrap_or(word))
}

/// Refuses units that hold those of others (slices, a user's manager, sessions) and numbers of processes, also `0x3e8`, which
/// stand for the unit of the process. Of these, systemctl shows the arguments of every process below.
fn is_unit(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let own = !word.contains('.') || UNIT_ENDS.iter().any(|end| word.ends_with(end));
    own && !word.starts_with("user@") && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Refuses widths of fields: `date +%2147483647Y` prints two gigabytes.
fn is_format(format: &str, conversions: &str) -> bool {
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        let known = match c {
            '%' => chars.next().is_some_and(|conversion| conversions.contains(conversion)),
            c => c.is_ascii_alphanumeric() || " :/_.,+-".contains(c),
        };
        if !known {
            return false;
        }
    }
    some(format)
}

/// Refuses what takes `grep` memory or time without a bound: high or nested repetitions and references to groups.
fn is_bounded(pattern: &str) -> bool {
    // `{` before anything else stands for itself. Extended expressions write `{3}`, basic ones `\{3\}`.
    let counted = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_digit() || c == ',');
    let small = |rest: &str| {
        let counts = rest.split(['}', '\\']).next().unwrap_or_default();
        counts.split(',').all(|n| n.is_empty() || n.parse().is_ok_and(|n: u32| n <= REPETITIONS))
    };
    let repetitions: Vec<&str> = pattern.split('{').skip(1).filter(counted).collect();
    let refers =
        pattern.split('\\').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    repetitions.len() <= 1 && repetitions.into_iter().all(small) && !refers
}

fn is_sed_lines(word: &str) -> bool {
    let end = |text: &str| is_number(text) || text == "$";
    word.strip_suffix('p').is_some_and(|lines| {
        lines.split_once(',').map_or(end(lines), |(from, to)| end(from) && end(to))
    })
}

/// Allows only fields, because an awk program can run other programs, open sockets and choose its own files.
fn is_awk_print(word: &str) -> bool {
    let fields = word.strip_prefix("{print ").and_then(|rest| rest.strip_suffix('}'));
    let field = |text: &str| {
        text.trim().strip_prefix('$').is_some_and(|field| is_number(field) || field == "NF")
    };
    fields.is_some_and(|fields| fields.split(',').all(field))
}

/// Allows only keys and indexes, because a jq filter can show the environment and load other filters.
fn is_jq_path(word: &str) -> bool {
    let Some(path) = word.strip_prefix('.') else { return ["keys", "length"].contains(&word) };
    path.split('.').all(|part| {
        let (key, indexes) = part.split_once('[').map_or((part, None), |(k, i)| (k, Some(i)));
        let key = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && !key.starts_with(|c: char| c.is_ascii_digit());
        let indexes = indexes.is_none_or(|indexes| {
            indexes.strip_suffix(']').is_some_and(|inside| {
                inside.split("][").all(|index| index.is_empty() || is_number(index))
            })
        });
        key && indexes
    })
}

fn is_process_column(word: &str) -> bool {
    let word = word.strip_suffix('=').unwrap_or(word);
    PROCESS_COLUMNS.contains(&word) || ["%cpu", "%mem"].contains(&word)
}

fn is_port_filter(word: &str) -> bool {
    let port = word.strip_prefix("sport = :").or_else(|| word.strip_prefix("dport = :"));
    port.is_some_and(is_number)
}

/// Allows known fields of a Go template, without functions and pipes.
fn is_go_fields(word: &str, fields: &[&str]) -> bool {
    let mut rest = word;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((field, after)) = after.split_once("}}") else { return false };
        let named = field.strip_prefix('.').is_some_and(|field| fields.contains(&field));
        if !named || before.contains(['{', '}']) {
            return false;
        }
        rest = after;
    }
    word.contains("{{") && !rest.contains(['{', '}']) && !word.starts_with('-')
}
