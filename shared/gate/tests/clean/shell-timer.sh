#!/usr/bin/env bash
# Renews the feed each quarter of an hour by a timer
set -euo pipefail

put() {
  # shellcheck disable=SC2029 # This side fills in the name and the mode.
  ssh server "sudo tee '$1' >/dev/null && sudo chmod $2 '$1'"
}

put /usr/local/bin/feed 0755 <<'EOF'
#!/bin/bash
set -euo pipefail
out=$(mktemp)
trap 'rm -f "$out"' EXIT
curl --fail --silent --show-error --max-time 60 --output "$out" https://feeds.example.org/products.json
jq --exit-status '.items | length > 0' "$out" >/dev/null
install -m 0644 "$out" /srv/shop/feed.json
EOF
ssh server 'sudo tee /etc/systemd/system/feed.service' >/dev/null <<'EOF'
[Unit]
Description=Fetch the feed
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
User=shop
ExecStart=/usr/local/bin/feed
ExecStartPost=/bin/sh -c 'test -s /srv/shop/feed.json && echo "the feed is there"'
TimeoutStartSec=120
ProtectSystem=full
EOF
ssh server 'sudo tee /etc/systemd/system/feed.timer' >/dev/null <<'EOF'
[Unit]
Description=Fetch the feed each quarter of an hour

[Timer]
OnCalendar=*:0/15
AccuracySec=30s
Persistent=true
Unit=feed.service

[Install]
WantedBy=timers.target
EOF
ssh server 'sudo systemctl daemon-reload && sudo systemctl enable --now feed.timer && sudo systemctl start feed.service'
ssh server 'systemctl list-timers --all --no-legend feed.timer' | grep -q feed.timer
ssh server 'test "$(find /srv/shop/feed.json -mmin -5 | wc -l)" -eq 1'
