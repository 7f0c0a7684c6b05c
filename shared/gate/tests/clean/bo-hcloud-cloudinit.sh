#!/usr/bin/env bash
# Create the server job1 with hcloud and cloud-init (Docker, unattended upgrades, administrator ops with passwordless sudo); it gets a firewall without any public port except SSH from $ADMIN_CIDR.
set -euo pipefail
: "${HCLOUD_TOKEN:?}" "${ADMIN_CIDR:?}" "${OPS_PUBKEY_FILE:?file with the public SSH key}"
if [[ $ADMIN_CIDR == */0 ]]; then
  echo "ADMIN_CIDR must not be the whole Internet" >&2
  exit 1
fi

cat > user-data.yaml <<EOF
#cloud-config
hostname: job1
users:
  - name: ops
    groups: [sudo]
    shell: /bin/bash
    sudo: "ALL=(ALL) NOPASSWD:ALL"
    lock_passwd: true
    ssh_authorized_keys:
      - $(cat "$OPS_PUBKEY_FILE")
ssh_pwauth: false
disable_root: true
package_update: true
package_upgrade: true
packages: [docker.io, unattended-upgrades, curl]
write_files:
  - path: /etc/docker/daemon.json
    permissions: "0644"
    content: |
      {"log-driver": "json-file", "log-opts": {"max-size": "10m", "max-file": "3"}, "live-restore": true}
  - path: /etc/apt/apt.conf.d/20auto-upgrades
    content: |
      APT::Periodic::Update-Package-Lists "1";
      APT::Periodic::Unattended-Upgrade "1";
runcmd:
  - [systemctl, enable, --now, docker]
EOF
python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' user-data.yaml

if ! hcloud firewall describe job >/dev/null 2>&1; then
  hcloud firewall create --name job
fi
jq -n --arg src "$ADMIN_CIDR" '[{direction: "in", protocol: "tcp", port: "22", source_ips: [$src], description: "admin ssh"}]' > job-rules.json
hcloud firewall replace-rules job --rules-file job-rules.json

if ! hcloud ssh-key describe ops >/dev/null 2>&1; then
  hcloud ssh-key create --name ops --public-key-from-file "$OPS_PUBKEY_FILE"
fi

if hcloud server describe job1 >/dev/null 2>&1; then
  echo "job1 exists, not touched"
else
  hcloud server create --name job1 --type cx22 --image debian-12 --location fsn1 \
    --ssh-key ops --firewall job --user-data-from-file user-data.yaml --label role=job
  hcloud server enable-protection job1 delete rebuild
fi

ip=$(hcloud server ip job1)
for _ in $(seq 1 60); do
  if ssh -o BatchMode=yes -o ConnectTimeout=5 -o StrictHostKeyChecking=accept-new "ops@$ip" true 2>/dev/null; then
    break
  fi
  sleep 5
done
# 2 is "done with recoverable warnings".
rc=0
ssh -o BatchMode=yes "ops@$ip" 'cloud-init status --wait --long' || rc=$?
if [ "$rc" -ne 0 ] && [ "$rc" -ne 2 ]; then exit "$rc"; fi
ssh -o BatchMode=yes "ops@$ip" 'sudo docker version --format "{{.Server.Version}}" && systemctl is-enabled docker'
