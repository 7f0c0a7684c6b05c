#!/usr/bin/env bash
set -euo pipefail
sudo useradd --system --home-dir /srv/worker --shell /usr/sbin/nologin worker 2>/dev/null || id worker >/dev/null
sudo install -d -o worker -g worker -m 0750 /srv/worker
sudo tee /etc/systemd/system/worker.service >/dev/null <<'EOF'
[Unit]
Description=Worker of the shop
After=network-online.target postgresql.service
Wants=network-online.target
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
User=worker
Group=worker
WorkingDirectory=/srv/worker
EnvironmentFile=/etc/worker/environment
ExecStart=/srv/worker/bin/worker --queue default
Restart=on-failure
RestartSec=3s
TimeoutStopSec=30
MemoryMax=512M
ProtectHome=yes
PrivateTmp=yes
ReadWritePaths=/srv/worker

[Install]
WantedBy=multi-user.target
EOF
sudo systemd-analyze verify /etc/systemd/system/worker.service
sudo systemctl daemon-reload
sudo systemctl enable --now worker.service
systemctl is-active --quiet worker.service
