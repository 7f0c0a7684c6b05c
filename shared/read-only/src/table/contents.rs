//! Programs that show the contents of files and of what is piped to them.
//!
//! Masks and redaction recognize a secret by its whole line. A shape that may show only a part of a line, or spell it
//! differently, is marked ([`Shape::parts`](super::Shape::parts)), and the reader then hides every file that holds a
//! secret. The same is true of a shape whose answer depends on what is in a line, even if it does not show the line.
//! `grep -q '^password=a'` for each letter, or a digest compared with the digests of guesses, reveals a password
//! without printing a letter of it.
//!
//! Nothing hides a log on a server. So of lines that programs wrote there, no shape shows pieces
//! ([`Shape::pieces`](super::Shape::pieces)): `docker logs db | awk '{print $3}'` prints the password without the words that
//! give it away. Only the first field of each line may be shown, because nothing comes before it.

use super::Kind::{
    AwkPrint, Content, Delimiter, FromLine, JqPath, Number, OneOf, Pattern, Ranges, SedLines,
    SortKey,
};
use super::{ALL, BOTH, Kind, Program, SANDBOX, Shape, program};

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
    .parts();

const CUT: Shape = ALL.letters("s").some(Content, 1);
const FIRST_FIELD: Kind = OneOf(&["{print $1}"]);

pub(super) const PROGRAMS: &[Program] = &[
    program(
        &["cat"],
        &[ALL.letters("bEns").some(Content, 1), ALL.letters("AbeEnstTv").some(Content, 1).pieces()],
    ),
    program(&["head", "tail"], &[ENDS.valued(LINES), ENDS.valued(BYTES).pieces()]),
    program(&["tail"], &[ENDS.valued(FROM_LINE)]),
    program(&["nl"], &[BOTH.some(Content, 1)]),
    // Backwards, neither a key nor a secret below its name is recognized. It writes what is piped to it to a file first, and
    // nothing bounds that on a server.
    program(&["tac"], &[SANDBOX.some(Content, 1).parts()]),
    program(&["wc"], &[ALL.letters("clLmw").flags(&["--lines"]).some(Content, 1)]),
    program(
        &["cut"],
        &[
            CUT.lead(&["-d ", "-f1"]).first_fields(),
            CUT.lead(&["-f1", "-d "]).first_fields(),
            CUT.lead(&["-d", " ", "-f", "1"]).first_fields(),
            CUT.lead(&["-d", " ", "-f1"]).first_fields(),
            CUT.valued(&[("-d", Delimiter), ("-f", Ranges), ("-c", Ranges)]).pieces(),
        ],
    ),
    program(
        &["sort"],
        &[ALL
            .letters("bdfghinrRuV")
            .valued(&[("-k", SortKey), ("-t", Delimiter)])
            .some(Content, 1)
            .mixed()],
    ),
    program(&["uniq"], &[ALL.letters("cdiu").parts().piped()]),
    program(&["column"], &[ALL.letters("t").pieces().piped()]),
    program(
        &["strings"],
        &[SANDBOX.letters("a").valued(&[("-n", Number)]).some(Content, 1).parts()],
    ),
    program(&["diff"], &[BOTH.letters("ubBiqwy").first(&[Content, Content]).parts()]),
    program(&["cmp"], &[BOTH.letters("bls").first(&[Content, Content]).parts()]),
    program(
        &["md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum"],
        &[BOTH.some(Content, 1).pieces()],
    ),
    program(&["grep"], &[GREP, GREP.letters("EFGivwxcLlqsnHho").pieces()]),
    program(&["sed"], &[ALL.lead(&["-n"]).first(&[SedLines]).some(Content, 1)]),
    program(
        &["awk"],
        &[
            BOTH.first(&[FIRST_FIELD]).some(Content, 1).first_fields(),
            BOTH.valued(&[("-F", Delimiter)]).first(&[AwkPrint]).some(Content, 1).pieces(),
        ],
    ),
    program(&["jq"], &[SANDBOX.letters("rcMSe").first(&[JqPath]).some(Content, 1).parts()]),
];
