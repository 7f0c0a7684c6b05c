#!/usr/bin/env bash
# Sets up @name@ as the playbook says, and proves that a second run changes nothing; running it again mends what has
# changed since
set -euo pipefail

secrets=(@secrets@)
for name in "${secrets[@]}"; do
  if [[ -z ${!name:-} ]]; then
    echo "$name is missing in the environment. Enter it in the credentials form, then run this step again." >&2
    exit 1
  fi
done
if [[ ! -s ansible/inventory.ini ]]; then
  echo "no inventory: step 6 writes it" >&2
  exit 1
fi
if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py
fi

cd ansible
ANSIBLE_NOCOLOR=1 ansible-playbook site.yml

echo "Once more: nothing may be left to change."
if ! said=$(ANSIBLE_NOCOLOR=1 ansible-playbook site.yml); then
  echo "$said" >&2
  exit 1
fi
recap=$(sed -n '/^PLAY RECAP/,$p' <<<"$said" | grep -F '@name@')
echo "$recap"
# Each server has its own line.
if grep -qvE 'changed=0( |$)' <<<"$recap"; then
  echo "the second run is not changed=0; what it changed:" >&2
  grep -B 1 -E '^changed:' <<<"$said" >&2
  exit 1
fi
cd ..
@try_on_server@
