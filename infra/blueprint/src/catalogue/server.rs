//! What all deployments with a server share: the key, the Terraform steps, the first login, and the commands that
//! inspect the server later.
//!
//! Templates of these parts use the placeholders `@cloud@`, `@credentials@` (the names of the cloud's credentials), and
//! those of the ports.

use super::operations::{Command, Finding, Target};
use super::{Diagnosis, Step, check, files, step};

pub const GENERATE_KEY: Step = step!(
    "parts/server",
    "generate-key",
    "Generate the SSH key",
    "Makes the key pair ssh/@name@_ed25519, unless it is there already."
);

pub const INIT_VALIDATE: Step = step!(
    "parts/server",
    "init-validate",
    "Initialize and validate Terraform",
    "Downloads the @cloud@ provider and validates the configuration; touches nothing at @cloud@."
);

pub const PLAN: Step = step!(
    "parts/server",
    "plan",
    "Plan the changes",
    "Works out what would be made at @cloud@ and saves it as a plan file; makes nothing yet. Opens SSH for this sandbox's present address; run it again when that has changed. Needs the @cloud@ credentials."
);

pub const APPLY: Step = step!(
    "parts/server",
    "apply",
    "Apply the plan",
    "Makes at @cloud@ exactly what the saved plan shows. From here on @cloud@ charges for it."
);

pub const TEST_SSH: Step = step!(
    "parts/server",
    "test-ssh",
    "Test SSH access",
    "Logs in to @name@ over SSH, prints what it is, and writes ssh/config and an Ansible inventory."
);

pub const LOGIN: Step = check!(
    "parts/server",
    "login",
    "The key logs in and nothing else does",
    "Logs in with the key, then tries without one; changes nothing."
);

pub const DRIFT: Step = check!(
    "parts/server",
    "drift",
    "Terraform finds nothing to change",
    "Compares @cloud@ with the configuration; changes nothing. Needs the @cloud@ credentials."
);

pub const PORTS: Step = check!(
    "parts/server",
    "ports",
    "Only the planned ports are open",
    "Tries to connect to the server's ports from this sandbox; changes nothing."
);

pub const FILES: &[(&str, &str)] = files!("parts/server": "gitignore", "still-let-in.py");

/// The address, as the step “Apply the plan” prints it with Terraform's outputs.
pub const ADDRESS: Finding = Finding {
    key: "public_ip",
    after: "public_ip = \"",
    unknown: "not known yet, see terraform -chdir=terraform output",
};

pub const DIAGNOSES: &[Diagnosis] = &[
    Diagnosis {
        sign: "address changed",
        meaning: "This sandbox was started anew and has another public address than the one that SSH was opened for. Run the steps “Plan the changes” and “Apply the plan” again: they open SSH for the new address and close it for the former one.",
        redo: None,
    },
    Diagnosis {
        sign: "failed to query available provider packages",
        meaning: "Terraform could not reach its registry to download the @cloud@ provider. Check that this sandbox can reach registry.terraform.io, then run the step again.",
        redo: None,
    },
    Diagnosis {
        sign: "terraform init",
        meaning: "Terraform is not initialized, so this attempt does that first.",
        redo: Some(2),
    },
    Diagnosis {
        sign: "saved plan is stale",
        meaning: "@cloud@ changed after the plan was made. Run the plan step again and read it before applying.",
        redo: None,
    },
    Diagnosis {
        sign: "no ssh login",
        meaning: "The server did not let us in. It may still be starting, or this sandbox's public address changed since the plan was made; in that case run the plan and apply steps again.",
        redo: None,
    },
    Diagnosis {
        sign: "host key verification failed",
        meaning: "The server shows another host key than before. If you have rebuilt it, remove the file ssh/known_hosts and run step 6 again; otherwise find out why before going on.",
        redo: None,
    },
    Diagnosis {
        sign: "differs from the configuration",
        meaning: "@cloud@ differs from the configuration. Run the plan step again, read its plan, then apply it.",
        redo: None,
    },
];

/// The DevOps helper's commands for any server.
pub const COMMANDS: &[Command] = &[
    Command {
        cues: &[
            "health",
            "healthy",
            "alive",
            "ok",
            "up",
            "fine",
            "down",
            "reachable",
            "status",
            "working",
            "uptime",
        ],
        target: Target::Server,
        command: "uptime; systemctl is-system-running; systemctl list-units --state=failed --no-legend --plain",
        reason: "Asks the server how long it runs, how busy it is, and whether a service has failed.",
        changes: false,
        readings: &[
            ("degraded", "The server is up, but a service has failed; it is listed below."),
            ("load average", "The server is up, and none of its services has failed."),
        ],
    },
    Command {
        cues: &["log", "logs", "journal", "error message", "warning"],
        target: Target::Server,
        command: "journalctl --no-pager --lines 50 --priority warning",
        reason: "Shows the server's last 50 warnings and errors.",
        changes: false,
        readings: &[
            ("no entries", "There are no warnings or errors in the log."),
            ("", "The last warnings and errors of the server:"),
        ],
    },
    Command {
        cues: &["disk", "space", "storage", "full", "filesystem"],
        target: Target::Server,
        command: "df -h -x tmpfs -x devtmpfs -x overlay",
        reason: "Shows how full the server's disks are.",
        changes: false,
        readings: &[
            ("100%", "A disk is full; it is listed below."),
            ("", "The server's disks, with what is used and what is left:"),
        ],
    },
    Command {
        cues: &["memory", "ram", "swap"],
        target: Target::Server,
        command: "free -h; ps -eo pid,rss,comm --sort=-rss | head -n 8",
        reason: "Shows the server's memory and what takes most of it.",
        changes: false,
        readings: &[("", "The server's memory, and what takes most of it:")],
    },
    Command {
        cues: &["running", "process", "processes", "services", "what runs", "cpu", "load", "busy"],
        target: Target::Server,
        command: "systemctl list-units --type=service --state=running --no-legend --plain | awk '{print $1}'; ps -eo pid,pcpu,pmem,comm --sort=-pcpu | head -n 10",
        reason: "Lists the server's running services and its busiest processes.",
        changes: false,
        readings: &[("", "The running services, then the busiest processes:")],
    },
    Command {
        cues: &["port", "ports", "listen", "listening", "socket", "network"],
        target: Target::Server,
        command: "ss -ltn",
        reason: "Lists the ports the server listens on.",
        changes: false,
        readings: &[(
            "",
            "The server listens on these; 127.0.0.1 and ::1 are reachable from itself only:",
        )],
    },
    Command {
        cues: &["version", "kernel", "operating system", "distribution"],
        target: Target::Server,
        command: "uname -sr; cat /etc/os-release",
        reason: "Shows the server's kernel and distribution.",
        changes: false,
        readings: &[("", "The server's kernel and distribution:")],
    },
    Command {
        cues: &["who", "login", "logins", "logged in", "attack", "attempts"],
        target: Target::Server,
        command: "who; last -n 10 2>/dev/null; journalctl --no-pager --unit ssh --lines 20",
        reason: "Shows who is and was logged in, and the SSH server's last messages.",
        changes: false,
        readings: &[("", "Who is and was logged in, and what the SSH server said last:")],
    },
    Command {
        cues: &["reboot", "restart the server", "restart the machine", "reboot the server"],
        target: Target::Server,
        command: "sudo systemctl --no-block reboot",
        reason: "Restarts the server; it is away for about a minute.",
        changes: true,
        readings: &[("", "The server restarts and is back in about a minute.")],
    },
];
