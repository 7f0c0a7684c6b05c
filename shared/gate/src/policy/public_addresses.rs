//! Finds servers and databases of clouds that get a public address, or let every address in, although nothing around them
//! asks for it.

use crate::check::error;
use crate::hcl::{self, Parsed, attribute, label};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use hcl_edit::structure::{Block, Body};

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    let (all, _) = hcl::parse(&unit.tree);
    let inside = is_inside(&all);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let message = addressed(block, inside)
                .or_else(|| admitted(&block.body))
                .or_else(|| ranged(block))
                .or_else(|| assumed(block));
            if let Some(message) = message {
                findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
            }
        }
    }
    for file in unit.written() {
        let json = file.text.trim_start().starts_with('{') && file.text.contains("\"Statement\"");
        if let Some(message) = repositories(&file.text).filter(|_| json) {
            findings.push(error(POLICY, message).at(Some(&file.path), 1));
        }
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = opened(&command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Networks of a provider's own gates, and private ones.
const OWN: [&str; 8] = [
    "\"10.",
    "\"130.211.0.0/22",
    "\"172.16.",
    "\"172.2",
    "\"172.3",
    "\"192.168.",
    "\"35.191.0.0/16",
    "\"35.235.240.0/20",
];

/// Whether firewalls of Google Cloud are here, and all of them let in only what comes from inside or through a gate.
fn is_inside(files: &[Parsed]) -> bool {
    let blocks = files.iter().flat_map(Parsed::blocks).map(|(_, block)| block);
    let firewalls = blocks.filter(|block| label(block, 0) == "google_compute_firewall");
    let ranges: Vec<String> =
        firewalls.filter_map(|block| attribute(&block.body, "source_ranges")).collect();
    let own = |list: &String| {
        let mut ranges =
            list.trim_matches(['[', ']']).split(',').map(str::trim).filter(|it| !it.is_empty());
        ranges.all(|range| OWN.iter().any(|own| range.starts_with(own)))
    };
    !ranges.is_empty() && ranges.iter().all(own)
}

const NEEDLESS: &str = "Nothing here asks for a public address: keep it inside its network.";

/// A public address for something that stays inside.
fn addressed(block: &Block, inside: bool) -> Option<String> {
    let get = |body: &Body, key: &str| attribute(body, key).unwrap_or_default();
    let kind = label(block, 0);
    let private = |text: &str| {
        ["private", "internal", "database"].iter().any(|part| text.to_lowercase().contains(part))
    };
    let needless = match kind {
        "google_compute_instance" | "google_compute_instance_template" => {
            let mut networks = block.body.get_blocks("network_interface");
            inside && networks.any(|network| network.body.has_blocks("access_config"))
        }
        "google_sql_database_instance" => {
            let settings = block.body.get_blocks("settings");
            let mut networks = settings.flat_map(|it| it.body.get_blocks("ip_configuration"));
            networks.any(|it| {
                get(&it.body, "ipv4_enabled") == "true" && it.body.has_attribute("private_network")
            })
        }
        "aws_ecs_service" => block.body.get_blocks("network_configuration").any(|it| {
            get(&it.body, "assign_public_ip") == "true" && private(&get(&it.body, "subnets"))
        }),
        "aws_instance" => {
            get(&block.body, "associate_public_ip_address") == "true"
                && private(&get(&block.body, "subnet_id"))
        }
        "aws_subnet" => {
            get(&block.body, "map_public_ip_on_launch") == "true" && private(label(block, 1))
        }
        _ => false,
    };
    needless.then(|| NEEDLESS.to_owned())
}

/// Arguments with the networks that may use the interface of a cluster or a database.
const NETWORKS: [&str; 7] = [
    "allowed_cidr",
    "allowed_cidrs",
    "api_server_authorized_ip_ranges",
    "authorized_ip_ranges",
    "cluster_endpoint_public_access_cidrs",
    "endpoint_public_access_cidrs",
    "public_access_cidrs",
];

/// Every address among the networks that may administer something.
fn admitted(body: &Body) -> Option<String> {
    let everyone = |text: &str| text.contains("\"0.0.0.0/0\"") || text.contains("\"::/0\"");
    let own = body
        .attributes()
        .find(|it| NETWORKS.contains(&it.key.as_str()) && everyone(&it.value.to_string()));
    let named = own.map(|it| it.key.as_str().to_owned());
    let authorized = || {
        let mut lists = body.get_blocks("master_authorized_networks_config");
        let open = lists.any(|it| everyone(&it.body.to_string()));
        open.then(|| "master_authorized_networks_config".to_owned())
    };
    let found =
        named.or_else(authorized).or_else(|| body.blocks().find_map(|it| admitted_name(&it.body)));
    found.map(|name| format!("With `{name}`, every address may reach this: name the networks."))
}

fn admitted_name(body: &Body) -> Option<String> {
    let message = admitted(body)?;
    message.split('`').nth(1).map(str::to_owned)
}

const DATABASE: &str = "This database lets every address connect: name the addresses.";

/// A rule of Azure for all addresses.
fn ranged(block: &Block) -> Option<String> {
    let get = |key: &str| attribute(&block.body, key).unwrap_or_default();
    let all =
        get("start_ip_address") == "\"0.0.0.0\"" && get("end_ip_address") == "\"255.255.255.255\"";
    (all && label(block, 0).ends_with("firewall_rule")).then(|| DATABASE.to_owned())
}

/// A role, or a pool of identities, that pipelines of other people may use.
fn assumed(block: &Block) -> Option<String> {
    if label(block, 0) == "google_iam_workload_identity_pool_provider" {
        let text = block.body.to_string();
        let open = text.contains("token.actions.githubusercontent.com")
            || text.contains("https://gitlab.com\"");
        return (open && !block.body.has_attribute("attribute_condition")).then(|| {
            "Any repository could use this: require your own in `attribute_condition`.".to_owned()
        });
    }
    let text = block.body.to_string();
    let pool = text.contains("principalSet://") && text.contains("workloadIdentityPools/");
    let every = pool
        && text.split('"').any(|part| part.starts_with("principalSet://") && part.ends_with("/*"));
    if every {
        return Some("Any repository could use this account: name your own.".to_owned());
    }
    repositories(&text)
}

/// A name of repositories that others can have: `repo:*`, `repo:acme/*`.
fn repositories(text: &str) -> Option<String> {
    if !text.contains("AssumeRoleWithWebIdentity") && !text.contains(":sub") {
        return None;
    }
    let wide = text.split(['"', '\'']).find(|part| {
        ["repo:", "project_path:"].iter().any(|start| {
            part.strip_prefix(start)
                .is_some_and(|rest| rest.split(':').next().is_some_and(|name| name.contains('*')))
        })
    });
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let every = [":sub\":\"*\"", ":sub\"=\"*\"", ":sub\"values=[\"*\"]"];
    let every = every.iter().any(|sign| bare.contains(sign)).then_some("*");
    wide.or(every).map(|name| {
        format!(
            "Other people's repositories could take this role through `{name}`: name the \
        repository."
        )
    })
}

/// What a command opens to every address.
fn opened(argv: &[&str]) -> Option<String> {
    let has = |word: &str| argv.contains(&word);
    let after = |name: &str| {
        let next = argv.windows(2).find(|two| two[0] == name).map(|two| two[1]);
        next.or_else(|| argv.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')))
    };
    let found = match argv {
        ["aws", "rds", verb, ..] => {
            (verb.starts_with("create-") || verb.starts_with("modify-"))
                && has("--publicly-accessible")
        }
        ["aws", "eks", ..] => after("--resources-vpc-config")
            .is_some_and(|it| it.contains("publicAccessCidrs=0.0.0.0/0")),
        ["az", ..] => {
            let rule = has("firewall-rule") && after("--end-ip-address") == Some("255.255.255.255");
            let access = after("--public-access")
                .is_some_and(|it| it.eq_ignore_ascii_case("all") || it.contains("255.255.255.255"));
            let blobs = after("--allow-blob-public-access") == Some("true");
            rule || blobs || (access && (has("flexible-server") || has("server")))
        }
        ["gcloud", "sql", "instances", "create" | "patch", ..] => {
            after("--authorized-networks").is_some_and(|it| it.contains("0.0.0.0/0"))
        }
        ["kubectl", rest @ ..] if rest.contains(&"port-forward") => {
            after("--address").is_some_and(|it| it.contains("0.0.0.0"))
        }
        ["kubectl", rest @ ..] if rest.contains(&"expose") => {
            let kinds = ["LoadBalancer", "NodePort"];
            let web = ["80", "443"].map(Some).contains(&after("--port"));
            after("--type").is_some_and(|kind| kinds.contains(&kind)) && !web
        }
        ["mc", "anonymous" | "policy", "set", "public" | "download" | "upload", ..] => true,
        _ => false,
    };
    found.then(|| "This lets every address in, which was not asked for.".to_owned())
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    fn terraform(text: &str) -> String {
        format!("cat >a.tf <<'E'\n{text}\nE\n")
    }

    #[test]
    fn what_stays_inside_has_no_public_address() {
        let google = "resource \"google_compute_firewall\" \"a\" {\n  source_ranges = [\"RANGE\"]\n}\nresource \"google_compute_instance\" \"b\" {\n  network_interface {\n    access_config {}\n  }\n}";
        let service = "resource \"aws_ecs_service\" \"a\" {\n  network_configuration {\n    subnets = SUBNETS\n    assign_public_ip = true\n  }\n}";
        let sql = "resource \"google_sql_database_instance\" \"a\" {\n  settings {\n    ip_configuration {\n      ipv4_enabled = true\n      private_network = \"n\"\n    }\n  }\n}";
        for text in [
            google.replace("RANGE", "35.235.240.0/20"),
            service.replace("SUBNETS", "data.aws_subnets.private.ids"),
            sql.to_owned(),
            "resource \"aws_subnet\" \"private\" {\n  map_public_ip_on_launch = true\n}".into(),
        ] {
            assert_eq!(said(&terraform(&text)), 1, "{text}");
        }
        for text in [
            google.replace("RANGE", "0.0.0.0/0"),
            google.replace("\"RANGE\"", "var.admin"),
            service.replace("SUBNETS", "var.public_subnets"),
            sql.replace("= true", "= false"),
            "resource \"aws_subnet\" \"public\" {\n  map_public_ip_on_launch = true\n}".into(),
        ] {
            assert_eq!(said(&terraform(&text)), 0, "{text}");
        }
    }

    #[test]
    fn networks_and_repositories_are_named() {
        let cluster = "resource \"aws_eks_cluster\" \"a\" {\n  vpc_config {\n    public_access_cidrs = [\"CIDR\"]\n  }\n}";
        let trust = "data \"aws_iam_policy_document\" \"a\" {\n  statement {\n    actions = [\"sts:AssumeRoleWithWebIdentity\"]\n    condition {\n      variable = \"token.actions.githubusercontent.com:sub\"\n      values = [\"NAME\"]\n    }\n  }\n}";
        let pool = "resource \"google_iam_workload_identity_pool_provider\" \"a\" {\n  oidc {\n    issuer_uri = \"https://token.actions.githubusercontent.com\"\n  }\n}";
        let rule = "resource \"azurerm_postgresql_flexible_server_firewall_rule\" \"a\" {\n  start_ip_address = \"0.0.0.0\"\n  end_ip_address = \"END\"\n}";
        for text in [
            cluster.replace("CIDR", "0.0.0.0/0"),
            trust.replace("NAME", "repo:*"),
            trust.replace("NAME", "repo:acme/*:ref:refs/heads/main"),
            trust.replace("NAME", "*"),
            pool.to_owned(),
            rule.replace("END", "255.255.255.255"),
        ] {
            assert_eq!(said(&terraform(&text)), 1, "{text}");
        }
        for text in [
            cluster.replace("CIDR", "203.0.113.7/32"),
            trust.replace("NAME", "repo:acme/shop:*"),
            trust.replace("NAME", "repo:${var.repository}:ref:refs/heads/main"),
            pool.replace("  oidc", "  attribute_condition = \"a\"\n  oidc"),
            rule.replace("END", "0.0.0.0"),
        ] {
            assert_eq!(said(&terraform(&text)), 0, "{text}");
        }
    }

    #[test]
    fn commands_open_nothing_to_every_address() {
        for text in [
            "aws rds modify-db-instance --db-instance-identifier a --publicly-accessible",
            "az postgres flexible-server create --name a --public-access 0.0.0.0-255.255.255.255",
            "gcloud sql instances patch a --authorized-networks=0.0.0.0/0",
            "kubectl -n a port-forward --address 0.0.0.0 svc/db 5432:5432",
            "kubectl expose deployment db --type=LoadBalancer --port=5432",
            "mc anonymous set public local/backups",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "aws rds modify-db-instance --db-instance-identifier a --no-publicly-accessible",
            "az postgres flexible-server create --name a --public-access None",
            "kubectl -n a port-forward svc/db 5432:5432",
            "kubectl expose deployment web --type=LoadBalancer --port=443",
            "mc anonymous set none local/backups",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
