#!/usr/bin/env bash
# Installs the application on the server as a systemd service
set -euo pipefail
ssh server 'sudo bash -s' <<'REMOTE'
set -euo pipefail
id shop >/dev/null 2>&1 || useradd --system --home-dir /srv/shop --shell /usr/sbin/nologin shop
install -d -o shop -g shop -m 0750 /srv/shop /srv/shop/releases
cat >/etc/systemd/system/shop.service <<'EOF'
[Unit]
Description=The shop
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
User=shop
WorkingDirectory=/srv/shop/current
EnvironmentFile=/etc/shop/environment
ExecStart=/srv/shop/current/bin/shop --listen 127.0.0.1:8080
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=3
NoNewPrivileges=true
ProtectSystem=strict
ProtectHome=true
ReadWritePaths=/srv/shop
StateDirectory=shop

[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload
systemctl enable --now shop.service
REMOTE
ssh server 'systemctl is-active shop.service'
ssh server 'for i in $(seq 30); do curl -fsS http://127.0.0.1:8080/health && exit 0; sleep 1; done; exit 1'
