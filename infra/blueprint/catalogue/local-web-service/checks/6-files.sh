#!/usr/bin/env bash
# Compares the files with the plan: presence, syntax, settings
set -euo pipefail

cd @name@
for file in service.py service.json control.sh check-health.sh docker-compose.yml README.md; do
  if [[ ! -s $file ]]; then
    echo "missing: @name@/$file" >&2
    exit 1
  fi
done
python3 -c 'import ast; ast.parse(open("service.py", encoding="utf-8").read())'
echo "service.py: valid Python"
for script in control.sh check-health.sh; do
  bash -n "$script"
  [[ -x $script ]]
  echo "$script: valid Bash, executable"
done
python3 - <<'PYTHON'
import json, sys

planned = {"name": "@name@", "host": "127.0.0.1", "port": @port@, "health_path": "@health_path@", "access": "@access@"}
written = json.load(open("service.json", encoding="utf-8"))
different = {key: written.get(key) for key, value in planned.items() if written.get(key) != value}
if different:
    sys.exit(f"service.json differs from the plan in {different}")
print("service.json: as planned")
PYTHON
if docker compose version >/dev/null 2>&1; then
  docker compose --file docker-compose.yml config --quiet
  echo "docker-compose.yml: accepted by docker compose"
else
  echo "docker-compose.yml: written; docker compose is not available here"
fi
echo "Verified: six files are there, their syntax is right and the settings are as planned"
