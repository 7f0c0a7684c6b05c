#!/usr/bin/env bash
# Waits until each server answers, then compares their versions
set -euo pipefail
servers=(10.0.1.11 10.0.1.12)
expected=${1:-2.3.1}
wrong=0
version_of() {
  local address=$1 reply
  reply=$(curl -fsS --max-time 5 "http://$address:8080/version") || return 1
  jq -er .version <<<"$reply"
}
for server in "${servers[@]}"; do
  tries=0
  until version=$(version_of "$server"); do
    tries=$((tries + 1))
    if [ "$tries" -ge 30 ]; then
      echo "$server does not answer" >&2
      exit 1
    fi
    sleep 2
  done
  if [ "$version" != "$expected" ]; then
    echo "$server runs $version" >&2
    wrong=$((wrong + 1))
  fi
done
exit "$((wrong > 0))"
