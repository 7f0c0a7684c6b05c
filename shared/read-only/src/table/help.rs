//! How programs show their help, versions and options, for an agent that writes a script with them.

use super::{Program, SANDBOX, SANDBOX_AND_SERVER, SERVER, program};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        &["bash", "git", "jq", "nginx", "node", "psql", "python3", "shellcheck"],
        &[SANDBOX_AND_SERVER.lead(&["--version"])],
    ),
    program(&["nginx"], &[SANDBOX_AND_SERVER.lead(&["-v"]), SANDBOX_AND_SERVER.lead(&["-V"])]),
    program(&["docker", "node"], &[SANDBOX_AND_SERVER.lead(&["-v"])]),
    program(&["psql", "python3"], &[SANDBOX_AND_SERVER.lead(&["-V"])]),
    program(&["nft", "redis-cli"], &[SERVER.lead(&["--version"])]),
    program(&["mysql"], &[SERVER.lead(&["--version"]), SERVER.lead(&["-V"])]),
    program(&["caddy"], &[SERVER.lead(&["version"])]),
    program(&["openssl"], &[SANDBOX_AND_SERVER.lead(&["version"])]),
    program(&["ssh"], &[SANDBOX_AND_SERVER.lead(&["-V"])]),
    program(
        &["terraform"],
        &[
            SANDBOX.lead(&["-help"]),
            SANDBOX.lead(&["init", "-help"]),
            SANDBOX.lead(&["plan", "-help"]),
            SANDBOX.lead(&["apply", "-help"]),
            SANDBOX.lead(&["destroy", "-help"]),
            SANDBOX.lead(&["import", "-help"]),
            SANDBOX.lead(&["output", "-help"]),
            SANDBOX.lead(&["state", "-help"]),
            SANDBOX.lead(&["validate", "-help"]),
        ],
    ),
    program(
        &["docker"],
        &[
            SANDBOX.lead(&["--help"]),
            SANDBOX.lead(&["build", "--help"]),
            SANDBOX.lead(&["compose", "--help"]),
            SANDBOX.lead(&["compose", "up", "--help"]),
            SANDBOX.lead(&["run", "--help"]),
        ],
    ),
    program(
        &["curl", "find", "grep", "jq", "rsync", "sed", "shellcheck", "tar"],
        &[SANDBOX.lead(&["--help"])],
    ),
];
