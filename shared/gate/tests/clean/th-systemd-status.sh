#!/usr/bin/env bash
set -euo pipefail
# A small status service in Python behind the web server, with a timer that refreshes it.
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv curl

id -u status >/dev/null 2>&1 || useradd --system --home-dir /opt/status --shell /usr/sbin/nologin status
install -d -o status -g status -m 0750 /opt/status /var/lib/status

cat > /opt/status/requirements.txt <<'EOF'
flask==3.1.0
gunicorn==23.0.0
psutil==6.1.0
EOF

cat > /opt/status/app.py <<'EOF'
import json
import os
from pathlib import Path

from flask import Flask, jsonify

STATE = Path(os.environ.get("STATUS_FILE", "/var/lib/status/state.json"))
app = Flask(__name__)


def load_state():
    if not STATE.exists():
        return {"fresh": False}
    with STATE.open() as handle:
        return json.load(handle)


@app.get("/healthz")
def healthz():
    return jsonify(ok=True)


@app.get("/status")
def status():
    state = load_state()
    return jsonify(state), 200 if state["fresh"] else 503
EOF

cat > /opt/status/refresh.py <<'EOF'
import json
import time

import psutil

data = {
    "fresh": True,
    "time": int(time.time()),
    "load": psutil.getloadavg()[0],
    "disk": psutil.disk_usage("/").percent,
}
with open("/var/lib/status/state.json", "w") as out:
    json.dump(data, out)
EOF

python3 -m venv /opt/status/venv
/opt/status/venv/bin/pip install --no-cache-dir -r /opt/status/requirements.txt

cat > /etc/systemd/system/status.service <<'EOF'
[Unit]
Description=Status service
After=network-online.target
Wants=network-online.target

[Service]
User=status
Group=status
WorkingDirectory=/opt/status
ExecStart=/opt/status/venv/bin/gunicorn --workers 2 --bind 127.0.0.1:8000 app:app
Restart=on-failure
RestartSec=5s
NoNewPrivileges=true
ProtectSystem=strict
ReadWritePaths=/var/lib/status
PrivateTmp=true

[Install]
WantedBy=multi-user.target
EOF

cat > /etc/systemd/system/status-refresh.service <<'EOF'
[Unit]
Description=Refresh the status file

[Service]
Type=oneshot
User=status
ExecStart=/opt/status/venv/bin/python /opt/status/refresh.py
EOF

cat > /etc/systemd/system/status-refresh.timer <<'EOF'
[Unit]
Description=Refresh the status file every five minutes

[Timer]
OnBootSec=1min
OnUnitActiveSec=5min
Unit=status-refresh.service

[Install]
WantedBy=timers.target
EOF

systemd-analyze verify /etc/systemd/system/status.service /etc/systemd/system/status-refresh.timer
systemctl daemon-reload
systemctl enable --now status.service status-refresh.timer
systemctl start status-refresh.service

curl -fsS --retry 10 --retry-connrefused http://127.0.0.1:8000/healthz
curl -fsS http://127.0.0.1:8000/status | python3 -c 'import json,sys; assert json.load(sys.stdin)["fresh"] is True'
