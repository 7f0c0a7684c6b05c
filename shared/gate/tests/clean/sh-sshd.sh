#!/usr/bin/env bash
# Keys only, and only for the group of administrators
set -euo pipefail
host=web
ssh "$host" 'sudo tee /etc/ssh/sshd_config.d/10-keys.conf >/dev/null' <<'EOF'
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin no
PubkeyAuthentication yes
AllowGroups sudo
MaxAuthTries 4
LoginGraceTime 30
ClientAliveInterval 300
X11Forwarding no
EOF
ssh "$host" 'sudo sshd -t && sudo systemctl reload ssh'
ssh -o BatchMode=yes "$host" true
