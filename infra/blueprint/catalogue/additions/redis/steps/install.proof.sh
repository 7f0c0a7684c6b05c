# Redis runs, comes back after a restart of the server, listens on loopback only and wants its password
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
systemctl is-enabled redis-server
systemctl is-active redis-server
listening=$(ss -ltnH 'sport = :6379' | awk '{ print $4 }' | sort -u)
if [[ $listening != 127.0.0.1:6379 ]]; then
  echo "Redis listens on: ${listening:-nothing}" >&2
  exit 1
fi
answer=$(redis-cli -h 127.0.0.1 ping 2>&1 || true)
if [[ $answer != *NOAUTH* ]]; then
  echo "Redis answers without a password: $answer" >&2
  exit 1
fi
REMOTE
echo "Proved: Redis runs on @name@, on loopback only and behind its password"
