#!/usr/bin/env bash
# Installs Redis on @name@, and proves that a second run changes nothing and that data survives a restart; running it
# again mends what has changed since
set -euo pipefail

if [[ -z ${REDIS_PASSWORD:-} ]]; then
  echo "REDIS_PASSWORD is missing in the environment. Enter it in the credentials form, then run this step again." >&2
  exit 1
fi
if [[ ! -s ansible/inventory.ini ]]; then
  echo "no inventory: the step that tests SSH writes it" >&2
  exit 1
fi
if [[ ! -s ansible/redis.yml ]]; then
  echo "no role for Redis in ansible/: the step before writes it" >&2
  exit 1
fi

cd ansible
ANSIBLE_NOCOLOR=1 ansible-playbook redis.yml

echo "Once more: nothing may be left to change."
if ! said=$(ANSIBLE_NOCOLOR=1 ansible-playbook redis.yml); then
  echo "$said" >&2
  exit 1
fi
recap=$(sed -n '/^PLAY RECAP/,$p' <<<"$said" | grep -F '@name@')
echo "$recap"
if ! grep -qE 'changed=0( |$)' <<<"$recap"; then
  echo "the second run is not changed=0; what it changed:" >&2
  grep -B 1 -E '^changed:' <<<"$said" >&2
  exit 1
fi
cd ..

# A mark survives a restart. The password goes before the script, through the same encrypted standard input.
{
  printf 'export REDISCLI_AUTH=%q\n' "$REDIS_PASSWORD"
  cat <<'REMOTE'
set -euo pipefail
ask() { redis-cli -h 127.0.0.1 "$@" </dev/null; }
key=groundcrew-trial-$$
mark=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')

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
