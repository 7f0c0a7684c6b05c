#!/usr/bin/env bash
# Installs Redis again; a change is a failure
set -euo pipefail

cd ansible
said=$(ANSIBLE_NOCOLOR=1 ansible-playbook redis.yml)
recap=$(sed -n '/^PLAY RECAP/,$p' <<<"$said" | grep -F '@name@')
echo "$recap"
for part in 'changed=0' 'unreachable=0' 'failed=0'; do
  if ! grep -qE "$part( |\$)" <<<"$recap"; then
    echo "the second run is not $part; what it changed:" >&2
    grep -B 1 -E '^changed:' <<<"$said" >&2 || true
    exit 1
  fi
done
echo "Verified: a second installation of Redis changed nothing and failed nowhere"
