//! A VPS that collects logs: Elasticsearch, Logstash, Kibana and Filebeat.

use super::operations::{Command, Target};
use super::parameters::Parameter;
use super::{
    Blueprint, Place, Step, Values, check, document, facts, files, networks, removals, server,
    stacks, vps,
};

/// Everything about the deployment.
pub const BLUEPRINT: Blueprint = Blueprint {
    id: "elk",
    title: "An ELK stack",
    detail: "Elasticsearch, Logstash and Kibana on a hardened server at Hetzner; needs a Hetzner account",
    welcome: "An ELK stack on a hardened VPS at Hetzner: Elasticsearch, Logstash, Kibana and Filebeat.",
    before_confirming: "Needed are a Hetzner Cloud API token (HCLOUD_TOKEN) and three passwords of 12 characters or more: ELASTIC_PASSWORD, KIBANA_PASSWORD and LOGSTASH_PASSWORD. Enter them in the credentials form; please never type them here.",
    strong_cues: &["elk", "elasticsearch", "logstash", "kibana", "elastic", "elastic stack"],
    weak_cues: &["logs", "logging", "search", "vps", "server", "hetzner"],
    place: Place::Hetzner,
    brings: &["filebeat", "elastic", "elastic stack"],
    parameters: &[
        vps::NAME,
        vps::LOCATION,
        Parameter { default: "cx33", find: vps::find_named_type, ..vps::SERVER_TYPE },
        networks::SSH_FROM,
        stacks::HEAP_GB,
        stacks::RETENTION_DAYS,
    ],
    derive: &derive,
    requirements: document!("elk", "requirements"),
    architecture: document!("elk", "architecture"),
    implementation: document!("elk", "implementation"),
    answers: concat!(document!("elk", "answers"), document!("parts/vps", "answers")),
    steps: &vps::steps(WRITE_PLAYBOOK),
    checks: &vps::checks(
        check!(
            "elk",
            "cluster",
            "The cluster is healthy and closed to strangers",
            "Asks for the cluster's health over TLS, with and without a login, and looks at Kibana; changes nothing."
        ),
        check!(
            "elk",
            "event",
            "A log line arrives in Elasticsearch",
            "Searches for what the server has logged within the last two minutes; changes nothing."
        ),
    ),
    validation: document!("elk", "validation"),
    documentation: concat!(
        document!("elk", "documentation"),
        document!("parts/vps", "stack-documentation"),
        document!("parts/vps", "documentation")
    ),
    quickstart: document!("elk", "quickstart"),
    facts: &[facts!("parts/vps"), facts!("elk")],
    findings: &[server::ADDRESS],
    commands: &[COMMANDS, vps::STACK_COMMANDS, server::COMMANDS, vps::COMMANDS],
    files: &[
        server::FILES,
        vps::FILES,
        vps::STACK_FILES,
        files!("elk":
            "site.yml", "group-vars.yml", "compose.yaml", "setup.sh", "logstash.conf",
            "filebeat.yml",
        ),
    ],
    diagnoses: &[vps::STACK_DIAGNOSES, vps::DIAGNOSES, server::DIAGNOSES],
    removal: &removals::SERVER,
};

const WRITE_PLAYBOOK: Step = Step {
    title: "Write the playbook and the stack",
    summary: "Writes the playbook and its roles to ansible/, and the Compose project of the log stack to stack/.",
    prompt: include_str!("../../catalogue/elk/steps/write-playbook.md"),
    script: concat!(
        include_str!("../../catalogue/parts/vps/steps/playbook-start.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-stack.sh"),
        include_str!("../../catalogue/elk/steps/write-stack.sh"),
        include_str!("../../catalogue/parts/vps/steps/compose-end.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-end.sh"),
    ),
    proof: vps::PLAYBOOK_PROOF,
};

const SECRETS: &[vps::Secret] = &[
    ("ELASTIC_PASSWORD", "the password of the login elastic, which may do everything"),
    ("KIBANA_PASSWORD", "Kibana's own password at Elasticsearch"),
    ("LOGSTASH_PASSWORD", "Logstash's own password at Elasticsearch"),
];

fn derive(placeholders: &mut Values) {
    vps::derive(placeholders, SECRETS);
    let heap: u32 = placeholders.get("heap_gb").and_then(|heap| heap.parse().ok()).unwrap_or(1);
    let texts = [
        ("memory_gb", (heap * 2).to_string()),
        ("stack_title", "the ELK stack".into()),
        // Elasticsearch needs more memory areas than Linux allows a process by default.
        ("stack_sysctls", "vm.max_map_count=262144".into()),
    ];
    placeholders.extend(texts.map(|(key, text)| (key.into(), text)));
    vps::derive_proof(placeholders, vps::STACK_PROOF);
    vps::derive_trial(
        placeholders,
        include_str!("../../catalogue/elk/steps/on-server.trial.sh"),
        include_str!("../../catalogue/elk/steps/on-server.trial.md"),
    );
}

const COMMANDS: &[Command] = &[
    Command {
        cues: &["elasticsearch", "cluster", "elk", "health", "healthy", "status"],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ exec --no-TTY elasticsearch sh -c 'curl --silent --cacert config/certs/ca/ca.crt --user \"elastic:$ELASTIC_PASSWORD\" \"https://localhost:9200/_cat/health?v\"'; sudo docker compose --project-directory /opt/@name@ ps",
        reason: "Asks Elasticsearch for the cluster's health and Compose for the containers'.",
        changes: false,
        readings: &[
            ("(unhealthy)", "A container is not healthy; it is listed below."),
            (" red ", "The cluster is red: some data cannot be reached."),
            (" green ", "Yes: the cluster is green."),
            (
                " yellow ",
                "The cluster is yellow: all data is there, and some of it in one copy only.",
            ),
        ],
    },
    Command {
        cues: &["index", "indices", "how many logs", "size", "documents"],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ exec --no-TTY elasticsearch sh -c 'curl --silent --cacert config/certs/ca/ca.crt --user \"elastic:$ELASTIC_PASSWORD\" \"https://localhost:9200/_cat/indices/logs-*?v&s=index\"'",
        reason: "Lists the log indices with their documents and sizes.",
        changes: false,
        readings: &[("logs-", "The log indices:"), ("", "There are no log indices yet.")],
    },
];
