//! What the deployments on a Hetzner VPS share: parameters, Terraform, hardening and commands.

use super::operations::{Command, Target};
use super::parameters::{Found, Parameter, accept_name, find_server_name};
use super::{
    Diagnosis, Step, Values, additions, check, document, files, networks, places, prices, server,
    sizes, step,
};
use crate::render;
use crate::words::language::Weight;
use crate::words::{Words, lists};

mod on_server;
mod open_ports;

pub use on_server::{derive_further_ports, derive_ports, derive_proof, derive_trial};
pub use open_ports::{
    Denied, OPEN_PORTS, all_that_stay_open as ports_that_stay_open, closed as closed_ports,
    denied as denied_ports, find_served as find_served_ports, is_of_another_program,
    listed as listed_ports, names_some, opened as opened_ports,
};

pub const NAME: Parameter = Parameter {
    key: "name",
    label: "Server name",
    question: "what should it be called?",
    default: "my-server",
    asked: false,
    accept: accept_name,
    find: find_server_name,
};

pub const LOCATION: Parameter = Parameter {
    key: "location",
    label: "Location",
    question: "where: Nuremberg, Falkenstein, Helsinki, Ashburn, Hillsboro or Singapore?",
    default: "nbg1",
    asked: true,
    accept: accept_location,
    find: find_location,
};

pub const SERVER_TYPE: Parameter = Parameter {
    key: "server-type",
    label: "Server size",
    question: "which Hetzner server type?",
    default: "cx23",
    asked: true,
    accept: accept_type,
    find: find_type,
};

/// The proof that the playbook was written, with any roles.
pub const PLAYBOOK_PROOF: &str =
    include_str!("../../catalogue/parts/vps/steps/write-playbook.proof.sh");

/// What the proof of the playbook's run checks on a server with a Compose project.
pub const STACK_PROOF: &str =
    include_str!("../../catalogue/parts/vps/steps/stack-on-server.proof.sh");

pub const WRITE_TERRAFORM: Step = step!(
    "parts/vps",
    "write-terraform",
    "Write the Terraform configuration",
    "Writes the Terraform files for @name@ to terraform/ and checks their format."
);

const RUN_PLAYBOOK: Step = step!(
    "parts/vps",
    "run-playbook",
    "Run the playbook",
    "Sets up @name@ with Ansible; running it again mends what has changed since."
);

pub const HARDENING: Step = check!(
    "parts/vps",
    "hardening",
    "SSH, firewall and updates are hardened",
    "Asks the server for its settings and its failed services; changes nothing."
);

pub const SECOND_RUN: Step = check!(
    "parts/vps",
    "second-run",
    "A second run of the playbook changes nothing",
    "Runs the playbook in check mode, which changes nothing and must report changed=0."
);

pub const RESTART: Step = check!(
    "parts/vps",
    "restart",
    "All that runs starts with the server",
    "Asks systemd and Docker what starts each service and container that runs; restarts nothing."
);

/// The steps of every deployment on a VPS: from the key to a server that Ansible has set up.
pub const fn steps(write_playbook: Step) -> [Step; 8] {
    [
        server::GENERATE_KEY,
        WRITE_TERRAFORM,
        server::INIT_VALIDATE,
        server::PLAN,
        server::APPLY,
        server::TEST_SSH,
        write_playbook,
        RUN_PLAYBOOK,
    ]
}

/// The checks of every VPS, and two for what runs on it.
pub const fn checks(first: Step, second: Step) -> [Step; 8] {
    [server::LOGIN, server::DRIFT, server::PORTS, HARDENING, SECOND_RUN, RESTART, first, second]
}

pub const FILES: &[(&str, &str)] = files!("parts/vps":
    "versions.tf", "variables.tf", "main.tf", "outputs.tf", "cloud-init.yaml", "terraform.tfvars",
    "ansible.cfg", "hardening-defaults.yml", "hardening-tasks.yml", "hardening-handlers.yml",
    "sshd.conf.j2", "unattended-upgrades.j2", "sysctl.conf",
);

/// The roles that run a Compose project on the server.
pub const STACK_FILES: &[(&str, &str)] = files!("parts/vps":
    "docker-tasks.yml", "docker-handlers.yml", "stack-tasks.yml", "stack-secrets.env.j2",
);

pub const STACK_DIAGNOSES: &[Diagnosis] = &[
    Diagnosis {
        sign: "is missing or shorter than",
        meaning: "A secret is missing or too short. Enter it in the credentials form, 12 characters or more, then run the step again.",
        redo: None,
    },
    Diagnosis {
        sign: "is unhealthy",
        meaning: "A container did not become healthy in time. Ask the DevOps helper for the containers' logs; a larger server type helps when memory is short.",
        redo: None,
    },
    Diagnosis {
        sign: "toomanyrequests",
        meaning: "The registry of the images lets in no more downloads for now. Run the step again in an hour.",
        redo: None,
    },
];

/// The DevOps helper's commands for any Compose project on the server.
pub const STACK_COMMANDS: &[Command] = &[
    Command {
        cues: &[
            "container",
            "containers",
            "docker",
            "compose",
            "running",
            "stack",
            "healthy",
            "health",
        ],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ ps --all; sudo docker stats --no-stream",
        reason: "Lists the containers with their health, and what they take of memory and CPU.",
        changes: false,
        readings: &[
            ("(unhealthy)", "A container is not healthy; it is listed below."),
            ("exited (1", "A container has ended with an error; it is listed below."),
            ("", "The containers, and what they take:"),
        ],
    },
    Command {
        cues: &["log", "logs", "container log", "container logs", "docker log"],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ logs --no-color --tail 30",
        reason: "Shows the last 30 lines of each container's log.",
        changes: false,
        readings: &[("", "The end of the containers' logs:")],
    },
    Command {
        cues: &[
            "restart",
            "restart the stack",
            "restart the containers",
            "restart the service",
            "restart it",
        ],
        target: Target::Server,
        command: "sudo docker compose --project-directory /opt/@name@ restart && sudo docker compose --project-directory /opt/@name@ up --detach --wait --wait-timeout 300",
        reason: "Restarts the containers and waits until they are healthy; data stays.",
        changes: true,
        readings: &[("", "The containers were restarted and are healthy.")],
    },
];

/// The explanation for every failure that is due to Hetzner's token.
const TOKEN: &str = "Hetzner did not accept the token, or there was none. Enter HCLOUD_TOKEN in the credentials form (never in the chat), then run the step again.";

pub const DIAGNOSES: &[Diagnosis] = &[
    Diagnosis { sign: "no hetzner credentials", meaning: TOKEN, redo: None },
    Diagnosis { sign: "missing hetzner cloud api token", meaning: TOKEN, redo: None },
    Diagnosis { sign: "(unauthorized)", meaning: TOKEN, redo: None },
    Diagnosis {
        sign: "(resource_unavailable)",
        meaning: "Hetzner has none of these servers left in @location@. Choose another location or size in the requirements.",
        redo: None,
    },
    Diagnosis {
        sign: "(uniqueness_error)",
        meaning: "Something at Hetzner has this name or this key already. Choose another name in the requirements, or remove the old one in Hetzner's console.",
        redo: None,
    },
    Diagnosis {
        sign: "unreachable=1",
        meaning: "Ansible could not reach the server. It may be restarting, or this sandbox's public address changed; in that case run the plan and apply steps again.",
        redo: None,
    },
    Diagnosis {
        sign: "could not get lock /var/lib/dpkg",
        meaning: "The server was installing updates of its own. Run the step again in a few minutes.",
        redo: None,
    },
    Diagnosis {
        sign: "no inventory",
        meaning: "The inventory is missing, so this attempt tests SSH first, which writes it.",
        redo: Some(5),
    },
];

pub const COMMANDS: &[Command] = &[
    Command {
        cues: &["firewall", "ufw", "open ports", "blocked"],
        target: Target::Server,
        command: "sudo ufw status verbose",
        reason: "Shows the rules of the server's own firewall.",
        changes: false,
        readings: &[
            ("status: active", "The server's firewall is active, with these rules:"),
            ("", "The server's firewall is not active:"),
        ],
    },
    Command {
        cues: &["update", "updates", "upgrade", "upgrades", "patch", "patches", "security updates"],
        target: Target::Server,
        command: "apt list --upgradable 2>/dev/null; tail -n 15 /var/log/unattended-upgrades/unattended-upgrades.log; ls /var/run/reboot-required 2>/dev/null || true",
        reason: "Shows which updates are open and what was updated last.",
        changes: false,
        readings: &[
            (
                "reboot-required",
                "A restart is needed for an update; the server restarts automatically at 03:30 UTC.",
            ),
            ("", "The open updates, and what was updated last:"),
        ],
    },
    Command {
        cues: &["address", "public ip", "terraform", "outputs", "server id"],
        target: Target::Sandbox,
        command: "terraform -chdir=terraform output -no-color",
        reason: "Shows what Terraform knows of the server: its id, address and login.",
        changes: false,
        readings: &[("", "What Terraform knows of the server:")],
    },
];

/// A secret that a deployment needs in addition to Hetzner's token, and its purpose.
pub type Secret = (&'static str, &'static str);

/// Adds the placeholders of the parts' templates. Ports stay closed unless the deployment opens them.
pub fn derive(placeholders: &mut Values, secrets: &[Secret]) {
    networks::derive(placeholders);
    open_ports::derive(placeholders);
    placeholders.insert("cloud".into(), "Hetzner".into());
    placeholders.insert("credentials".into(), "HCLOUD_TOKEN".into());
    derive_secrets(placeholders, secrets);
    derive_proof(placeholders, "");
    derive_trial(placeholders, "", "");
    derive_ports(placeholders, &[], &[]);
    let value = |key: &str| placeholders.get(key).map_or("", String::as_str);
    let price = prices::hetzner(value("server_type"), value("location"));
    placeholders.insert("server_price".into(), price);
    let texts = [
        ("vps_shape", document!("parts/vps", "shape")),
        ("vps_cost", document!("parts/vps", "cost")),
        ("vps_risks", document!("parts/vps", "risks")),
    ];
    for (key, text) in texts {
        let text = render::fill(text.trim_end(), placeholders);
        placeholders.insert(key.into(), text);
    }
}

fn derive_secrets(placeholders: &mut Values, secrets: &[Secret]) {
    let token = ("HCLOUD_TOKEN", "Hetzner's API token, for Terraform");
    let additions = placeholders.get("additions").map_or("", String::as_str);
    let added = additions::of_list(additions).flat_map(|addition| addition.secrets);
    let all: Vec<&Secret> = std::iter::once(&token).chain(secrets).chain(added).collect();
    let list =
        |text: &dyn Fn(&Secret) -> String| -> Vec<String> { secrets.iter().map(text).collect() };

    let names = list(&|(name, _)| name.to_string());
    let quoted = list(&|(name, _)| format!("`{name}`"));
    placeholders.insert("secrets".into(), names.join(" "));
    placeholders.insert("secrets_yaml".into(), names.join(", "));
    let none = "none beside the SSH key".to_string();
    placeholders
        .insert("secrets_md".into(), if quoted.is_empty() { none } else { quoted.join(", ") });

    let row = |(name, what): &&Secret| format!("| `{name}` | {what} |");
    let rows: Vec<String> = all.iter().map(row).collect();
    placeholders.insert(
        "secrets_table".into(),
        format!("| name | what for |\n|---|---|\n{}", rows.join("\n")),
    );
    let answer: Vec<String> = all.iter().map(|(name, what)| format!("`{name}` ({what})")).collect();
    placeholders.insert("secrets_answer".into(), format!("Needed are {}.", answer.join(" and ")));
    let reference: Vec<String> =
        all.iter().map(|(name, _)| format!("`{name}` ({{{{secret:{name}}}}})")).collect();
    placeholders.insert("secrets_doc".into(), reference.join(", "));
    let references =
        all.iter().map(|(name, _)| (name.to_string(), format!("{{{{secret:{name}}}}}").into()));
    let json: serde_json::Map<String, serde_json::Value> = references.collect();
    placeholders.insert("secrets_json".into(), serde_json::Value::Object(json).to_string());
}

fn accept_location(text: &str) -> Option<String> {
    let location = text.trim().to_lowercase();
    places::HETZNER.iter().any(|(_, code)| *code == location).then_some(location)
}

fn find_location(words: &Words) -> Found {
    Found::maybe(places::wanted(words, places::HETZNER))
}

/// Hetzner's families: shared Intel and AMD, shared ARM, dedicated.
const FAMILIES: &[&str] = &["cx", "cpx", "cax", "ccx"];

fn accept_type(text: &str) -> Option<String> {
    let kind = text.trim().to_lowercase();
    let digits = kind.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let family = &kind[..kind.len() - digits.len()];
    let numbered = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    (numbered && FAMILIES.contains(&family)).then(|| kind.clone())
}

fn find_type(words: &Words) -> Found {
    let smallest = || asks_for_the_smallest(words).then(|| SERVER_TYPE.default.to_string());
    match find_named_type(words) {
        Found::Nothing => Found::maybe(smallest()),
        found => found,
    }
}

/// Finds the server type of a deployment that does not fit on the smallest one.
pub fn find_named_type(words: &Words) -> Found {
    // “A cx32, not a cx22”
    let meant = words.values().enumerate().filter(|(at, _)| words.means_value(*at));
    Found::maybe(meant.map(|(_, value)| value).find_map(accept_type))
}

/// Whether the message asks for the smallest or the cheapest server, and for no other size: “Hetzner, the smallest”.
fn asks_for_the_smallest(words: &Words) -> bool {
    const SMALLEST: &[&str] =
        &["smallest", "cheapest", "as small as possible", "as cheap as possible"];
    const MACHINES: &str =
        "server servers vps vm box machine instance hetzner possible one type size option";
    let values: Vec<&str> = words.values().collect();
    let alone = |place: std::ops::Range<usize>| {
        let said = words.values_of(&place);
        let full = |at: &usize| !said.contains(at) && words.weighs(*at) == Weight::Full;
        words.clause(said.start).filter(full).all(|at| lists(MACHINES, values[at]))
    };
    sizes::asked(words).is_empty()
        && SMALLEST.iter().flat_map(|phrase| words.meant_at(phrase)).any(alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_types_are_read() {
        assert_eq!(find_location(&Words::of("in Helsinki, please")), Found::Value("hel1".into()));
        assert_eq!(find_location(&Words::of("in FSN1.")), Found::Value("fsn1".into()));
        assert_eq!(find_type(&Words::of("a CPX31 server")), Found::Value("cpx31".into()));
        assert_eq!(accept_type("cx; id"), None);
        assert_eq!(accept_type("t3"), None);
        assert_eq!(accept_type("é23"), None);
    }

    #[test]
    fn documents_name_secrets_and_contain_no_values() {
        let mut values = Values::new();
        derive(&mut values, &[("APP_DB_PASSWORD", "the database's password")]);
        assert_eq!(values["secrets"], "APP_DB_PASSWORD");
        assert!(
            values["secrets_json"].contains("\"APP_DB_PASSWORD\":\"{{secret:APP_DB_PASSWORD}}\"")
        );
        assert!(values["secrets_answer"].contains("HCLOUD_TOKEN"));
    }
}
