#!/usr/bin/env bash
# Uses Redis as an application would, and tries what the password must prevent
set -euo pipefail

if [[ -z ${REDIS_PASSWORD:-} ]]; then
  echo "REDIS_PASSWORD is missing in the environment. Enter it in the credentials form, then run this check again." >&2
  exit 75
fi

# The password goes before the script, through the same encrypted standard input.
{
  printf 'export REDISCLI_AUTH=%q\n' "$REDIS_PASSWORD"
  cat <<'REMOTE'
set -euo pipefail
ask() { redis-cli -h 127.0.0.1 "$@" </dev/null; }
key=groundcrew-check-$$

[[ $(ask set "$key" 42 EX 60) == OK ]]
value=$(ask get "$key")
ask del "$key" >/dev/null
echo "written and read: $value"
[[ $value == 42 ]]
for password in '' not-the-password; do
  answer=$(REDISCLI_AUTH=$password ask ping 2>&1 || true)
  if [[ $answer != *NOAUTH* ]]; then
    echo "let in with the password '$password': $answer" >&2
    exit 1
  fi
done
echo "without the password, and with a wrong one: refused"
listening=$(ss -ltnH 'sport = :6379' | awk '{ print $4 }' | sort -u)
echo "listening on: $listening"
[[ $listening == 127.0.0.1:6379 ]]
memory=$(ask config get maxmemory | tail -n 1)
echo "memory: $memory bytes"
[[ $memory == $((@redis_memory_mb@ * 1024 * 1024)) ]]
REMOTE
} | ssh -F ssh/config @name@ 'bash -s'
echo "Verified: Redis answers on 127.0.0.1 only, to its password only, within @redis_memory_mb@ MB"
