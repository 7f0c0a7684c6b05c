#!/usr/bin/env bash
# Writes what is needed to run @name@ somewhere else
set -euo pipefail

#@write docker-compose.yml @name@/docker-compose.yml
#@write README.md @name@/README.md

# Compose is not everywhere; where it is, let it read the file.
if docker compose version >/dev/null 2>&1; then
  docker compose --file @name@/docker-compose.yml config --quiet
  echo "docker compose accepts the file"
else
  echo "docker compose is not available here; the file was written but not checked"
fi

ls -l @name@/docker-compose.yml @name@/README.md
