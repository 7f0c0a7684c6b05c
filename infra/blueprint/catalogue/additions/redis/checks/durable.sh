#!/usr/bin/env bash
# Asks Redis and systemd whether what Redis holds would be there after a restart; restarts nothing
set -euo pipefail

if [[ -z ${REDIS_PASSWORD:-} ]]; then
  echo "REDIS_PASSWORD is missing in the environment. Enter it in the credentials form, then run this check again." >&2
  exit 75
fi

{
  printf 'export REDISCLI_AUTH=%q\n' "$REDIS_PASSWORD"
  cat <<'REMOTE'
set -euo pipefail
ask() { redis-cli -h 127.0.0.1 "$@" </dev/null; }

systemctl is-enabled redis-server
for setting in 'appendonly yes' 'appendfsync everysec' 'maxmemory-policy noeviction'; do
  answer=$(ask config get "${setting% *}")
  value=$(tail -n 1 <<<"$answer")
  echo "${setting% *}: $value"
  [[ $value == "${setting#* }" ]]
done
state=$(ask info persistence | tr -d '\r')
for part in loading:0 aof_enabled:1 aof_last_write_status:ok aof_last_bgrewrite_status:ok; do
  grep --line-regexp "$part" <<<"$state" || { echo "Redis does not say $part" >&2; exit 1; }
done
REMOTE
} | ssh -F ssh/config @name@ 'bash -s'
echo "Verified: Redis starts with the server and writes what it holds to the disk every second, without an error"
