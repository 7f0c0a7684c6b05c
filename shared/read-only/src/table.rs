//! The known programs, and the shapes in which each may run without approval.
//!
//! These are left out on purpose, because no shape can bound them: programs that take a program (`awk` beyond printing
//! fields, `jq` beyond paths, `xargs`, `timeout`, `env`, `python`), that contact a host (`dig`, `ping`, `lsof`,
//! `getent`, `pg_isready -h`), that read configuration besides their operands (`docker compose`, `git`, `ansible`,
//! `psql`, `go`, which runs the toolchain that a `go.mod` names), and that print other processes' arguments (`ps aux`,
//! `w`, `docker ps --no-trunc`).
//!
//! `terraform show`, `state` and `output` are left out, too. The state is with Groundcrew, and a reader has no password for
//! it. A saved plan contains the state and the variables in plain text, and Terraform starts the workspace's providers to
//! print it. What Terraform does not mark as sensitive, it prints: passwords in user data, for example. Agents get a list
//! made from the state instead (`domain::terraform_state::listed`), and the picture of a saved plan
//! (`domain::saved_plan::SavedPlan`); neither runs a program.

mod containers;
mod contents;
mod files;
mod help;
mod server;
mod watching;

use super::kind::Kind;
use super::place::Places;
use super::shape::Shape;
use Kind::{
    AcceptHeader, Columns, DateFormat, ListOf, LoopbackUrl, Moment, Name, Number, OneOf, Phrase,
    ProcessColumns, ProcessOrder, Unit, WriteOut,
};

/// A program and its shapes; `folder` is its folder, `None` for a builtin of bash.
struct Program {
    names: &'static [&'static str],
    folder: Option<&'static str>,
    shapes: &'static [Shape],
}

const BIN: Option<&str> = Some("/usr/bin");

const fn program(names: &'static [&'static str], shapes: &'static [Shape]) -> Program {
    Program { names, folder: BIN, shapes }
}

const fn builtin(names: &'static [&'static str], shapes: &'static [Shape]) -> Program {
    Program { names, folder: None, shapes }
}

const ALL: Shape = Shape::new(Places::EVERYWHERE);
const BOTH: Shape = Shape::new(Places::BOTH);
const SANDBOX: Shape = Shape::new(Places::SANDBOX);
const SERVER: Shape = Shape::new(Places::SERVER);

const NOWHERE: Kind = OneOf(&["/dev/null"]);
/// How many times `curl` tries again, and how many seconds and times `vmstat` waits: it ends on its own, and soon.
const FEW: Kind = OneOf(&["1", "2", "3", "4", "5"]);
const LEVELS: &[&str] = &[
    "emerg", "alert", "crit", "err", "warn", "warning", "notice", "info", "debug", "0", "1", "2",
    "3", "4", "5", "6", "7",
];
const PRIORITY: Kind = OneOf(LEVELS);
const PRIORITIES: Kind = ListOf(LEVELS);
const UNIT_TYPE: Kind = OneOf(&["service", "timer", "socket", "mount", "target", "path"]);
const UNIT_STATE: Kind = OneOf(&[
    "running",
    "failed",
    "active",
    "inactive",
    "activating",
    "enabled",
    "disabled",
    "exited",
    "dead",
    "loaded",
    "masked",
    "static",
    "waiting",
    "listening",
]);
/// Not `json`: it writes a line with a color as numbers, in which nothing recognizes a secret, and shows the arguments of
/// the process that wrote the line.
const JOURNAL: Kind = OneOf(&[
    "short",
    "short-full",
    "short-iso",
    "short-iso-precise",
    "short-monotonic",
    "short-precise",
    "short-unix",
    "cat",
]);

const UNIT_FLAGS: &[&str] = &[
    "--no-pager",
    "--all",
    "-a",
    "--full",
    "-l",
    "--plain",
    "--quiet",
    "-q",
    "--no-legend",
    "--failed",
];
/// Without a verb. A word after the flags would be one: `systemctl --failed stop nginx`.
const FAILED: Shape = SERVER.flags(UNIT_FLAGS);
const UNITS: Shape = SERVER
    .flags(UNIT_FLAGS)
    .valued(&[
        ("--type", UNIT_TYPE),
        ("-t", UNIT_TYPE),
        ("--state", UNIT_STATE),
        ("-n", Number),
        ("--lines", Number),
    ])
    .any(Name);

const IP: Shape = BOTH.flags(&["-br", "-brief", "-4", "-6", "-s"]);

const CURL: Shape = BOTH
    .letters("sSfiIkv46")
    .flags(&[
        "--silent",
        "--show-error",
        "--fail",
        "--fail-with-body",
        "--include",
        "--head",
        "--insecure",
        "--compressed",
    ])
    .valued(&[
        ("-m", Number),
        ("--max-time", Number),
        ("--connect-timeout", Number),
        ("--retry", FEW),
        ("-o", NOWHERE),
        ("-so", NOWHERE),
        ("-sSo", NOWHERE),
        ("--output", NOWHERE),
        ("-w", WriteOut),
        ("--write-out", WriteOut),
        ("-H", AcceptHeader),
        ("--header", AcceptHeader),
    ])
    .some(LoopbackUrl, 1)
    .told();

const PROGRAMS: &[Program] = &[
    // State of the machine
    program(&["whoami", "nproc", "arch"], &[BOTH]),
    program(&["hostnamectl", "timedatectl"], &[BOTH, BOTH.lead(&["status"])]),
    program(&["id"], &[BOTH.letters("gGnru")]),
    program(&["groups"], &[BOTH]),
    program(&["who"], &[BOTH.letters("abHqrsu")]),
    program(&["last"], &[SERVER.letters("axw").valued(&[("-n", Number), ("-", Number)]).any(Name)]),
    program(&["uname"], &[ALL.letters("asnrvmpio")]),
    program(&["uptime"], &[ALL.letters("ps")]),
    program(&["hostname"], &[BOTH.letters("sI")]),
    program(
        &["date"],
        &[
            ALL.flags(&["-u", "--utc", "-R", "-I", "-Iseconds"]),
            ALL.flags(&["-u", "--utc"]).first(&[DateFormat]),
        ],
    ),
    program(&["free"], &[ALL.letters("bmghkwt")]),
    program(&["lscpu"], &[BOTH]),
    program(
        &["lsblk"],
        &[BOTH.letters("abdfilmnpPt").valued(&[("-o", Columns), ("--output", Columns)])],
    ),
    program(
        &["ps"],
        &[
            BOTH.lead(&["axo"])
                .first(&[ProcessColumns])
                .valued(&[("--sort", ProcessOrder)])
                .processes(),
            BOTH.flags(&["-e", "-A", "--forest", "--no-headers"])
                .valued(&[
                    ("-o", ProcessColumns),
                    ("-eo", ProcessColumns),
                    ("--sort", ProcessOrder),
                    ("-C", Name),
                    ("-p", Number),
                ])
                .processes(),
        ],
    ),
    program(
        &["top"],
        &[
            SANDBOX.lead(&["-bn1"]).processes(),
            SANDBOX.lead(&["-b", "-n1"]).processes(),
            SANDBOX.lead(&["-b", "-n", "1"]).processes(),
        ],
    ),
    // The kernel answers it over netlink; only the owners of sockets and the statistics are in `/proc`.
    program(&["ss"], &[BOTH.letters("tulna46H"), BOTH.letters("tulnpaxs46H").processes()]),
    // Without `-n`, it looks up the names of remote ends by DNS, and the queries leave the machine.
    program(
        &["netstat"],
        &[
            BOTH.lead(&["-tln"]).processes(),
            BOTH.lead(&["-ltn"]).processes(),
            BOTH.lead(&["-tlnp"]).processes(),
            BOTH.lead(&["-tulnp"]).processes(),
            BOTH.lead(&["-tulpn"]).processes(),
            BOTH.lead(&["-lntp"]).processes(),
            BOTH.lead(&["-plnt"]).processes(),
            BOTH.lead(&["-tunlp"]).processes(),
            BOTH.lead(&["-an"]).processes(),
            BOTH.lead(&["-ant"]).processes(),
            BOTH.lead(&["-antp"]).processes(),
            BOTH.lead(&["-rn"]).processes(),
        ],
    ),
    program(
        &["ip"],
        &[
            IP.lead(&["addr"]),
            IP.lead(&["addr", "show"]),
            IP.lead(&["a"]),
            IP.lead(&["link"]),
            IP.lead(&["route"]),
            IP.lead(&["route", "show"]),
            IP.lead(&["-br", "addr"]),
            IP.lead(&["-br", "addr", "show"]),
            IP.lead(&["-br", "link"]),
        ],
    ),
    program(&["crontab"], &[SERVER.lead(&["-l"]).told()]),
    program(
        &["dpkg"],
        &[
            BOTH.lead(&["-l"]).any(Name),
            BOTH.lead(&["-s"]).some(Name, 1),
            BOTH.lead(&["-L"]).some(Name, 1),
        ],
    ),
    program(
        &["ufw"],
        &[
            SERVER.lead(&["status"]),
            SERVER.lead(&["status", "verbose"]),
            SERVER.lead(&["status", "numbered"]),
        ],
    ),
    // Services
    program(
        &["systemctl"],
        &[
            // Without a unit, it shows all processes with their arguments.
            UNITS.lead(&["status"]).some(Unit, 1).told(),
            UNITS.lead(&["is-active"]),
            UNITS.lead(&["is-enabled"]),
            UNITS.lead(&["is-failed"]),
            UNITS.lead(&["is-system-running"]),
            UNITS.lead(&["list-units"]),
            UNITS.lead(&["list-timers"]),
            UNITS.lead(&["list-unit-files"]),
            UNITS.lead(&["list-sockets"]),
            UNITS.lead(&["list-dependencies"]),
            SERVER.lead(&["get-default"]),
            SERVER.lead(&["--version"]),
            FAILED.lead(&["--failed"]),
        ],
    ),
    program(
        &["journalctl"],
        &[SERVER
            .told()
            .flags(&[
                "--no-pager",
                "-r",
                "--reverse",
                "-q",
                "-e",
                "-x",
                "-xe",
                "-k",
                "--dmesg",
                "-b",
                "--boot",
                // The boot before, behind `-b`; no option alone.
                "-1",
                "--utc",
                "--disk-usage",
                "--list-boots",
                "--no-hostname",
            ])
            .valued(&[
                ("-u", Name),
                ("-eu", Name),
                ("-xeu", Name),
                ("--unit", Name),
                ("-t", Name),
                ("--identifier", Name),
                ("-n", Number),
                ("--lines", Number),
                ("-S", Moment),
                ("--since", Moment),
                ("-U", Moment),
                ("--until", Moment),
                ("-p", PRIORITY),
                ("--priority", PRIORITY),
                ("-o", JOURNAL),
                ("--output", JOURNAL),
                ("-g", Phrase),
                ("--grep", Phrase),
            ])],
    ),
    program(
        &["pg_isready"],
        &[SERVER.letters("q").valued(&[
            ("-h", server::THIS_HOST),
            ("-p", Number),
            ("-t", FEW),
            ("-U", Name),
            // Not a text with connection settings, which has signs that no name has.
            ("-d", Name),
        ])],
    ),
    program(
        &["terraform"],
        &[
            SANDBOX.lead(&["version"]),
            SANDBOX.lead(&["--version"]),
            SANDBOX.lead(&["fmt", "-check"]).flags(&["-diff", "-recursive"]).here(),
            SANDBOX
                .lead(&["-chdir=terraform", "fmt", "-check"])
                .flags(&["-diff", "-recursive"])
                .here(),
        ],
    ),
    program(&["curl"], &[CURL, BOTH.lead(&["--version"])]),
];

fn programs() -> impl Iterator<Item = &'static Program> {
    let files = PROGRAMS.iter().chain(files::PROGRAMS).chain(contents::PROGRAMS);
    files
        .chain(help::PROGRAMS)
        .chain(containers::PROGRAMS)
        .chain(server::PROGRAMS)
        .chain(watching::PROGRAMS)
}

/// The shapes of a program; empty if it is unknown.
pub(super) fn shapes(name: &str) -> impl Iterator<Item = &'static Shape> {
    let named = programs().filter(move |program| program.names.contains(&name));
    named.flat_map(|program| program.shapes)
}

/// The folder of a known program.
pub(super) fn folder(name: &str) -> Option<&'static str> {
    programs().find(|program| program.names.contains(&name))?.folder
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs that take a verb wherever it stands among their options.
    const VERBS: [&str; 7] =
        ["docker", "hostnamectl", "ip", "systemctl", "terraform", "timedatectl", "ufw"];

    #[test]
    fn a_program_that_takes_a_verb_gets_it_from_the_table() {
        for name in VERBS {
            assert!(shapes(name).next().is_some(), "{name}");
            for shape in shapes(name) {
                let verb = shape.lead.iter().any(|word| !word.starts_with('-'));
                let free = !shape.first.is_empty() || shape.rest.is_some();
                assert!(verb || !free, "{name} {:?} takes any verb", shape.lead);
            }
        }
    }
}
