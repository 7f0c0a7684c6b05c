//! Programs that show the names, sizes and kinds of files, and builtins of bash.

use super::Kind::{
    Amount, Content, Folder, ListOf, Listing, Name, NamePattern, Number, OneOf, PathPattern,
    StatFormat, Text, Tree,
};
use super::{ALL, Kind, Places, Program, SANDBOX, SANDBOX_AND_SERVER, Shape, builtin, program};

const OPEN: Shape = Shape::new(Places::OPEN);
const WORKSPACE: Shape = Shape::new(Places::WORKSPACE);

const FILE_SYSTEM: Kind = OneOf(&["tmpfs", "devtmpfs", "overlay", "ext4", "xfs", "squashfs"]);

const DISK_FIELDS: Kind =
    ListOf(&["source", "fstype", "size", "used", "avail", "pcent", "iused", "ipcent", "target"]);

const LS_FLAGS: &[&str] =
    &["--all", "--color=never", "--human-readable", "--full-time", "--group-directories-first"];
const DU: Shape = ALL
    .letters("abchkms")
    .flags(&["--human-readable", "--summarize"])
    .valued(&[("-d", Number), ("--max-depth", Number)]);
const DF: Shape = ALL.letters("ahHikmPT").flags(&["--human-readable", "--total"]).valued(&[
    ("-x", FILE_SYSTEM),
    ("-t", FILE_SYSTEM),
    ("--output", DISK_FIELDS),
]);

pub(super) const PROGRAMS: &[Program] = &[
    program(
        &["ls"],
        &[
            ALL.letters("1aAdFghHiklLnopqrsStuUvxX")
                .flags(LS_FLAGS)
                .any(Listing)
                .shows_current_folder(),
            WORKSPACE
                .letters("1aAdFghHiklLnopqrRsStuUvxX")
                .flags(LS_FLAGS)
                .any(Tree)
                .shows_current_folder(),
        ],
    ),
    program(
        &["stat"],
        &[
            ALL.letters("t").some(Listing, 1),
            ALL.narrowed(&[("-c", StatFormat), ("--format", StatFormat)]).some(Listing, 1),
        ],
    ),
    program(
        &["du"],
        &[
            DU.some(Tree, 1),
            WORKSPACE.letters(DU.letters).flags(DU.flags).valued(DU.valued).shows_current_folder(),
        ],
    ),
    program(
        &["df"],
        &[
            // The list of mounts is in `/proc`. If operands name the file systems, df does without it.
            SANDBOX.letters("hHikmPT").flags(DF.flags).some(Listing, 1),
            DF.processes(),
            OPEN.letters(DF.letters).flags(DF.flags).valued(DF.valued).any(Listing),
        ],
    ),
    // It quotes the interpreter of a script, and titles and comments of documents and images.
    program(&["file"], &[SANDBOX.letters("b").some(Content, 1).cuts_lines()]),
    program(
        &["tree"],
        &[SANDBOX.letters("adfshpD").valued(&[("-L", Number)]).any(Tree).shows_current_folder()],
    ),
    program(
        &["find"],
        &[ALL
            .flags(&["-empty", "-print", "-ls", "-xdev", "-not", "-o"])
            .valued(&[
                ("-name", NamePattern),
                ("-iname", NamePattern),
                ("-path", PathPattern),
                ("-type", OneOf(&["f", "d", "l"])),
                ("-maxdepth", Number),
                ("-mindepth", Number),
                ("-mtime", Amount),
                ("-mmin", Amount),
                ("-size", Amount),
            ])
            .some(Tree, 1)],
    ),
    program(&["realpath", "readlink"], &[SANDBOX_AND_SERVER.letters("f").some(Listing, 1)]),
    program(&["which"], &[ALL.letters("a").some(Name, 1)]),
    builtin(&["command"], &[ALL.lead(&["-v"]).some(Name, 1)]),
    builtin(&["type"], &[ALL.letters("at").some(Name, 1)]),
    builtin(
        &["test"],
        &[
            ALL.lead(&["-f"]).first(&[Listing]),
            ALL.lead(&["-d"]).first(&[Listing]),
            ALL.lead(&["-e"]).first(&[Listing]),
            ALL.lead(&["-s"]).first(&[Listing]),
            ALL.lead(&["-L"]).first(&[Listing]),
            ALL.lead(&["-r"]).first(&[Listing]),
            ALL.lead(&["-w"]).first(&[Listing]),
            ALL.lead(&["-x"]).first(&[Listing]),
        ],
    ),
    builtin(&["cd"], &[SANDBOX.first(&[Folder])]),
    builtin(&["pwd"], &[ALL.shows_current_folder()]),
    builtin(&["true", "false"], &[ALL]),
    builtin(&["echo"], &[ALL.any(Text)]),
];
