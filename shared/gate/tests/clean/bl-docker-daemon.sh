#!/usr/bin/env bash
set -euo pipefail

cat > daemon.json <<'EOF'
{
  "log-driver": "local",
  "log-opts": {
    "max-size": "20m",
    "max-file": "5"
  },
  "live-restore": true,
  "default-address-pools": [
    { "base": "172.30.0.0/16", "size": 24 }
  ]
}
EOF
jq empty daemon.json

scp -q daemon.json server:/tmp/daemon.json
ssh server 'bash -s' <<'EOF'
set -euo pipefail
sudo install -d -m 0755 /etc/docker
if [ -f /etc/docker/daemon.json ]; then
  sudo cp -a /etc/docker/daemon.json "/etc/docker/daemon.json.$(date +%s).bak"
fi
sudo install -m 0644 /tmp/daemon.json /etc/docker/daemon.json
sudo dockerd --validate --config-file=/etc/docker/daemon.json
sudo systemctl restart docker
EOF
test "$(ssh server 'sudo docker info --format "{{.LoggingDriver}}"')" = local
