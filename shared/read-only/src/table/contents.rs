//! Programs that show the contents of files and of what is piped to them.
//!
//! Masks and redaction recognize a secret by its whole line. A shape that may show only a part of a line, or spell it
//! differently, is marked ([`Shape::cuts_lines`](super::Shape::cuts_lines)), and the reader then hides every file that holds a
//! secret. The same is true of a shape whose answer depends on what is in a line, even if it does not show the line.
//! `grep -q '^password=a'` for each letter, or a digest compared with the digests of guesses, reveals a password
//! without printing a letter of it.
//!
//! Nothing hides a log on a server. So of lines that programs wrote there, no shape shows pieces
//! ([`Shape::drops_line_starts`](super::Shape::drops_line_starts)): `docker logs db | awk '{print $3}'` prints the password without the words that
//! give it away. Only the first field of each line may be shown, because nothing comes before it.

use super::Kind::{
    AwkPrint, Content, Delimiter, Folder, FromLine, JqPath, NamePattern, Number, OneOf, Pattern,
    Ranges, SedLines, SortKey,
};
use super::{ALL, Kind, Program, SANDBOX, SANDBOX_AND_SERVER, Shape, program};

/// The last one is `-20`.
const LINES: &[(&str, Kind)] = &[("-n", Number), ("--lines", Number), ("-", Number)];
const FROM_LINE: &[(&str, Kind)] = &[("-n", FromLine), ("--lines", FromLine)];
const BYTES: &[(&str, Kind)] = &[("-c", Number)];

const ENDS: Shape = ALL.letters("qv").some(Content, 1);

const GREP: Shape = ALL
    .letters("EFGivwxcLlqsnHh")
    .flags(&["--color=never", "--ignore-case", "--line-number", "--count"])
    .valued(&[("-m", Number), ("-A", Number), ("-B", Number), ("-C", Number)])
    .first(&[Pattern])
    .some(Content, 1)
    .cuts_lines();

/// Through all files below a folder of the workspace, without following links. Only a reader's confinement hides those
/// among them that hold secrets.
const SEARCH: Shape = SANDBOX
    .letters("EFGivwxcLlqsnHhor")
    .flags(&["--color=never", "--ignore-case", "--line-number", "--count", "--recursive"])
    .valued(&[
        ("-m", Number),
        ("-A", Number),
        ("-B", Number),
        ("-C", Number),
        ("--include", NamePattern),
        ("--exclude", NamePattern),
        ("--exclude-dir", NamePattern),
    ])
    .first(&[Pattern])
    .any(Folder)
    .shows_current_folder()
    .drops_line_starts();

const CUT: Shape = ALL.letters("s").some(Content, 1);
const FIRST_FIELD: Kind = OneOf(&["{print $1}"]);

pub(super) const PROGRAMS: &[Program] = &[
    program(
        &["cat"],
        &[
            ALL.letters("bEns").some(Content, 1),
            ALL.letters("AbeEnstTv").some(Content, 1).drops_line_starts(),
        ],
    ),
    program(&["head", "tail"], &[ENDS.valued(LINES), ENDS.valued(BYTES).drops_line_starts()]),
    program(&["tail"], &[ENDS.valued(FROM_LINE)]),
    program(&["nl"], &[SANDBOX_AND_SERVER.some(Content, 1)]),
    // Backwards, neither a key nor a secret below its name is recognized. It writes what is piped to it to a file first, and
    // nothing bounds that on a server.
    program(&["tac"], &[SANDBOX.some(Content, 1).cuts_lines()]),
    program(&["wc"], &[ALL.letters("clLmw").flags(&["--lines"]).some(Content, 1)]),
    program(
        &["cut"],
        &[
            CUT.lead(&["-d ", "-f1"]).first_fields(),
            CUT.lead(&["-f1", "-d "]).first_fields(),
            CUT.lead(&["-d", " ", "-f", "1"]).first_fields(),
            CUT.lead(&["-d", " ", "-f1"]).first_fields(),
            CUT.valued(&[("-d", Delimiter), ("-f", Ranges), ("-c", Ranges)]).drops_line_starts(),
        ],
    ),
    program(
        &["sort"],
        &[ALL
            .letters("bdfghinrRuV")
            .valued(&[("-k", SortKey), ("-t", Delimiter)])
            .some(Content, 1)
            .reorders_lines()],
    ),
    program(&["uniq"], &[ALL.letters("cdiu").cuts_lines().piped()]),
    program(&["column"], &[ALL.letters("t").drops_line_starts().piped()]),
    program(
        &["strings"],
        &[SANDBOX.letters("a").valued(&[("-n", Number)]).some(Content, 1).cuts_lines()],
    ),
    program(
        &["diff"],
        &[SANDBOX_AND_SERVER.letters("ubBiqwy").first(&[Content, Content]).cuts_lines()],
    ),
    program(&["cmp"], &[SANDBOX_AND_SERVER.letters("bls").first(&[Content, Content]).cuts_lines()]),
    program(
        &["md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum"],
        &[SANDBOX_AND_SERVER.some(Content, 1).drops_line_starts()],
    ),
    program(&["grep"], &[GREP, GREP.letters("EFGivwxcLlqsnHho").drops_line_starts(), SEARCH]),
    program(&["sed"], &[ALL.lead(&["-n"]).first(&[SedLines]).some(Content, 1)]),
    program(
        &["awk"],
        &[
            SANDBOX_AND_SERVER.first(&[FIRST_FIELD]).some(Content, 1).first_fields(),
            SANDBOX_AND_SERVER
                .valued(&[("-F", Delimiter)])
                .first(&[AwkPrint])
                .some(Content, 1)
                .drops_line_starts(),
        ],
    ),
    program(&["jq"], &[SANDBOX.letters("rcMSe").first(&[JqPath]).some(Content, 1).cuts_lines()]),
];
