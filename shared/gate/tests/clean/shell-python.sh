#!/usr/bin/env bash
# Makes the Python application with its own environment
set -euo pipefail
app=~/workspace/app
mkdir -p "$app/src/shop"
cat >"$app/pyproject.toml" <<'EOF'
[project]
name = "shop"
version = "1.2.0"
requires-python = ">=3.11"
dependencies = ["flask==3.1.2", "gunicorn==23.0.0"]

[build-system]
requires = ["setuptools==80.9.0"]
build-backend = "setuptools.build_meta"

[tool.setuptools.packages.find]
where = ["src"]
EOF
cat >"$app/src/shop/__init__.py" <<'EOF'
from flask import Flask

app = Flask(__name__)


@app.get("/health")
def health():
    return {"status": "ok"}
EOF
cat >"$app/settings.ini" <<'EOF'
[server]
bind = 127.0.0.1:8000
workers = 2

[logging]
level = info
format = %%(asctime)s %%(message)s
EOF
cd "$app"
[ -x .venv/bin/python ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --editable .
.venv/bin/python - <<'EOF'
from shop import app

response = app.test_client().get("/health")
assert response.status_code == 200, response.status
EOF
.venv/bin/pip check
