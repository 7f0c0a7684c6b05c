//! A VPS with PostgreSQL, an application's database and nightly dumps.

use super::additions::ADDITIONS;
use super::operations::{Command, Target};
use super::{
    Blueprint, Diagnosis, Place, Step, Values, check, databases, document, facts, files, networks,
    removals, server, vps,
};

/// Everything about the deployment.
pub const BLUEPRINT: Blueprint = Blueprint {
    id: "vps-postgresql",
    title: "A VPS with PostgreSQL",
    detail: "a hardened server at Hetzner with PostgreSQL 17 and nightly dumps; needs a Hetzner account",
    welcome: "A hardened VPS at Hetzner with PostgreSQL 17, a database for your application and nightly dumps.",
    before_confirming: "Needed are a Hetzner Cloud API token (HCLOUD_TOKEN) and a password for the application's login (APP_DB_PASSWORD, 12 characters or more). Enter both in the credentials form; please never type them here.",
    strong_cues: &["postgresql", "postgres", "pg"],
    weak_cues: &["database", "sql", "server", "vps", "hetzner", "dump"],
    place: Place::Hetzner,
    // Its `differs.json` says what there is in their place.
    brings: &[
        "compose project",
        "compose file",
        "compose stack",
        "compose setup",
        "docker compose",
    ],
    parameters: &[
        databases::DATABASE,
        databases::SERVER_NAME,
        vps::LOCATION,
        vps::SERVER_TYPE,
        networks::SSH_FROM,
        databases::DUMP_DAYS,
        ADDITIONS,
    ],
    derive: &derive,
    requirements: document!("vps-postgresql", "requirements"),
    architecture: document!("vps-postgresql", "architecture"),
    implementation: document!("vps-postgresql", "implementation"),
    answers: concat!(document!("vps-postgresql", "answers"), document!("parts/vps", "answers")),
    steps: &vps::steps(WRITE_PLAYBOOK),
    checks: &vps::checks(
        check!(
            "vps-postgresql",
            "database",
            "The application can use its database",
            "Logs in as @database@ on the server, writes and reads a temporary table, and tries a wrong password."
        ),
        check!(
            "vps-postgresql",
            "restore",
            "A dump can be restored",
            "Restores the newest dump into a scratch database and drops that again; changes nothing else."
        ),
    ),
    validation: document!("vps-postgresql", "validation"),
    documentation: concat!(
        document!("vps-postgresql", "documentation"),
        document!("parts/vps", "documentation")
    ),
    quickstart: document!("vps-postgresql", "quickstart"),
    facts: &[facts!("parts/vps"), facts!("vps-postgresql")],
    findings: &[server::ADDRESS],
    commands: &[COMMANDS, databases::COMMANDS, server::COMMANDS, vps::COMMANDS],
    files: &[
        server::FILES,
        vps::FILES,
        files!("vps-postgresql":
            "site.yml", "group-vars.yml", "postgresql-defaults.yml", "postgresql-tasks.yml",
            "postgresql-handlers.yml", "tuning.conf.j2", "dump-database.sh", "restore-dump.sh",
            "dump-database.service.j2", "dump-database.timer",
        ),
    ],
    diagnoses: &[DIAGNOSES, vps::DIAGNOSES, server::DIAGNOSES],
    removal: &removals::SERVER,
};

const WRITE_PLAYBOOK: Step = Step {
    title: "Write the Ansible playbook",
    summary: "Writes the playbook and the roles for hardening and PostgreSQL to ansible/.",
    prompt: include_str!("../../catalogue/vps-postgresql/steps/write-playbook.md"),
    script: concat!(
        include_str!("../../catalogue/parts/vps/steps/playbook-start.sh"),
        include_str!("../../catalogue/vps-postgresql/steps/write-role.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-end.sh"),
    ),
    proof: vps::PLAYBOOK_PROOF,
};

fn derive(placeholders: &mut Values) {
    vps::derive(placeholders, &[databases::PASSWORD]);
    vps::derive_proof(
        placeholders,
        include_str!("../../catalogue/vps-postgresql/steps/on-server.proof.sh"),
    );
    vps::derive_trial(
        placeholders,
        include_str!("../../catalogue/vps-postgresql/steps/on-server.trial.sh"),
        include_str!("../../catalogue/vps-postgresql/steps/on-server.trial.md"),
    );
}

const DIAGNOSES: &[Diagnosis] = &[Diagnosis {
    sign: "app_db_password is missing",
    meaning: "The application's password is not in the environment. Enter APP_DB_PASSWORD in the credentials form, 12 characters or more, then run this again.",
    redo: None,
}];

const COMMANDS: &[Command] = &[
    Command {
        cues: &[
            "postgres",
            "postgresql",
            "database",
            "healthy",
            "health",
            "connection",
            "connections",
        ],
        target: Target::Server,
        command: "pg_isready; sudo -u postgres psql --no-psqlrc --command \"SELECT datname, numbackends AS connections, pg_size_pretty(pg_database_size(datname)) AS size FROM pg_stat_database WHERE datname IS NOT NULL\"",
        reason: "Asks PostgreSQL whether it accepts connections, and for its databases, their sizes and connections.",
        changes: false,
        readings: &[
            ("accepting connections", "Yes: PostgreSQL accepts connections. Its databases:"),
            (
                "no response",
                "PostgreSQL does not answer. Its log tells more: ask for the database's log.",
            ),
        ],
    },
    Command {
        cues: &[
            "database log",
            "postgres log",
            "slow",
            "slow queries",
            "queries",
            "database's log",
        ],
        target: Target::Server,
        command: "sudo tail -n 40 /var/log/postgresql/postgresql-@series_postgresql@-main.log",
        reason: "Shows the last 40 lines of PostgreSQL's log; queries of a second or more are in it.",
        changes: false,
        readings: &[
            ("fatal", "PostgreSQL's log has a fatal error or a refused login; it is below."),
            ("", "The end of PostgreSQL's log:"),
        ],
    },
    Command {
        cues: &["restart postgres", "restart postgresql", "restart the database", "restart"],
        target: Target::Server,
        command: "sudo systemctl restart postgresql@@series_postgresql@-main && sleep 2 && pg_isready",
        reason: "Restarts PostgreSQL; open connections are closed.",
        changes: true,
        readings: &[("accepting connections", "PostgreSQL was restarted and accepts connections.")],
    },
];
