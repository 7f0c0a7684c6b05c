#!/usr/bin/env bash
# Restarts Redis and looks whether it still knows what it was told
set -euo pipefail

if [[ -z ${REDIS_PASSWORD:-} ]]; then
  echo "REDIS_PASSWORD is missing in the environment. Enter it in the credentials form, then run this check again." >&2
  exit 1
fi

{
  printf 'export REDISCLI_AUTH=%q\n' "$REDIS_PASSWORD"
  cat <<'REMOTE'
set -euo pipefail
ask() { redis-cli -h 127.0.0.1 "$@" </dev/null; }
key=groundcrew-check-$$
mark=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')

systemctl is-enabled redis-server
[[ $(ask set "$key" "$mark" EX 300) == OK ]]
# On the disk within a second: that is what appendfsync everysec promises.
sleep 2
sudo systemctl restart redis-server
for ((attempt = 1; ; attempt++)); do
  [[ $(ask ping 2>/dev/null || true) == PONG ]] && break
  ((attempt < 30)) || { echo "Redis does not come back" >&2; exit 1; }
  sleep 1
done
found=$(ask get "$key")
ask del "$key" >/dev/null
echo "mark written: $mark, mark found after the restart: $found"
[[ $found == "$mark" ]]
REMOTE
} | ssh -F ssh/config @name@ 'bash -s'
echo "Verified: Redis starts with the server, and a mark written before a restart was there after it"
