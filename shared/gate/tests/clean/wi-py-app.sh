#!/usr/bin/env bash
set -euo pipefail

ssh server 'bash -euo pipefail -s' <<'REMOTE'
install -d /opt/pyapp
cd /opt/pyapp
cat > pyproject.toml <<'EOF'
[project]
name = "pyapp"
version = "0.3.0"
requires-python = ">=3.11"
dependencies = [
  "flask==3.1.0",
  "gunicorn==23.0.0",  # server
]

[build-system]
requires = ["setuptools==75.6.0"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
py-modules = ["app"]
EOF
cat > app.py <<'EOF'
from flask import Flask

app = Flask(__name__)
INFO = {"name": "pyapp", "tags": ["a", "b"]}


@app.get("/healthz")
def healthz():
    return {"ok": True, **INFO, "text": f"{INFO['name']!r:>10}"}
EOF
python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check .
.venv/bin/python -c 'import app; print(app.app.test_client().get("/healthz").json["ok"])' | grep -qx True
REMOTE
