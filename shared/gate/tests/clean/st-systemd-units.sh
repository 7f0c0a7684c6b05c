#!/usr/bin/env bash
# systemd units: an API as a service, a socket-activated echo service and a nightly timer.
set -euo pipefail

if [ "$(id -u)" -ne 0 ]; then
  echo "run as root" >&2
  exit 1
fi

if ! getent passwd ledger >/dev/null; then
  useradd --system --home-dir /var/lib/ledger --shell /usr/sbin/nologin ledger
fi
install -d -o root -g ledger -m 0750 /etc/ledger
if [ ! -f /etc/ledger/ledger.env ]; then
  install -o root -g ledger -m 0640 /dev/null /etc/ledger/ledger.env
  printf 'LEDGER_TOKEN=%s\n' "${LEDGER_TOKEN:?set LEDGER_TOKEN}" > /etc/ledger/ledger.env
fi

cat > /etc/systemd/system/ledger.service <<'EOF'
[Unit]
Description=Ledger API
After=network-online.target
Wants=network-online.target

[Service]
Type=simple
User=ledger
Group=ledger
EnvironmentFile=/etc/ledger/ledger.env
ExecStart=/usr/local/bin/ledger serve --listen 127.0.0.1:9000
Restart=on-failure
RestartSec=5s
StateDirectory=ledger
NoNewPrivileges=true
PrivateTmp=true
ProtectSystem=strict
ProtectHome=true
MemoryMax=512M

[Install]
WantedBy=multi-user.target
EOF

cat > /etc/systemd/system/ledger-intake.socket <<'EOF'
[Unit]
Description=Intake socket of the ledger

[Socket]
ListenStream=/run/ledger-intake.sock
SocketUser=ledger
SocketGroup=www-data
SocketMode=0660
Accept=no

[Install]
WantedBy=sockets.target
EOF

cat > /etc/systemd/system/ledger-intake.service <<'EOF'
[Unit]
Description=Intake of the ledger
Requires=ledger-intake.socket

[Service]
User=ledger
ExecStart=/usr/local/bin/ledger intake --systemd-socket
EOF

cat > /etc/systemd/system/ledger-close.service <<'EOF'
[Unit]
Description=Close the day in the ledger
After=ledger.service

[Service]
Type=oneshot
User=ledger
EnvironmentFile=/etc/ledger/ledger.env
ExecStart=/usr/local/bin/ledger close-day
EOF

cat > /etc/systemd/system/ledger-close.timer <<'EOF'
[Unit]
Description=Close the day at night

[Timer]
OnCalendar=*-*-* 00:15:00
RandomizedDelaySec=2min
Persistent=true

[Install]
WantedBy=timers.target
EOF

systemd-analyze verify /etc/systemd/system/ledger.service /etc/systemd/system/ledger-close.timer
systemctl daemon-reload
systemctl enable ledger.service
systemctl restart ledger.service
systemctl enable --now ledger-intake.socket ledger-close.timer
systemctl is-active --quiet ledger.service
curl --fail --silent --show-error --retry 5 --retry-connrefused -o /dev/null http://127.0.0.1:9000/healthz
