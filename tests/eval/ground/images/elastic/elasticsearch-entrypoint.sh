#!/usr/bin/env bash
# Starts the stand-in for Elasticsearch with the settings of the environment: those whose names have a dot, in lower case.
set -euo pipefail
[[ ${1:-} == eswrapper ]] || exec "$@"

options=()
while IFS='=' read -r -d '' name value; do
  if [[ $name =~ ^[a-z0-9_]+\.[a-z0-9_]+ && -n $value ]]; then
    options+=("-E$name=$value")
  fi
done < <(env --null)
exec python3 /opt/elastic/elasticsearch.py "${options[@]}"
