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
const SANDBOX_AND_SERVER: Shape = Shape::new(Places::SANDBOX_AND_SERVER);
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

const IP: Shape = SANDBOX_AND_SERVER.flags(&["-br", "-brief", "-4", "-6", "-s"]);

const CURL: Shape = SANDBOX_AND_SERVER
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
    .shows_written_lines();

const PROGRAMS: &[Program] = &[
    // State of the machine
    program(&["whoami", "nproc", "arch"], &[SANDBOX_AND_SERVER]),
    program(
        &["hostnamectl", "timedatectl"],
        &[SANDBOX_AND_SERVER, SANDBOX_AND_SERVER.lead(&["status"])],
    ),
    program(&["id"], &[SANDBOX_AND_SERVER.letters("gGnru")]),
    program(&["groups"], &[SANDBOX_AND_SERVER]),
    program(&["who"], &[SANDBOX_AND_SERVER.letters("abHqrsu")]),
    program(&["last"], &[SERVER.letters("axw").valued(&[("-n", Number), ("-", Number)]).any(Name)]),
    program(&["uname"], &[ALL.letters("asnrvmpio")]),
    program(&["uptime"], &[ALL.letters("ps")]),
    program(&["hostname"], &[SANDBOX_AND_SERVER.letters("sI")]),
    program(
        &["date"],
        &[
            ALL.flags(&["-u", "--utc", "-R", "-I", "-Iseconds"]),
            ALL.flags(&["-u", "--utc"]).first(&[DateFormat]),
        ],
    ),
    program(&["free"], &[ALL.letters("bmghkwt")]),
    program(&["lscpu"], &[SANDBOX_AND_SERVER]),
    program(
        &["lsblk"],
        &[SANDBOX_AND_SERVER
            .letters("abdfilmnpPt")
            .valued(&[("-o", Columns), ("--output", Columns)])],
    ),
    program(
        &["ps"],
        &[
            SANDBOX_AND_SERVER
                .lead(&["axo"])
                .first(&[ProcessColumns])
                .valued(&[("--sort", ProcessOrder)])
                .processes(),
            SANDBOX_AND_SERVER
                .flags(&["-e", "-A", "--forest", "--no-headers"])
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
    program(
        &["ss"],
        &[
            SANDBOX_AND_SERVER.letters("tulna46H"),
            SANDBOX_AND_SERVER.letters("tulnpaxs46H").processes(),
        ],
    ),
    // Without `-n`, it looks up the names of remote ends by DNS, and the queries leave the machine.
    program(
        &["netstat"],
        &[
            SANDBOX_AND_SERVER.lead(&["-tln"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-ltn"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-tlnp"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-tulnp"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-tulpn"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-lntp"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-plnt"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-tunlp"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-an"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-ant"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-antp"]).processes(),
            SANDBOX_AND_SERVER.lead(&["-rn"]).processes(),
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
    program(&["crontab"], &[SERVER.lead(&["-l"]).shows_written_lines()]),
    program(
        &["dpkg"],
        &[
            SANDBOX_AND_SERVER.lead(&["-l"]).any(Name),
            SANDBOX_AND_SERVER.lead(&["-s"]).some(Name, 1),
            SANDBOX_AND_SERVER.lead(&["-L"]).some(Name, 1),
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
            UNITS.lead(&["status"]).some(Unit, 1).shows_written_lines(),
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
            .shows_written_lines()
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
            SANDBOX.lead(&["fmt", "-check"]).flags(&["-diff", "-recursive"]).shows_current_folder(),
            SANDBOX
                .lead(&["-chdir=terraform", "fmt", "-check"])
                .flags(&["-diff", "-recursive"])
                .shows_current_folder(),
        ],
    ),
    program(&["curl"], &[CURL, SANDBOX_AND_SERVER.lead(&["--version"])]),
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
