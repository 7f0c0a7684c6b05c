//! A VPS that monitors itself and other addresses: Prometheus, Grafana, Alertmanager and exporters.

use super::operations::{Command, Target};
use super::{
    Blueprint, Place, Step, Values, check, document, facts, files, networks, removals, server,
    stacks, vps,
};

/// Everything about the deployment.
pub const BLUEPRINT: Blueprint = Blueprint {
    id: "monitoring-stack",
    title: "A monitoring stack",
    detail: "Prometheus, Grafana and Alertmanager on a hardened server at Hetzner; needs a Hetzner account",
    welcome: "A monitoring stack on a hardened VPS at Hetzner: Prometheus, Grafana and Alertmanager.",
    before_confirming: "Needed are a Hetzner Cloud API token (HCLOUD_TOKEN) and a password for Grafana's admin (GRAFANA_ADMIN_PASSWORD, 12 characters or more). Enter both in the credentials form; please never type them here.",
    strong_cues: &[
        "monitoring",
        "prometheus",
        "grafana",
        "alertmanager",
        "monitoring stack",
        "monitor my servers",
        "monitor my server",
        "monitor our servers",
        "monitor our server",
        "monitor servers",
        "uptime monitoring",
        "if it's down",
        "if it is down",
        "when it's down",
        "when it is down",
        "if my site is down",
        "when my site is down",
        "if our site is down",
        "when our site is down",
    ],
    weak_cues: &["metrics", "alert", "dashboard", "watch", "webhook", "vps", "server", "hetzner"],
    place: Place::Hetzner,
    brings: &["node_exporter", "node exporter", "blackbox exporter", "cadvisor"],
    parameters: &[
        stacks::WATCHED,
        stacks::ALERTS_TO,
        vps::NAME,
        vps::LOCATION,
        vps::SERVER_TYPE,
        networks::SSH_FROM,
        stacks::RETENTION_DAYS,
    ],
    derive: &derive,
    requirements: document!("monitoring-stack", "requirements"),
    architecture: document!("monitoring-stack", "architecture"),
    implementation: document!("monitoring-stack", "implementation"),
    answers: concat!(document!("monitoring-stack", "answers"), document!("parts/vps", "answers")),
    steps: &vps::steps(WRITE_PLAYBOOK),
    checks: &vps::checks(
        check!(
            "monitoring-stack",
            "monitoring",
            "Every target is watched and shown",
            "Asks Prometheus for its targets and rules, and Grafana for its data source and dashboard; changes nothing."
        ),
        check!(
            "monitoring-stack",
            "alert",
            "Alerts reach Alertmanager",
            "Asks Prometheus where it sends alerts, and Alertmanager whether it takes them; changes nothing."
        ),
    ),
    validation: document!("monitoring-stack", "validation"),
    documentation: concat!(
        document!("monitoring-stack", "documentation"),
        document!("parts/vps", "stack-documentation"),
        document!("parts/vps", "documentation")
    ),
    quickstart: document!("monitoring-stack", "quickstart"),
    facts: &[facts!("parts/vps"), facts!("monitoring-stack")],
    findings: &[server::ADDRESS],
    commands: &[COMMANDS, vps::STACK_COMMANDS, server::COMMANDS, vps::COMMANDS],
    files: &[
        server::FILES,
        vps::FILES,
        vps::STACK_FILES,
        files!("monitoring-stack":
            "site.yml", "group-vars.yml", "compose.yaml", "prometheus.yml", "rules.yml",
            "alertmanager.yml", "blackbox.yml", "datasource.yml", "dashboards.yml", "server.json",
        ),
    ],
    diagnoses: &[vps::STACK_DIAGNOSES, vps::DIAGNOSES, server::DIAGNOSES],
    removal: &removals::SERVER,
};

const WRITE_PLAYBOOK: Step = Step {
    title: "Write the playbook and the stack",
    summary: "Writes the playbook and its roles to ansible/, and the Compose project of the monitoring to stack/.",
    prompt: include_str!("../../catalogue/monitoring-stack/steps/write-playbook.md"),
    script: concat!(
        include_str!("../../catalogue/parts/vps/steps/playbook-start.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-stack.sh"),
        include_str!("../../catalogue/monitoring-stack/steps/write-stack.sh"),
        include_str!("../../catalogue/parts/vps/steps/compose-end.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-end.sh"),
    ),
    proof: vps::PLAYBOOK_PROOF,
};

const ADMIN_PASSWORD: vps::Secret = ("GRAFANA_ADMIN_PASSWORD", "the password of Grafana's admin");

const WEBHOOK: vps::Secret = ("ALERT_WEBHOOK_URL", "the address to which alerts are posted");

/// A text of the folder about the webhook.
macro_rules! webhook {
    ($file:literal) => {
        include_str!(concat!("../../catalogue/monitoring-stack/webhook/", $file)).trim_end()
    };
}

fn derive(placeholders: &mut Values) {
    let posts = placeholders.get("alerts_to").is_some_and(|to| to == stacks::WEBHOOK);
    let secrets = if posts { &[ADMIN_PASSWORD, WEBHOOK][..] } else { &[ADMIN_PASSWORD] };
    vps::derive(placeholders, secrets);
    derive_receiver(placeholders, posts);
    let watched = placeholders.get("watch").cloned().unwrap_or_default();
    let quote = |quote: &str| {
        let quoted = watched.split(',').map(|address| format!("{quote}{address}{quote}"));
        quoted.collect::<Vec<_>>().join(", ")
    };
    let texts = [
        ("probe_list", quote("\"")),
        ("probe_words", quote("`")),
        ("stack_title", "the monitoring".into()),
        ("stack_sysctls", String::new()),
    ];
    placeholders.extend(texts.map(|(key, text)| (key.into(), text)));
    vps::derive_proof(placeholders, vps::STACK_PROOF);
    let (trial, words) = if posts {
        (webhook!("trial.sh"), webhook!("trial.md"))
    } else {
        (
            include_str!("../../catalogue/monitoring-stack/steps/on-server.trial.sh"),
            include_str!("../../catalogue/monitoring-stack/steps/on-server.trial.md"),
        )
    };
    vps::derive_trial(placeholders, trial, words);
}

/// Adds where Alertmanager's alerts go: to a webhook, or nowhere else.
fn derive_receiver(placeholders: &mut Values, posts: bool) {
    let secret = format!("{}\n", webhook!("secret.yml"));
    let texts = if posts {
        [
            ("receiver", "webhook"),
            ("receiver_comment", "Alerts are grouped and posted to the webhook."),
            ("receiver_settings", webhook!("receiver.yml")),
            ("receiver_secrets", webhook!("service.yml")),
            ("stack_secrets", &secret),
            ("receiver_words", "a webhook, whose address is the credential `ALERT_WEBHOOK_URL`"),
            (
                "receiver_risk",
                "**A webhook that does not answer** gets no alerts. Alertmanager tries again for minutes, and counts what was refused.",
            ),
            (
                "receiver_note",
                "Alertmanager posts alerts as JSON to the webhook whose address is the credential `ALERT_WEBHOOK_URL`. To change it, enter another address in the credentials form and run the playbook again.",
            ),
            ("check_receiver", webhook!("check.sh")),
            (
                "check_receiver_words",
                "Alertmanager must have the webhook as its receiver, which must not have refused everything that was posted to it. ",
            ),
        ]
    } else {
        [
            ("receiver", "kept-here"),
            (
                "receiver_comment",
                "Alerts are grouped and kept here until a receiver with an address is written in.",
            ),
            ("receiver_settings", ""),
            ("receiver_secrets", ""),
            ("stack_secrets", ""),
            ("receiver_words", "Alertmanager on the server, and nowhere else"),
            (
                "receiver_risk",
                "**Alerts stay here** until a receiver (mail, chat, a pager) is written into `stack/alertmanager.yml`: where to is not known yet.",
            ),
            (
                "receiver_note",
                "To get alerts elsewhere, ask for a webhook, or write a receiver into `stack/alertmanager.yml` and run the playbook again.",
            ),
            ("check_receiver", ""),
            ("check_receiver_words", ""),
        ]
    };
    placeholders.extend(texts.map(|(key, text)| (key.into(), text.into())));
}

const COMMANDS: &[Command] = &[
    Command {
        cues: &["alert", "alerts", "firing", "alarm", "wrong"],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ exec --no-TTY alertmanager amtool --alertmanager.url=http://127.0.0.1:9093 alert query",
        reason: "Lists the alerts that are firing.",
        changes: false,
        readings: &[
            ("critical", "There are critical alerts:"),
            ("", "These alerts are firing; an empty list is a good one:"),
        ],
    },
    Command {
        cues: &["target", "targets", "probe", "probes", "watched", "site", "monitoring"],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ exec --no-TTY prometheus promtool query instant http://127.0.0.1:9090 'up or probe_success'",
        reason: "Asks Prometheus which targets and probes answer: 1 is yes, 0 is no.",
        changes: false,
        readings: &[
            ("=> 0 @", "Some do not answer; they have a 0:"),
            ("=> 1 @", "All targets and probes answer:"),
        ],
    },
];
