#!/usr/bin/env bash
set -euo pipefail

hostname="${NEW_HOST:-worker-1}"
cat > user-data.yaml <<EOF
#cloud-config
hostname: ${hostname}
users:
  - name: ops
    groups: [sudo]
    shell: /bin/bash
    sudo: "ALL=(ALL) NOPASSWD:ALL"
    ssh_authorized_keys:
      - $(cat "$HOME/.ssh/id_ed25519.pub")
ssh_pwauth: false
write_files:
  - path: /etc/sysctl.d/60-net.conf
    permissions: "0644"
    content: |
      net.ipv4.ip_forward = 0
      net.ipv4.tcp_syncookies = 1
runcmd:
  - [sysctl, --system]
final_message: "ready after \$UPTIME seconds"
EOF

cloud-init schema --config-file user-data.yaml
if ! hcloud server describe "$hostname" >/dev/null 2>&1; then
  hcloud server create --name "$hostname" --type cx22 --image debian-12 \
    --location nbg1 --user-data-from-file user-data.yaml
fi
test "$(hcloud server describe "$hostname" -o json | jq -r .status)" = running
