#!/usr/bin/env bash
set -euo pipefail

ssh server 'bash -euo pipefail -s' <<'REMOTE'
id worker >/dev/null 2>&1 || useradd --system --home-dir /var/lib/worker --shell /usr/sbin/nologin worker
install -d -m 0755 /opt/worker
cat > /opt/worker/run.sh <<'SH'
#!/bin/bash
set -euo pipefail
while true; do
  date -Is > /var/lib/worker/heartbeat
  sleep "${INTERVAL:-30}"
done
SH
chmod 0755 /opt/worker/run.sh
cat > /etc/systemd/system/worker.service <<'EOF'
[Unit]
Description=Worker (50%% of the load)
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=worker
StateDirectory=worker
EnvironmentFile=-/etc/default/worker
ExecStart=/opt/worker/run.sh
Restart=on-failure
RestartSec=5s
NoNewPrivileges=yes
ProtectSystem=strict
MemoryMax=256M

[Install]
WantedBy=multi-user.target
EOF
systemd-analyze verify /etc/systemd/system/worker.service
systemctl daemon-reload
systemctl enable --now worker.service
systemctl is-active worker.service
REMOTE
