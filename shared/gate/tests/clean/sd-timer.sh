#!/usr/bin/env bash
# Cleans old sessions each hour
set -euo pipefail
cat <<'EOF' | sudo tee /etc/systemd/system/sessions.service >/dev/null
[Unit]
Description=Remove old sessions

[Service]
Type=oneshot
User=www-data
ExecStart=/usr/bin/find /var/lib/php/sessions -type f -mmin +1440 -delete
Nice=10
EOF
cat <<'EOF' | sudo tee /etc/systemd/system/sessions.timer >/dev/null
[Unit]
Description=Remove old sessions each hour

[Timer]
OnCalendar=*-*-* *:15:00
RandomizedDelaySec=5m
Persistent=true
Unit=sessions.service

[Install]
WantedBy=timers.target
EOF
sudo systemctl daemon-reload
sudo systemctl enable --now sessions.timer
