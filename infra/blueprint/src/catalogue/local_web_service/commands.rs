//! The DevOps helper's commands for the web service. They all run in the sandbox, as the service does.

use crate::catalogue::operations::{Command, Target};

const NOT_RUNNING: (&str, &str) = (
    "failed to connect",
    "The service is not running. Say “start the service” to have it started.",
);

pub const COMMANDS: &[Command] = &[
    Command {
        cues: &[
            "health",
            "healthy",
            "alive",
            "work",
            "working",
            "ok",
            "up",
            "fine",
            "respond",
            "responding",
            "reachable",
            "down",
            "broken",
            "status",
            "stopped",
            "crashed",
        ],
        target: Target::Sandbox,
        // This sends the request directly and does not run the service's script, so the reader sees that it changes
        // nothing.
        command: "curl -sS --fail-with-body -m 5 http://127.0.0.1:@port@@health_path@",
        reason: "Asks @name@ for its health, as its health check does.",
        changes: false,
        readings: &[
            NOT_RUNNING,
            (
                "timed out",
                "The service does not answer its health check in time. Its log tells more.",
            ),
            (
                "returned error",
                "The service answers its health check with an error; the answer is below.",
            ),
            ("\"status\": \"ok\"", "Yes: @name@ runs and its health check answers with status ok."),
            ("", "Something answers at the health check's address, and not as @name@ does:"),
        ],
    },
    Command {
        cues: &["log", "logs", "output of the service", "error message", "requests", "access log"],
        target: Target::Sandbox,
        command: "tail -n 50 @name@/service.log",
        reason: "Shows the last 50 lines of the service's log.",
        changes: false,
        readings: &[
            ("no such file", "There is no log yet: the service has not been started."),
            ("traceback", "The log has an error; it is below."),
            ("", "The end of the service's log:"),
        ],
    },
    Command {
        cues: &["disk", "space", "storage", "full", "how big", "size of"],
        target: Target::Sandbox,
        command: "df -h . && du -sh @name@",
        reason: "Shows the space that is left in the workspace and what the service takes.",
        changes: false,
        readings: &[("", "The space in the workspace, and what the service's folder takes:")],
    },
    Command {
        cues: &[
            "running",
            "process",
            "processes",
            "what runs",
            "what is running",
            "cpu",
            "memory",
            "ram",
            "load",
            "uptime",
            "server",
        ],
        target: Target::Sandbox,
        command: "ps -eo pid,etime,pcpu,pmem,comm --sort=-pcpu | head -n 15",
        reason: "Lists what is running in the sandbox, the busiest first.",
        changes: false,
        readings: &[("", "There is no server beside the sandbox; this is what runs in it:")],
    },
    Command {
        cues: &["port", "listen", "listening", "socket", "network", "address"],
        target: Target::Sandbox,
        command: "ss -ltn 2>/dev/null || cat /proc/net/tcp",
        reason: "Lists the ports that are listened on.",
        changes: false,
        readings: &[
            (":@port@", "Port @port@ is listened on:"),
            ("", "Nothing listens on port @port@. These are the ports that are open:"),
        ],
    },
    Command {
        cues: &["setting", "settings", "configuration", "config", "configured", "file", "files"],
        target: Target::Sandbox,
        command: "ls -l @name@ && cat @name@/service.json",
        reason: "Lists the service's files and shows its settings.",
        changes: false,
        readings: &[("", "The service's files, and its settings:")],
    },
    Command {
        cues: &["version", "python", "kernel", "operating system"],
        target: Target::Sandbox,
        command: "python3 --version; uname -sr",
        reason: "Shows the versions of Python and of the kernel.",
        changes: false,
        readings: &[("", "These are the versions:")],
    },
    Command {
        cues: &["restart", "reboot", "reload", "bounce", "restart the service"],
        target: Target::Sandbox,
        command: "./@name@/control.sh restart && ./@name@/check-health.sh",
        reason: "Restarts @name@ and waits until it is healthy.",
        changes: true,
        readings: &[
            ("healthy after", "The service was restarted and is healthy."),
            (
                "address already in use",
                "Another process has taken port @port@, so it did not start.",
            ),
        ],
    },
    Command {
        cues: &["start the service", "start it", "start", "bring it up", "turn it on"],
        target: Target::Sandbox,
        command: "./@name@/control.sh start && ./@name@/check-health.sh",
        reason: "Starts @name@, unless it runs already, and waits until it is healthy.",
        changes: true,
        readings: &[
            ("already running", "It was running already, and it is healthy."),
            ("healthy after", "The service was started and is healthy."),
            (
                "address already in use",
                "Another process has taken port @port@, so it did not start.",
            ),
        ],
    },
    Command {
        cues: &["stop the service", "stop it", "stop", "shut down", "turn it off", "shutdown"],
        target: Target::Sandbox,
        command: "./@name@/control.sh stop",
        reason: "Stops @name@; its files stay.",
        changes: true,
        readings: &[
            ("not running", "It was not running."),
            ("stopped", "The service is stopped. Say “start the service” to have it back."),
        ],
    },
];
