//! Tests rules of the gate from outside: each one with a script that it must refuse, and with the same script put right.

#[path = "rules/servers.rs"]
mod servers;
#[path = "rules/shipped.rs"]
mod shipped;

use gate::{Context, examine};

const ASKED: &str = "A web shop with HTTPS on ports 80 and 443, SSH from my own address only.";

/// A word of the message that the faulty script must get, that script, and what to put in the place of a part of it.
type Rule<'a> = (&'a str, &'a str, [&'a str; 2]);

fn messages(script: &str) -> Vec<String> {
    let environment = ["GROUP", "SUBNET", "SUM"].map(str::to_owned);
    let context = Context {
        asked: ASKED,
        step: "Set up the shop",
        environment: &environment,
        ..Context::default()
    };
    examine(script, &context).into_iter().map(|found| found.message).collect()
}

/// Checks that each faulty script gets its message, and that nothing is found in it without its fault.
fn compare(rules: &[Rule]) {
    let mut wrong = Vec::new();
    for (word, faulty, [fault, right]) in rules {
        let found = messages(faulty);
        if !found.iter().any(|message| message.contains(word)) {
            wrong.push(format!("missed `{word}`: {faulty}\n{found:#?}"));
        }
        assert!(faulty.contains(fault), "`{fault}` does not occur in {faulty}");
        let mended = faulty.replace(fault, right);
        let found = messages(&mended);
        if !found.is_empty() {
            wrong.push(format!("not a fault: {mended}\n{found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A script that writes a file.
fn written(path: &str, text: &str) -> String {
    format!("cat >{path} <<'END'\n{text}\nEND\n")
}

const TIMER: &str = "\
cat >dump.service <<'END'
[Unit]
Description=Dump of the shop

[Service]
Type=oneshot
ExecStart=/usr/bin/date
END
cat >dump.timer <<'END'
[Unit]
Description=Dump of the shop every night

[Timer]
OnCalendar=*-*-* 03:00:00
Unit=shop-dump.service

[Install]
WantedBy=timers.target
END
sudo install -m 0644 dump.service /etc/systemd/system/shop-dump.service
sudo install -m 0644 dump.timer /etc/systemd/system/shop-dump.timer
sudo systemctl daemon-reload
sudo systemctl enable --now shop-dump.timer
";

#[test]
fn a_copy_of_a_unit_may_have_another_name_if_that_name_is_used() {
    let started = TIMER.replace("system/shop-dump.timer", "system/nightly-dump.timer");
    let unit = TIMER.replace("system/shop-dump.service", "system/dump.service");
    compare(&[
        ("Nothing writes the unit `shop-dump.timer`", &started, ["nightly-dump", "shop-dump"]),
        (
            "This timer starts `shop-dump.service`",
            &unit,
            ["system/dump.service", "system/shop-dump.service"],
        ),
    ]);
}

#[test]
fn a_private_key_of_wireguard_is_a_secret_and_a_public_key_is_not() {
    let key = "qRCwZSKInrMAq5sepfCdaCsRJaoLe5jhtzfiw7CjbwM=";
    let line =
        format!("peer_key='{key}'\necho \"$peer_key\"\necho 'private_key = {key}' >peer.txt\n");
    compare(&[("secret in plain text", &line, ["private_key", "public_key"])]);
}

#[test]
fn a_secret_beside_a_word_for_public_keys_or_with_a_dash_stays_one() {
    for script in [
        "sshpass -p 'gT7vRq2LxN9wKe4' ssh -o PubkeyAuthentication=no deploy@web1 uptime\n",
        "echo 'qRCwZSKInrMAq5sepfCdaCsRJaoLe5jhtzfiw7CjbwM=' | wg pubkey >peer.pub\n",
        "AUTH_KEY=-Xq7vRq2LxN9wKe4ZbT5m\nservice-login \"$AUTH_KEY\"\n",
        "# public key: qRCwZSKInrMAq5sepfCdaCsRJaoLe5jhtzfiw7CjbwM=\n\
         private_key='qRCwZSKInrMAq5sepfCdaCsRJaoLe5jhtzfiw7CjbwM='\necho \"$private_key\"\n",
    ] {
        let found = messages(script);
        assert!(found.iter().any(|message| message.contains("in plain text")), "{script}{found:?}");
    }
}

#[test]
fn the_name_of_a_secret_that_cloud_run_looks_up_is_not_the_secret() {
    let deploy = "gcloud run deploy shop --image europe-docker.pkg.dev/shop/web/shop:1.4.2 \
        --region europe-west1 --set-env-vars DATABASE_PASSWORD=shop-password-2:latest\n";
    compare(&[("secret in plain text", deploy, ["--set-env-vars", "--set-secrets"])]);
}

#[test]
fn a_container_of_mongodb_needs_an_account() {
    let open = written(
        "compose.yaml",
        "services:\n  documents:\n    image: mongo:7.0.14\n    environment:\n      TZ: UTC",
    );
    compare(&[
        (
            "obeys anyone",
            &open,
            [
                "TZ: UTC",
                "MONGO_INITDB_ROOT_USERNAME: shop\n      \
             MONGO_INITDB_ROOT_PASSWORD: ${MONGO_PASSWORD:?}",
            ],
        ),
        ("obeys anyone", &open, ["environment:\n      TZ: UTC", "command: [mongod, --auth]"]),
    ]);
}

#[test]
fn the_second_words_of_haproxy_are_known() {
    let backend = |line: &str| {
        let text = format!("defaults\n    mode http\n\nbackend web\n    {line}");
        written("/etc/haproxy/haproxy.cfg", &text)
    };
    for (wrong, right, rest) in [
        ("http-check expct", "http-check expect", "status 200"),
        ("http-check sned", "http-check send", "meth GET uri /health"),
        ("stats enabel", "stats enable", ""),
        ("stats refesh", "stats refresh", "10s"),
        ("tcp-check conect", "tcp-check connect", "port 6379"),
    ] {
        let faulty = backend(&format!("{wrong} {rest}"));
        compare(&[(&format!("`{wrong}` is not valid"), &faulty, [wrong, right])]);
    }
}

#[test]
fn a_policy_of_vault_names_its_paths() {
    let policy = written("shop.hcl", "path \"*\" {\n  capabilities = [\"read\"]\n}");
    compare(&[("every path of Vault", &policy, ["\"*\"", "\"secret/data/shop/*\""])]);
}

#[test]
fn the_brackets_of_a_program_for_node_are_read() {
    let given = "node -e 'console.log(JSON.parse(process.argv[1]).name' '{\"name\": \"shop\"}'\n";
    let fed = "node <<'END'\nfor (const name of ['a', 'b']) {\n  console.log(name);\nEND\n";
    compare(&[
        ("not closed", given, [".name'", ".name)'"]),
        ("not closed", fed, ["(name);\n", "(name);\n}\n"]),
    ]);
}

#[test]
fn a_program_whose_failure_is_the_failure_of_the_step_may_not_fail_quietly() {
    for work in [
        "b2sum --check sums.txt",
        "caddy validate --config Caddyfile",
        "certbot renew",
        "cosign verify-blob --key shop.pub --signature shop.sig shop.tar",
        "gpg --verify shop.asc shop.tar",
        "gpgv shop.asc shop.tar",
        "mount -a",
        "named-checkconf",
        "netplan apply",
        "nft -f rules.nft",
        "pg_dump --file shop.sql shop",
        "promtool check config prometheus.yml",
        "restic backup data",
        "sha1sum -c sums.txt",
        "sha256sum -c sums.txt",
        "sha512sum --check sums.txt",
        "sshd -t",
        "sysctl --system",
        "systemd-analyze verify shop.service",
        "update-grub",
        "visudo -c",
    ] {
        for lost in [" || true", " || echo 'It failed.'"] {
            compare(&[("let it fail", &format!("{work}{lost}\n"), [lost, ""])]);
        }
    }
    compare(&[
        ("let it fail", "gpg --verify a.asc || true\n", ["--verify a.asc", "--list-keys"]),
        ("let it fail", "restic check || true\n", ["check", "unlock"]),
    ]);
}

#[test]
fn a_set_that_hides_failures_is_taken_back() {
    let hides = "set -e\nset +e\ngrep -q shop names.txt\nfound=$?\necho \"$found\"\n";
    compare(&[("write `set -e` again", hides, ["found=$?\n", "found=$?\nset -e\n"])]);
}

#[test]
fn settings_that_let_anyone_in_are_found() {
    for (word, path, faulty, right) in [
        ("obeys anyone", "/etc/slurm/slurm.conf", "AuthType=auth/none", "AuthType=auth/munge"),
        ("obeys anyone", "/etc/samba/smb.conf", "guest ok = yes", "guest ok = no"),
        ("may write", "/etc/samba/smb.conf", "create mask = 0777", "create mask = 0640"),
        ("may write", "/etc/samba/smb.conf", "directory mask = 0777", "directory mask = 0750"),
        (
            "require encryption",
            "/etc/dovecot/conf.d/10-auth.conf",
            "disable_plaintext_auth = no",
            "disable_plaintext_auth = yes",
        ),
        ("require encryption", "/etc/openvpn/server.conf", "cipher none", "cipher AES-256-GCM"),
        (
            "Every network",
            "/etc/clickhouse-server/config.d/listen.xml",
            "<listen_host>::</listen_host>",
            "<listen_host>127.0.0.1</listen_host>",
        ),
        (
            "Every network",
            "/etc/clickhouse-server/config.d/listen.xml",
            "<listen_host>0.0.0.0</listen_host>",
            "<listen_host>::1</listen_host>",
        ),
    ] {
        compare(&[(word, &written(path, faulty), [faulty, right])]);
    }
}

#[test]
fn a_proof_looks_for_more_than_the_file_of_its_own_script() {
    let script = written("compose.yaml", "services:\n  web:\n    image: nginx:1.27.2")
        + "docker compose up --detach\n";
    for looks in ["test -f compose.yaml", "[ -s compose.yaml ]", "ls -l compose.yaml"] {
        let text = domain::script::with_proof(&script, looks).unwrap_or_default();
        let asks = "docker compose exec -T web nginx -t";
        compare(&[("proves nothing", &text, [looks, asks])]);
    }
}

#[test]
fn a_server_at_aws_starts_with_tokens_for_its_metadata() {
    let starts = "aws ec2 run-instances --image-id ami-0a1b2c3d4e5f67890 --subnet-id \"$SUBNET\"";
    for right in ["--metadata-options HttpTokens=required", "--launch-template LaunchTemplateId=a"]
    {
        let options = format!("--subnet-id \"$SUBNET\" {right}");
        compare(&[("HttpTokens=required", starts, ["--subnet-id \"$SUBNET\"", &options])]);
    }
}

#[test]
fn curl_compares_certificates_also_where_a_variable_holds_the_address() {
    let direct = "api=https://api.example.org\ncurl -fsSk \"$api/v1/orders\" -o orders.json\n";
    let called =
        "api=https://api.example.org\nget() { curl -fsSk \"$@\"; }\nget \"$api/v1\" -o a\n";
    compare(&[
        ("any certificate", direct, ["-fsSk", "-fsS"]),
        ("any certificate", called, ["-fsSk", "-fsS"]),
        ("any certificate", direct, ["https://api.example.org", "https://127.0.0.1:8443"]),
    ]);
}

#[test]
fn a_template_of_cloudformation_has_known_properties_and_references() {
    let queue = written(
        "queue.yaml",
        "Parameters:\n  Stage:\n    Type: String\nResources:\n  Orders:\n    \
         Type: AWS::SQS::Queue\n    \
         Properties:\n      QueueName: !Sub \"orders-${Stage}\"\n      VisibilityTimeout: 30",
    );
    let property = queue.replace("VisibilityTimeout", "VisibilitySeconds");
    let name = queue.replace("${Stage}", "${Stages}");
    let attribute = queue.replace("!Sub \"orders-${Stage}\"", "!GetAtt Order.QueueName");
    compare(&[
        ("no property `VisibilitySeconds`", &property, ["VisibilitySeconds", "VisibilityTimeout"]),
        ("`Stages` is neither", &name, ["Stages", "Stage"]),
        ("`Order` is neither", &attribute, ["!GetAtt Order.QueueName", "!Ref Stage"]),
    ]);
}

#[test]
fn a_template_of_cloudformation_opens_only_what_was_asked_for() {
    let group = written(
        "group.yaml",
        "Resources:\n  Web:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      \
         GroupDescription: Web\n      SecurityGroupIngress:\n        - IpProtocol: tcp\n          \
         FromPort: 22\n          ToPort: 22\n          CidrIp: 0.0.0.0/0",
    );
    let bucket = written(
        "bucket.yaml",
        "Resources:\n  Photos:\n    Type: AWS::S3::Bucket\n    Properties:\n      \
         AccessControl: PublicRead",
    );
    let unblocked = bucket.replace(
        "AccessControl: PublicRead",
        "PublicAccessBlockConfiguration:\n        BlockPublicAcls: false",
    );
    compare(&[
        ("on port 22", &group, ["0.0.0.0/0", "203.0.113.7/32"]),
        ("on port 22", &group, ["Port: 22", "Port: 443"]),
        ("read this storage", &bucket, ["PublicRead", "Private"]),
        ("read this storage", &unblocked, ["Acls: false", "Acls: true"]),
    ]);
}

#[test]
fn a_checksum_is_that_of_the_file_that_runs() {
    let other = "\
curl -fsSLo install.sh https://example.org/v1.4.2/install.sh
echo \"$SUM  notes.txt\" | sha256sum -c -
bash install.sh
";
    let lost =
        other.replace("notes.txt\" | sha256sum -c -", "install.sh\" | sha256sum -c - || true");
    let late = "\
curl -fsSLo shop https://example.org/v1.4.2/shop
chmod +x shop
sha256sum -c shop.sha256
";
    compare(&[
        ("whatever a site serves", &lost, [" || true", ""]),
        ("whatever a site serves", other, ["notes.txt", "install.sh"]),
        (
            "whatever a site serves",
            late,
            ["chmod +x shop\nsha256sum -c shop.sha256", "sha256sum -c shop.sha256\nchmod +x shop"],
        ),
    ]);
}

#[test]
fn the_arguments_of_a_function_open_what_its_commands_open() {
    let ufw = "\
allow() { sudo ufw allow proto tcp from \"$2\" to any port \"$1\"; }
allow 443 0.0.0.0/0
allow 22 0.0.0.0/0
";
    let named = "\
allow() {
  local port=$1 from=$2
  aws ec2 authorize-security-group-ingress \\
    --group-id \"$GROUP\" --protocol tcp --port \"$port\" --cidr \"$from\"
}
allow 22 0.0.0.0/0
";
    compare(&[
        ("port 22", ufw, ["22 0.0.0.0/0", "22 203.0.113.7"]),
        ("port 22", named, ["22 0.0.0.0/0", "22 203.0.113.7/32"]),
        ("port 22", named, ["22 0.0.0.0/0", "443 0.0.0.0/0"]),
    ]);
}
