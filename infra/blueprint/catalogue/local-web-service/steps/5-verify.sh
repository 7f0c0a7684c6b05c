#!/usr/bin/env bash
# Looks at everything once more: files, process, health
set -euo pipefail

for file in service.py service.json control.sh check-health.sh docker-compose.yml README.md; do
  if [[ ! -s @name@/$file ]]; then
    echo "missing: @name@/$file" >&2
    exit 1
  fi
done

echo "Files:"
ls -l @name@
echo
echo "Settings:"
cat @name@/service.json
echo
echo "Process:"
./@name@/control.sh status
echo
echo "Health:"
./@name@/check-health.sh
echo
echo "@name@ is running on port @port@ in this sandbox."
