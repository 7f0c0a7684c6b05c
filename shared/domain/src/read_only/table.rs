//! The commands that are known, and what each may be given.

use super::options::{Operands, Options};
use super::parse::Word;
use super::{curl, special};
use Takes::{Just, Nothing, Only, Reads, Words};

/// What a command may be given.
#[derive(Clone, Copy)]
enum Takes {
    /// Nothing at all.
    Nothing,
    /// Exactly one of these lines.
    Just(&'static [&'static str]),
    /// Options and operands; it prints what files are, not what is in them.
    Only(Options),
    /// The same for a command that prints what is in files.
    Reads(Options),
    /// What its own function says.
    Words(fn(&[Word]) -> bool),
}

const fn opts(flags: &'static str, values: &'static str, long: &'static [&'static str]) -> Options {
    Options { flags, values, long, operands: Operands::Any }
}

const fn bare(flags: &'static str, values: &'static str, long: &'static [&'static str]) -> Options {
    Options { flags, values, long, operands: Operands::None }
}

/// Programs that may be asked for their `--version`, and nothing else unless they stand in the table.
/// (The bare word would be a script's name to half of them.)
const VERSIONED: [&str; 20] = [
    "ansible",
    "ansible-playbook",
    "aws",
    "bash",
    "curl",
    "docker",
    "docker-compose",
    "git",
    "go",
    "java",
    "mysql",
    "nginx",
    "node",
    "npm",
    "openssl",
    "php",
    "psql",
    "python3",
    "ruby",
    "terraform",
];

const GREP: Options = opts(
    "EFGPivwxcLlqsnHhoaUz0123456789",
    "emABC",
    &[
        "--color",
        "--count",
        "--ignore-case",
        "--line-number",
        "--only-matching",
        "--invert-match",
        "--max-count",
        "--after-context",
        "--before-context",
        "--context",
        "--fixed-strings",
        "--text",
        "--extended-regexp",
        "--word-regexp",
        "--quiet",
        "--with-filename",
        "--no-filename",
    ],
);
const SUMS: Options = opts("bt", "", &["--tag"]);

fn takes(name: &str) -> Option<Takes> {
    Some(match name {
        // What there is
        "ls" => Only(opts(
            "1aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ",
            "",
            &[
                "--color",
                "--all",
                "--almost-all",
                "--human-readable",
                "--full-time",
                "--time-style",
                "--si",
                "--size",
                "--sort",
                "--group-directories-first",
                "--recursive",
            ],
        )),
        "stat" => Only(opts("fLt", "c", &["--format", "--printf", "--file-system", "--terse"])),
        "du" => Only(opts(
            "abcDhHklLmsSxt0",
            "d",
            &[
                "--max-depth",
                "--human-readable",
                "--summarize",
                "--all",
                "--total",
                "--apparent-size",
            ],
        )),
        "df" => Only(opts(
            "aBhHiklPT",
            "tx",
            &["--human-readable", "--output", "--inodes", "--total", "--local"],
        )),
        "file" => Only(opts("bihLkN", "", &["--brief", "--mime", "--mime-type"])),
        "tree" => Only(opts("adfshpugDirtAQvc", "LPI", &["--dirsfirst", "--du", "--noreport"])),
        "find" => Words(special::find),
        "basename" | "dirname" => Only(opts("az", "s", &[])),
        "readlink" | "realpath" => Only(opts("efmnqsz", "", &[])),
        "which" => Only(opts("a", "", &[])),
        "type" => Only(opts("afptP", "", &[])),
        "command" => Words(special::command),
        "test" | "[" => Words(special::test),
        "cd" => Words(special::cd),
        "pwd" => Only(bare("LP", "", &[])),
        "true" | "false" => Nothing,
        // What is in files and streams
        "cat" => Reads(opts("AbeEnstTuv", "", &["--number", "--show-all"])),
        "head" | "tail" => Reads(opts("qvz0123456789", "nc", &["--lines", "--bytes", "--quiet"])),
        "nl" | "tac" => Reads(opts("", "b", &[])),
        "wc" => Reads(opts("clLmw", "", &["--lines", "--words", "--bytes", "--chars"])),
        "cut" => Reads(opts("sz", "bcdf", &["--delimiter", "--fields", "--output-delimiter"])),
        "tr" => Only(opts("cCdst", "", &["--delete", "--squeeze-repeats", "--complement"])),
        "sort" => Reads(opts(
            "bcdfghiMnRrsuVz",
            "kt",
            &[
                "--numeric-sort",
                "--reverse",
                "--unique",
                "--key",
                "--human-numeric-sort",
                "--version-sort",
            ],
        )),
        // A second operand of `uniq` is written to.
        "uniq" => {
            Only(bare("cdDiuz", "fsw", &["--count", "--repeated", "--unique", "--ignore-case"]))
        }
        "column" => Reads(opts("tx", "cNs", &["--table"])),
        "strings" => Reads(opts("a", "n", &[])),
        "diff" => Reads(opts(
            "abBcdEinquwyZ",
            "UW",
            &["--brief", "--unified", "--side-by-side", "--color"],
        )),
        "cmp" | "comm" => Reads(opts("bls123", "", &[])),
        "md5sum" | "sha1sum" | "sha256sum" | "sha512sum" | "cksum" => Only(SUMS),
        "grep" | "egrep" | "fgrep" => Reads(GREP),
        "sed" => Words(special::sed),
        "awk" | "gawk" | "mawk" => Words(special::awk),
        "jq" => Words(special::jq),
        "echo" => Words(|_| true),
        "printf" => Words(special::printf),
        // How the machine is
        "whoami" | "nproc" | "arch" | "w" | "groups" | "vmstat" | "iostat" | "lsmem" => Nothing,
        "id" => Only(opts("gGnruz", "", &[])),
        "who" => Only(bare("abdHlmpqrstTu", "", &[])),
        "last" => Only(opts("aFiwxn0123456789", "n", &[])),
        "uname" => Only(bare("asnrvmpio", "", &["--all", "--kernel-release"])),
        "uptime" => Only(bare("ps", "", &[])),
        "hostname" => Only(bare("AdfiIs", "", &[])),
        "hostnamectl" | "timedatectl" => Just(&["", "status"]),
        "date" => Words(special::date),
        "free" => Only(bare("bkmghwtlv", "", &["--human", "--mega", "--giga"])),
        "lscpu" => Only(bare("abcexyJ", "", &[])),
        "lsblk" => Only(opts("abdfilmnpPrstTJ", "oe", &["--output"])),
        "findmnt" => Only(opts("lnrDJiu", "ot", &[])),
        "dmesg" => Only(bare("TLkruxte", "l", &["--level", "--ctime"])),
        "ps" => Words(special::ps),
        "top" => Just(&["-bn1", "-b -n1", "-b -n 1", "-bn 1"]),
        // A filter may name a host, which would be looked up.
        "ss" => Only(bare(
            "tulnpaxseimow46HrO",
            "",
            &["--listening", "--tcp", "--udp", "--numeric", "--processes"],
        )),
        "netstat" => Only(bare("tulnpaersiW46", "", &[])),
        "lsof" => Words(special::lsof),
        "ip" => Words(special::ip),
        "getent" => Words(special::getent),
        "dpkg" => Words(special::dpkg),
        "crontab" => Just(&["-l"]),
        "ufw" => Just(&["status", "status verbose", "status numbered"]),
        // Services
        "systemctl" => Words(special::systemctl),
        "journalctl" => Only(opts(
            "abekmqrx",
            "unopSUgtN",
            &[
                "--no-pager",
                "--unit",
                "--lines",
                "--since",
                "--until",
                "--priority",
                "--output",
                "--boot",
                "--reverse",
                "--dmesg",
                "--quiet",
                "--disk-usage",
                "--list-boots",
                "--user",
                "--utc",
                "--grep",
                "--no-hostname",
            ],
        )),
        "docker" => Words(special::docker),
        "docker-compose" => Words(special::compose),
        "terraform" => Words(special::terraform),
        "pg_isready" => Only(bare("q", "dptU", &[])),
        "curl" => Words(curl::allows),
        "timeout" => Words(special::timeout),
        _ => return None,
    })
}

/// Whether a command of this name may be given these words.
pub(super) fn allows(name: &str, words: &[Word]) -> bool {
    if VERSIONED.contains(&name) && matches!(words, [word] if word.text == "--version") {
        return true;
    }
    let globs_in_last = |word: &Word| word.globs.iter().all(|&at| !word.text[at..].contains('/'));
    match takes(name) {
        None => false,
        Some(Nothing) => words.is_empty(),
        Some(Just(lines)) => {
            let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            words.iter().all(Word::is_literal) && lines.contains(&line.as_str())
        }
        Some(Only(options)) => options.allow(words) && words.iter().all(globs_in_last),
        Some(Reads(options)) => options.allow(words) && words.iter().all(is_plain_file),
        Some(Words(judge)) => judge(words),
    }
}

/// A pattern for files whose contents are shown must name their kind: `*.log`, not `*`.
pub(super) fn is_plain_file(word: &Word) -> bool {
    let Some(&last) = word.globs.last() else { return !word.open };
    let kind = &word.text[last + 1..];
    let named = kind
        .strip_prefix('.')
        .is_some_and(|kind| !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_alphanumeric()));
    named
        && word
            .globs
            .iter()
            .all(|&at| !word.text[at..].contains('/') && word.text[at..].starts_with('*'))
}
