//! Finds settings that weaken a system: no encryption, no backup, rights over everything, access
//! for everyone.
//!
//! The owner can ask for most of them, but these are the ones that a reviewer refuses unless the owner did.

use crate::check::error;
use crate::files::Written;
use crate::hcl::{self, attribute, label};
use crate::places::is_compose;
use crate::{POLICY, Unit};
use domain::gate::Finding;
use hcl_edit::structure::{Block, Body};

const SETTINGS: &str = include_str!("weak.txt");

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            if ["resource", "data"].contains(&block.ident.as_str()) {
                let mut found = Vec::new();
                settings(&block.body, &mut found);
                found.extend(rights(block));
                for (key, message) in found {
                    let lines = parsed.file.text.lines().enumerate().skip(line.saturating_sub(1));
                    let at = lines.into_iter().find(|(_, text)| text.contains(&key));
                    let at = at.map_or(line, |(at, _)| at + 1);
                    findings.push(error(POLICY, message).at(Some(&parsed.file.path), at));
                }
            }
        }
    }
    let reached = is_reached(unit);
    for file in unit.written() {
        for (line, message) in lines(file, reached) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
    texts(unit, findings);
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = shown(&command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

fn settings(body: &Body, found: &mut Vec<(String, String)>) {
    for given in body.attributes() {
        let key = given.key.as_str();
        let value = given.value.to_string();
        let setting = format!("{key} {}: ", value.trim().trim_matches('"'));
        if let Some(why) = SETTINGS.lines().find_map(|line| line.strip_prefix(&setting)) {
            found.push((key.to_owned(), why.to_owned()));
        }
    }
    body.blocks().for_each(|block| settings(&block.body, found));
}

/// Rights over everything, and trust in every repository.
fn rights(block: &Block) -> Vec<(String, String)> {
    let text = block.body.to_string();
    let bare: String = text.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
    let mut found = Vec::new();
    let all = |sign: &[&str]| sign.iter().any(|sign| bare.contains(sign));
    let everything =
        all(&["actions=[*]", "Action=*", "Action=[*]", "Action:*", "Action:[*]", "actions=[*:*]"])
            && all(&["resources=[*]", "Resource=*", "Resource=[*]", "Resource:*", "Resource:[*]"])
            && !bare.contains("Deny");
    if everything {
        found.push((
            "ction".to_owned(),
            "This allows everything everywhere: name the actions and the resources.".to_owned(),
        ));
    }
    if attribute(&block.body, "policy_arn")
        .is_some_and(|arn| arn.contains("policy/AdministratorAccess"))
    {
        found.push((
            "policy_arn".to_owned(),
            "This allows everything everywhere: name the actions and the resources.".to_owned(),
        ));
    }
    let federated = bare.contains("sts:AssumeRoleWithWebIdentity");
    if federated
        && !bare.contains(":sub")
        && (bare.contains("githubusercontent") || bare.contains("openid_connect_provider"))
    {
        let message = "Any repository could take this role: require `sub` in a condition.";
        found.push(("AssumeRoleWithWebIdentity".to_owned(), message.to_owned()));
    }
    // `lambda.amazon.com` is not a service, and AWS says so only when it applies the policy.
    let services = bare
        .split(|c: char| ",=[](){}:".contains(c))
        .filter(|word| word.contains(".amazon") && !word.contains('/'));
    let policy = bare.contains("sts:AssumeRole") || label(block, 0).contains("policy");
    if let Some(service) = services.into_iter().find(|word| {
        policy
            && word.matches('.').count() == 2
            && word.ends_with(".com")
            && !word.ends_with(".amazonaws.com")
    }) {
        found.push((
            service.to_owned(),
            format!("AWS has no service `{service}`: its names end in `.amazonaws.com`."),
        ));
    }
    found
}

/// Settings by the path of their file: a part of the path, words of a line in lower case, and why the gate refuses
/// them.
const LINES: [(&str, &[&str], &str); 20] = [
    ("sshd", &["passwordauthentication", "yes"], "Passwords can be guessed: allow keys only."),
    ("sshd", &["permitrootlogin", "yes"], "No one should sign in as root with a password."),
    ("sshd", &["permitemptypasswords", "yes"], "An empty password does not protect anything."),
    (
        "/etc/postgresql",
        &["listen_addresses", "'*'"],
        "Every network could reach this database: name its own address.",
    ),
    (
        "/conf.d/",
        &["listen_addresses", "'*'"],
        "Every network could reach this database: name its own address.",
    ),
    (
        "/etc/mysql",
        &["bind-address", "0.0.0.0"],
        "Every network could reach this database: name its own address.",
    ),
    ("/etc/redis", &["bind", "0.0.0.0"], "Every network could reach Redis: name its own address."),
    ("haproxy", &["ssl-default-bind-options", "tlsv1.0"], "TLS before 1.2 is broken."),
    ("haproxy", &["ssl-default-bind-options", "tlsv1.1"], "TLS before 1.2 is broken."),
    ("haproxy", &["bind", "tlsv1.0"], "TLS before 1.2 is broken."),
    ("/etc/nginx", &["ssl_protocols", "tlsv1"], "TLS before 1.2 is broken."),
    ("/etc/nginx", &["ssl_protocols", "tlsv1.1"], "TLS before 1.2 is broken."),
    ("/etc/nginx", &["ssl_protocols", "sslv3"], "TLS before 1.2 is broken."),
    ("/etc/nginx", &["autoindex", "on"], "Everyone could list these files."),
    ("compose", &["--api.insecure=true"], "Anyone who can reach it may see and change Traefik."),
    ("compose", &["--api.insecure"], "Anyone who can reach it may see and change Traefik."),
    ("traefik", &["insecure:", "true"], "Anyone who can reach it may see and change Traefik."),
    ("/etc/exports", &["*(rw"], "Every network could write here."),
    ("fsync", &["fsync", "off"], "The database loses data in a crash."),
    ("/etc/postgresql", &["fsync", "off"], "The database loses data in a crash."),
];

/// Whether the scripts let other hosts into PostgreSQL through a network that they make, so that it must listen there.
fn is_reached(unit: &Unit) -> bool {
    let network = |word: &str| {
        let word = word.trim_matches(['"', '\'', ',']);
        let numbers = word
            .split_once('/')
            .is_some_and(|(_, bits)| bits.parse::<u8>().is_ok_and(|bits| bits > 0));
        let named = word.starts_with("{{") || word.contains("_net") || word.contains("_cidr");
        let own = word.starts_with("127.") || word.starts_with("::1");
        (numbers || named) && !own
    };
    unit.texts().flat_map(str::lines).any(|line| {
        let line = line.trim().trim_start_matches("- ");
        let entry = ["host ", "hostssl ", "hostnossl ", "source: ", "address: "];
        let entry = entry.iter().any(|start| line.starts_with(start)) || line.contains("source: ");
        entry && line.split_whitespace().any(network)
    })
}

pub(super) fn lines(file: &Written, reached: bool) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        // What a template chooses is open.
        let line = line.split('#').next().filter(|it| !it.contains("{{") || !it.contains(" else "));
        let line = line.unwrap_or_default().to_lowercase();
        let words: Vec<&str> =
            line.split([' ', '\t', '=', ';']).filter(|word| !word.is_empty()).collect();
        let whole: Vec<&str> = line.split_whitespace().collect();
        let has = |wanted: &&str| {
            words.contains(wanted)
                || whole.iter().any(|word| {
                    word.trim_start_matches(['-', '"', '\'']).trim_end_matches(['"', '\''])
                        == wanted.trim_start_matches('-')
                })
        };
        for (place, wanted, why) in LINES {
            let first = wanted[0];
            let begins = words.first() == Some(&first) || wanted.len() == 1;
            let planned = reached && first == "listen_addresses";
            if file.path.to_lowercase().contains(place)
                && begins
                && wanted.iter().all(has)
                && !planned
            {
                found.push((at + 1, why.to_owned()));
            }
        }
        if file.name().starts_with("pg_hba")
            && words.first().is_some_and(|kind| kind.starts_with("host"))
        {
            let method = words.get(4).copied().unwrap_or_default();
            if method == "trust"
                && !words.iter().any(|word| ["127.0.0.1/32", "::1/128"].contains(word))
            {
                found.push((at + 1, "This lets anyone in without a password.".to_owned()));
            } else if method == "password" {
                found.push((
                    at + 1,
                    "This sends passwords in plain text: use `scram-sha-256`.".to_owned(),
                ));
            }
        }
    }
    found
}

/// Texts anywhere in a script that give rights over everything.
fn texts(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    for (at, line) in unit.text.lines().enumerate() {
        let upper = line.to_uppercase();
        // `--option` goes on with a command, and a comment of SQL has a space after its signs.
        let start = line.trim_start();
        let comment = start.starts_with('#') || start.starts_with("-- ") || start == "--";
        let grants = upper.contains("GRANT ALL") && upper.contains("ON *.*")
            || upper.contains("'@'%'") && upper.contains("GRANT ALL");
        let role = (upper.contains("CREATE ROLE")
            || upper.contains("CREATE USER")
            || upper.contains("ALTER ROLE")
            || upper.contains("ALTER USER"))
            && upper.replace("NOSUPERUSER", "").contains("SUPERUSER");
        let bind = upper.contains("LINE: BIND 0.0.0.0")
            || upper.contains("LINE: \"BIND 0.0.0.0")
            || upper.contains("LINE: 'BIND 0.0.0.0");
        let bind = bind || (upper.contains("SED -") && upper.contains("/BIND 0.0.0.0/"));
        let said = [
            (admits(unit, line), "Every network may try to log in here: name the networks."),
            (trusts(line), "This lets anyone in without a password."),
            (listens(&upper), "Every network could reach this database: name its own address."),
            (grants, "This grants everything on every database: name the database and the rights."),
            (
                role,
                "A superuser may do everything to every database: an application needs only its \
                own rights.",
            ),
            (bind, "Every network could reach this: name its own address."),
            (
                forged(&upper),
                "Without tokens, a forged request from the server can read its credentials: `HttpTokens=required`.",
            ),
        ];
        for (_, why) in said.iter().filter(|(found, _)| *found && !comment) {
            findings.push(error(POLICY, *why).at(None, at + 1));
        }
    }
}

/// Whether a line in capitals lets an instance answer requests for its credentials without a token.
fn forged(upper: &str) -> bool {
    let bare: String =
        upper.chars().filter(|c| !c.is_whitespace() && !"\"'\\_-".contains(*c)).collect();
    // Terraform's argument is in a table.
    let terraform = upper.trim_start().starts_with("HTTP_TOKENS") && upper.contains('=');
    !terraform
        && ["HTTPTOKENS=OPTIONAL", "HTTPTOKENS:OPTIONAL", "HTTPTOKENSOPTIONAL"]
            .iter()
            .any(|sign| bare.contains(sign))
}

/// Whether a line is one of `pg_hba.conf` that trusts anyone from another machine, wherever the line is written.
fn trusts(line: &str) -> bool {
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || "'\"\\".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(5).any(|five| {
        let [kind, _, _, address, method] = five else { return false };
        let own = ["127.0.0.1/32", "::1/128", "localhost", "samehost"];
        ["host", "hostssl", "hostnossl"].contains(kind)
            && *method == "trust"
            && !own.contains(address)
    })
}

/// Whether a line of `pg_hba.conf`, wherever it is written, lets every network try to log in.
fn admits(unit: &Unit, line: &str) -> bool {
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || "'\"\\".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let everyone = ["0.0.0.0/0", "::/0", "0.0.0.0", "::", "all"];
    let methods = ["cert", "gss", "ldap", "md5", "pam", "radius", "scram-sha-256"];
    let open = words.windows(5).any(|five| {
        let [kind, _, _, address, next] = five else { return false };
        let masked = ["0.0.0.0", "::"].contains(next);
        ["host", "hostssl", "hostnossl"].contains(kind)
            && everyone.contains(address)
            && (methods.contains(next) || masked)
    });
    // A container has its own network.
    let contained = unit.tree.iter().any(|file| is_compose(file) && file.text.contains("pg_hba"));
    open && !contained && !unit.context.opens(POSTGRESQL)
}

/// The port of PostgreSQL.
const POSTGRESQL: u16 = 5432;

/// Whether a line in capitals lets PostgreSQL listen on all addresses, in a task or in SQL.
fn listens(upper: &str) -> bool {
    let bare: String = upper.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
    ["LISTEN_ADDRESSES='*'", "LISTEN_ADDRESSES='0.0.0.0'", "LISTEN_ADDRESSESTO'*'"].iter().any(
        |setting| {
            bare.contains(&format!("LINE:{setting}"))
                || (bare.contains("SED-") && bare.contains(setting))
                || bare.contains(&format!("ALTERSYSTEMSET{setting}"))
        },
    )
}

/// Parts of the names of secrets.
const SECRETS: [&str; 5] = ["PASSWORD", "SECRET", "TOKEN", "_KEY", "PASSWD"];

/// Programs, the option before a secret or its beginning, and whether other users or the image see it.
const SHOWN: [(&str, &str, &str); 6] = [
    ("docker", "--password", "Every process list shows this password: use `--password-stdin`."),
    ("docker", "-p", "Every process list shows this password: use `--password-stdin`."),
    ("docker", "--build-arg", "The image's history keeps this secret: use `--secret`."),
    ("helm", "--password", "Every process list shows this password: use `--password-stdin`."),
    ("sshpass", "-p", "Every process list shows this password: use a key."),
    ("redis-cli", "-a", "Every process list shows this password: use `REDISCLI_AUTH`."),
];

/// A secret among the arguments of a program.
fn shown(argv: &[&str]) -> Option<String> {
    let secret = |word: &str| {
        let name = word.to_uppercase();
        word.contains('$') && SECRETS.iter().any(|part| name.contains(part))
    };
    let (program, rest) = argv.split_first()?;
    SHOWN.iter().find_map(|(name, option, why)| {
        let logs_in = *option != "-p" || *program == "sshpass" || rest.contains(&"login");
        let next = rest.windows(2).any(|two| two[0] == *option && secret(two[1]));
        let joined = rest.iter().any(|word| {
            word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=') && secret(rest))
        });
        (name == program && logs_in && (next || joined)).then(|| (*why).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    #[test]
    fn an_instance_answers_only_with_a_token() {
        let said = |text: &str| {
            let context = Context::default();
            let unit = Unit::new(text, &context);
            let mut findings = Vec::new();
            texts(&unit, &mut findings);
            findings.len()
        };
        for text in [
            "aws ec2 run-instances --metadata-options HttpEndpoint=enabled,HttpTokens=optional",
            "aws ec2 modify-instance-metadata-options --instance-id \"$id\" --http-tokens optional",
            "  --metadata-options HttpTokens=optional",
            "  \"MetadataOptions\": {\"HttpTokens\": \"optional\"}",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        assert_eq!(said("aws ec2 run-instances --metadata-options HttpTokens=required"), 0);
    }

    #[test]
    fn networks_that_may_log_in_are_named() {
        let said = |asked: &str, text: &str| {
            let context = Context { asked, ..Context::default() };
            let unit = Unit::new(text, &context);
            let mut findings = Vec::new();
            texts(&unit, &mut findings);
            findings.len()
        };
        for text in [
            "echo 'host all app ::/0 md5' >>/etc/postgresql/16/main/pg_hba.conf",
            "cat >pg_hba.conf <<'E'\nhostssl shop shop all scram-sha-256\nE\n",
            "    line: \"host shop shop 0.0.0.0 0.0.0.0 scram-sha-256\"",
        ] {
            assert_eq!(said("A shop", text), 1, "{text}");
            assert_eq!(said("PostgreSQL on port 5432 for everyone", text), 0, "{text}");
        }
        for text in [
            "echo 'host all app 10.0.0.0/8 md5' >>/etc/postgresql/16/main/pg_hba.conf",
            "cat >pg_hba.conf <<'E'\nhost all all 0.0.0.0/0 reject\nlocal all all peer\nE\n",
        ] {
            assert_eq!(said("A shop", text), 0, "{text}");
        }
    }
}
