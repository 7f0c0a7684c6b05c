//! Rules about what a script does and writes on servers.

use super::compare;

#[test]
fn names_in_files_on_a_server_lead_somewhere() {
    let traefik = "\
ssh server 'sudo bash -euo pipefail -s' <<'REMOTE'
cat >/opt/traefik/dynamic.yml <<'END'
http:
  routers:
    shop:
      middlewares: [secured]
  middlewares:
    secure:
      headers:
        frameDeny: true
END
REMOTE
";
    let nftables = "\
ssh server 'sudo bash -euo pipefail -s' <<'REMOTE'
cat >/etc/nftables.conf <<'END'
flush ruleset
table inet filter {
  set admins {
    type ipv4_addr
  }
  chain input {
    type filter hook input priority 0; policy drop;
    ip saddr @admin tcp dport 22 accept
  }
}
END
nft -f /etc/nftables.conf
REMOTE
";
    let role = "\
cat >rbac.yaml <<'END'
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: deployer
rules:
  - apiGroups: [apps]
    resources: [deployments]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: deployer
subjects:
  - kind: ServiceAccount
    name: default
    namespace: default
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: deploy
END
";
    compare(&[
        ("`secured`", traefik, ["[secured]", "[secure]"]),
        ("`admin`", nftables, ["@admin ", "@admins "]),
        ("`deploy`", role, ["name: deploy\n", "name: deployer\n"]),
    ]);
}

#[test]
fn settings_added_to_a_unit_are_settings_of_units() {
    let unit = "\
ssh server 'sudo bash -euo pipefail -s' <<'REMOTE'
mkdir -p /etc/systemd/system/shop.service.d
cat >/etc/systemd/system/shop.service.d/override.conf <<'END'
[Service]
Environment \"LISTEN=127.0.0.1\"
END
systemctl daemon-reload
systemctl restart shop
REMOTE
";
    compare(&[
        ("needs `=`", unit, ["Environment \"", "Environment=\""]),
        (
            "`Environmnt`",
            &unit.replace("Environment ", "Environmnt="),
            ["Environmnt", "Environment"],
        ),
    ]);
}

#[test]
fn a_download_that_is_copied_to_a_server_is_compared_first() {
    let copied = "\
curl -fsSL -o /tmp/shop https://example.org/v1.4.2/shop
sha256sum /tmp/shop
scp /tmp/shop server:/tmp/shop
ssh server 'sudo bash -euo pipefail -s' <<'REMOTE'
install -m 0755 /tmp/shop /usr/local/bin/shop
REMOTE
";
    let right = ["sha256sum /tmp/shop", "echo \"$SUM  /tmp/shop\" | sha256sum -c -"];
    compare(&[("whatever a site serves", copied, right)]);
}

#[test]
fn keys_stay_private_in_their_folder() {
    let keys = "sudo chmod -R 755 /etc/letsencrypt/archive\n";
    compare(&[("may read", keys, ["755", "750"]), ("may read", keys, ["archive", "renewal"])]);
}

#[test]
fn a_proof_asks_more_than_whether_the_file_of_the_step_is_there() {
    let proof = "\
set -euo pipefail
ssh server 'sudo bash -euo pipefail -s' <<'REMOTE'
cat >/etc/shop/run <<'END'
#!/bin/bash
date
END
chmod 0755 /etc/shop/run
/etc/shop/run
REMOTE
# --- proof: the step is done only if the following passes ---
set -euo pipefail
ssh server 'sudo test -x /etc/shop/run && echo done'
";
    let jq = "\
set -euo pipefail
mkdir -p a
# --- proof: the step is done only if the following passes ---
set -euo pipefail
ssh server 'docker info --format json' | jq '.LiveRestoreEnabled == true'
";
    compare(&[
        (
            "proves nothing",
            proof,
            ["sudo test -x /etc/shop/run && echo done", "systemctl is-active shop"],
        ),
        ("add `-e`", jq, ["jq '", "jq -e '"]),
    ]);
}

#[test]
fn filters_of_jq_and_names_of_services_are_not_findings() {
    let filter = "\
export BORG_PASSCOMMAND='cat /etc/borg/passphrase'
borg list --last 1 --json | jq -e '.archives | length == 1'
usermod -G docker ci
";
    let broker = "\
cat >/etc/rabbitmq/rabbitmq.conf <<'END'
listeners.tcp.local = 127.0.0.1:5672
END
systemctl restart rabbitmq-server
usermod -G docker ci
";
    compare(&[
        ("all other groups", filter, ["usermod -G", "usermod -aG"]),
        ("all other groups", broker, ["usermod -G", "usermod -aG"]),
    ]);
}

#[test]
fn a_netmask_begins_with_its_ones() {
    let server = "\
cat >/etc/openvpn/server/a.conf <<'END'
server 10.9.0.0 255.255.0.255
END
";
    compare(&[("not a netmask", server, ["255.255.0.255", "255.255.255.0"])]);
}
