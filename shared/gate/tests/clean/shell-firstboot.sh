#!/usr/bin/env bash
# Makes a server with its first boot and waits until that is over
set -euo pipefail
cat > ~/workspace/cloud-init.yaml <<'EOF'
#cloud-config
package_update: true
packages: [nginx, ufw]
users:
  - name: deploy
    groups: [sudo]
    shell: /bin/bash
    sudo: "ALL=(ALL) NOPASSWD:ALL"
    ssh_authorized_keys:
      - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKr0c1h7m0mDkYxJvJmQx0V1m8aZ5w5yqf1Qq6b0u3ZP ada
write_files:
  - path: /etc/nginx/conf.d/health.conf
    permissions: "0644"
    content: |
      server {
          listen 127.0.0.1:8081;
          location = /health {
              return 204;
          }
      }
runcmd:
  - ufw allow 80/tcp
  - ufw allow 443/tcp
  - ufw allow from 198.51.100.7 to any port 22 proto tcp
  - ufw --force enable
  - [systemctl, enable, --now, nginx]
  - if ! systemctl is-active --quiet nginx; then echo "nginx is down" >&2; fi
EOF
hcloud server describe web-1 >/dev/null 2>&1 ||
  hcloud server create --name web-1 --type cx23 --image debian-13 --ssh-key admin --user-data-from-file ~/workspace/cloud-init.yaml
address=$(hcloud server ip web-1)
for try in $(seq 1 30); do
  if ssh -o ConnectTimeout=5 "deploy@$address" cloud-init status --wait; then
    exit 0
  fi
  echo "try $try: not yet" >&2
  sleep 10
done
exit 1
