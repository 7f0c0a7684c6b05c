#!/usr/bin/env bash
set -euo pipefail

ADMIN_IP="203.0.113.27"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT

cat > "$out/worker.py" <<'EOF'
#!/usr/bin/env python3
"""Deletes nothing: counts the orders that wait in the spool directory."""
import json
import pathlib
import time

spool = pathlib.Path("/var/lib/shop-worker/spool")
spool.mkdir(parents=True, exist_ok=True)

while True:
    waiting = len(list(spool.glob("*.json")))
    print(json.dumps({"waiting": waiting}), flush=True)
    time.sleep(30)
EOF

cat > "$out/shop-worker.service" <<'EOF'
[Unit]
Description=Order worker of the web shop
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
DynamicUser=yes
StateDirectory=shop-worker
ExecStart=/usr/bin/python3 /opt/shop-worker/worker.py
Restart=always
RestartSec=5
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
MemoryMax=256M

[Install]
WantedBy=multi-user.target
EOF

cat > "$out/nftables.conf" <<EOF
#!/usr/sbin/nft -f
flush ruleset

table inet filter {
    chain input {
        type filter hook input priority filter; policy drop;
        ct state established,related accept
        ct state invalid drop
        iif "lo" accept
        meta l4proto { icmp, ipv6-icmp } accept
        ip saddr ${ADMIN_IP} tcp dport 22 accept
        tcp dport { 80, 443 } accept
    }

    chain forward {
        type filter hook forward priority filter; policy drop;
    }

    chain output {
        type filter hook output priority filter; policy accept;
    }
}
EOF

cat > "$out/shop-worker.logrotate" <<'EOF'
/var/log/shop-worker/*.log {
    weekly
    rotate 8
    compress
    missingok
    notifempty
}
EOF

cat > "$out/journald.conf" <<'EOF'
[Journal]
SystemMaxUse=500M
MaxRetentionSec=1month
EOF

remote="$(ssh server mktemp -d)"
scp -q "$out"/* "server:${remote}/"

ssh server 'bash -s' -- "$remote" <<'EOF'
set -euo pipefail
cd "$1"

sudo install -D -m 0755 worker.py /opt/shop-worker/worker.py
sudo install -m 0644 shop-worker.service /etc/systemd/system/shop-worker.service
sudo install -m 0644 shop-worker.logrotate /etc/logrotate.d/shop-worker
sudo install -D -m 0644 journald.conf /etc/systemd/journald.conf.d/50-shop.conf
sudo systemd-analyze verify /etc/systemd/system/shop-worker.service

sudo apt-get update -q </dev/null
sudo apt-get install -yq nftables </dev/null
sudo nft -c -f nftables.conf
sudo install -m 0755 nftables.conf /etc/nftables.conf

sudo systemctl daemon-reload
sudo systemctl enable nftables shop-worker
sudo systemctl restart nftables systemd-journald
sudo systemctl restart shop-worker
EOF

sleep 3
ssh server 'systemctl is-active shop-worker nftables'
ssh server 'sudo journalctl -u shop-worker -n 3 --no-pager'
ssh server 'sudo nft list chain inet filter input'
