//! A VPS with MySQL, an application's database and nightly dumps.

use super::additions::ADDITIONS;
use super::operations::{Command, Target};
use super::{
    Blueprint, Diagnosis, Place, Step, Values, check, databases, document, facts, files, networks,
    removals, server, vps,
};

/// Everything about the deployment.
pub const BLUEPRINT: Blueprint = Blueprint {
    id: "vps-mysql",
    title: "A VPS with MySQL",
    detail: "a hardened server at Hetzner with MySQL 8.4 and nightly dumps; needs a Hetzner account",
    welcome: "A hardened VPS at Hetzner with MySQL 8.4, a database for your application and nightly dumps.",
    before_confirming: "Needed are a Hetzner Cloud API token (HCLOUD_TOKEN), a password for the application's login (APP_DB_PASSWORD) and one for root (MYSQL_ROOT_PASSWORD), 12 characters or more each. Enter them in the credentials form; please never type them here.",
    strong_cues: &["mysql"],
    weak_cues: &["database", "sql", "server", "vps", "hetzner", "dump"],
    place: Place::Hetzner,
    // Its `differs.json` says what there is in their place.
    brings: &["compose project", "compose file", "compose stack", "compose setup"],
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
    requirements: document!("vps-mysql", "requirements"),
    architecture: document!("vps-mysql", "architecture"),
    implementation: document!("vps-mysql", "implementation"),
    answers: concat!(document!("vps-mysql", "answers"), document!("parts/vps", "answers")),
    steps: &vps::steps(WRITE_PLAYBOOK),
    checks: &vps::checks(
        check!(
            "vps-mysql",
            "database",
            "The application can use its database",
            "Logs in as @database@ on the server, writes and reads a temporary table, and tries a wrong password."
        ),
        check!(
            "vps-mysql",
            "restore",
            "A dump can be restored",
            "Restores the newest dump into a scratch database and drops that again; changes nothing else."
        ),
    ),
    validation: document!("vps-mysql", "validation"),
    documentation: concat!(
        document!("vps-mysql", "documentation"),
        document!("parts/vps", "stack-documentation"),
        document!("parts/vps", "documentation")
    ),
    quickstart: document!("vps-mysql", "quickstart"),
    facts: &[facts!("parts/vps"), facts!("vps-mysql")],
    findings: &[server::ADDRESS],
    commands: &[
        COMMANDS,
        databases::COMMANDS,
        vps::STACK_COMMANDS,
        server::COMMANDS,
        vps::COMMANDS,
    ],
    files: &[
        server::FILES,
        vps::FILES,
        vps::STACK_FILES,
        files!("vps-mysql":
            "site.yml", "group-vars.yml", "compose.yaml", "tuning.cnf", "dumps-tasks.yml",
            "dumps-handlers.yml", "dump-database.sh.j2", "restore-dump.sh.j2",
            "dump-database.service", "dump-database.timer",
        ),
    ],
    diagnoses: &[DIAGNOSES, vps::STACK_DIAGNOSES, vps::DIAGNOSES, server::DIAGNOSES],
    removal: &removals::SERVER,
};

const WRITE_PLAYBOOK: Step = Step {
    title: "Write the Ansible playbook",
    summary: "Writes the playbook and its roles to ansible/, and the Compose project of MySQL to stack/.",
    prompt: include_str!("../../catalogue/vps-mysql/steps/write-playbook.md"),
    script: concat!(
        include_str!("../../catalogue/parts/vps/steps/playbook-start.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-stack.sh"),
        include_str!("../../catalogue/vps-mysql/steps/write-role.sh"),
        include_str!("../../catalogue/parts/vps/steps/compose-end.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-end.sh"),
    ),
    proof: vps::PLAYBOOK_PROOF,
};

fn derive(placeholders: &mut Values) {
    vps::derive(placeholders, &[databases::PASSWORD, ROOT_PASSWORD]);
    let timer = include_str!("../../catalogue/vps-mysql/steps/on-server.proof.sh");
    vps::derive_proof(placeholders, &format!("{}{timer}", vps::STACK_PROOF));
    vps::derive_trial(
        placeholders,
        include_str!("../../catalogue/vps-mysql/steps/on-server.trial.sh"),
        include_str!("../../catalogue/vps-mysql/steps/on-server.trial.md"),
    );
}

const DIAGNOSES: &[Diagnosis] = &[Diagnosis {
    sign: "app_db_password is missing",
    meaning: "The application's password is not in the environment. Enter APP_DB_PASSWORD in the credentials form, 12 characters or more, then run this again.",
    redo: None,
}];

const ROOT_PASSWORD: vps::Secret =
    ("MYSQL_ROOT_PASSWORD", "the password of MySQL's root, which gets in from the container only");

const COMMANDS: &[Command] = &[
    Command {
        cues: &["mysql", "database", "healthy", "health", "connection", "connections"],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ ps; sudo docker compose --project-directory /opt/@name@ exec --no-TTY mysql sh -c 'MYSQL_PWD=$MYSQL_ROOT_PASSWORD mysqladmin --user=root status'",
        reason: "Asks Compose for the container's health and MySQL for its state.",
        changes: false,
        readings: &[
            ("(unhealthy)", "MySQL runs, and its health check fails. Its log tells more."),
            ("(healthy)", "Yes: MySQL is healthy."),
            ("is not running", "MySQL is not running. Its log tells more."),
        ],
    },
    Command {
        cues: &["slow", "slow queries", "queries", "slow log"],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ exec --no-TTY mysql tail -n 40 /var/lib/mysql/slow.log",
        reason: "Shows the last slow queries: those of a second or more.",
        changes: false,
        readings: &[("", "The end of the log of slow queries:")],
    },
];
