#!/usr/bin/env bash
# Two units without a daemon that runs all day: a path unit that imports dropped price lists,
# and a socket on the loopback address that tells how many were imported.
set -euo pipefail

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cd "$stage"

cat > import-prices <<'EOF'
#!/usr/bin/env python3
"""Moves valid price lists from the inbox to the archive, the others to rejected."""
import csv
import shutil
import sys
from pathlib import Path

ROOT = Path("/var/lib/shop-prices")


def valid(path: Path) -> bool:
    try:
        with path.open(newline="", encoding="utf-8") as handle:
            rows = list(csv.DictReader(handle))
        return bool(rows) and all(float(row["price"]) >= 0 and row["sku"] for row in rows)
    except (KeyError, TypeError, ValueError):
        return False


def main() -> int:
    for path in sorted((ROOT / "inbox").glob("*.csv")):
        target = "archive" if valid(path) else "rejected"
        shutil.move(path, ROOT / target / path.name)
        print(f"{path.name}: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
EOF

cat > count-prices <<'EOF'
#!/bin/sh
find /var/lib/shop-prices/archive -name '*.csv' | wc -l
EOF

cat > shop-prices.path <<'EOF'
[Unit]
Description=Watch for price lists

[Path]
PathExistsGlob=/var/lib/shop-prices/inbox/*.csv

[Install]
WantedBy=multi-user.target
EOF

cat > shop-prices.service <<'EOF'
[Unit]
Description=Import price lists

[Service]
Type=oneshot
User=shop-prices
ExecStart=/usr/local/bin/import-prices
ProtectSystem=strict
ReadWritePaths=/var/lib/shop-prices
PrivateTmp=yes
NoNewPrivileges=yes
EOF

cat > shop-count.socket <<'EOF'
[Unit]
Description=Number of imported price lists

[Socket]
ListenStream=127.0.0.1:8095
Accept=yes
MaxConnections=16

[Install]
WantedBy=sockets.target
EOF

cat > shop-count@.service <<'EOF'
[Unit]
Description=Answer with the number of imported price lists
CollectMode=inactive-or-failed

[Service]
User=shop-prices
ExecStart=/usr/local/bin/count-prices
StandardInput=socket
StandardOutput=socket
StandardError=journal
EOF

python3 -m py_compile import-prices
getent passwd shop-prices > /dev/null || sudo useradd --system --home-dir /var/lib/shop-prices --shell /usr/sbin/nologin shop-prices
sudo install -d -o shop-prices -g shop-prices -m 0750 /var/lib/shop-prices{,/inbox,/archive,/rejected}
sudo install -m 0755 import-prices count-prices /usr/local/bin/
sudo install -m 0644 shop-prices.path shop-prices.service shop-count.socket shop-count@.service /etc/systemd/system/
sudo systemctl daemon-reload
sudo systemctl enable --now shop-prices.path shop-count.socket

name="check-$(date +%s).csv"
printf 'sku,price\ntea-100,4.50\n' | sudo -u shop-prices tee "/var/lib/shop-prices/inbox/.$name.part" > /dev/null
sudo -u shop-prices mv "/var/lib/shop-prices/inbox/.$name.part" "/var/lib/shop-prices/inbox/$name"
for _ in {1..10}; do
  sudo test -f "/var/lib/shop-prices/archive/$name" && break
  sleep 1
done
sudo test -f "/var/lib/shop-prices/archive/$name"
exec 3<> /dev/tcp/127.0.0.1/8095
read -r count <&3
(( count >= 1 ))
