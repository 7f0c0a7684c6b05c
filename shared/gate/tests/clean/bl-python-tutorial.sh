#!/usr/bin/env bash
set -euo pipefail

repo=https://github.com/pallets/flask.git
tag=3.1.0
src=$(mktemp -d)
trap 'rm -rf "$src"' EXIT

git clone --quiet --depth 1 --branch "$tag" "$repo" "$src/flask"
test "$(git -C "$src/flask" describe --tags --exact-match)" = "$tag"

cat > requirements.txt <<'EOF'
flask==3.1.0
gunicorn==23.0.0
psycopg[binary]==3.2.3
EOF

python3 -m venv venv
./venv/bin/pip install --quiet --requirement requirements.txt

cat > pyproject.toml <<'EOF'
[project]
name = "tutorial"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["flask==3.1.0"]

[tool.ruff]
line-length = 100

[tool.ruff.lint]
select = ["E", "F", "I"]
EOF

python3 -c 'import tomllib; tomllib.load(open("pyproject.toml", "rb"))'
cp -r "$src/flask/examples/tutorial/flaskr" ./flaskr
./venv/bin/flask --app flaskr init-db
./venv/bin/python -c 'import flask, flaskr; print(flaskr.create_app())'
