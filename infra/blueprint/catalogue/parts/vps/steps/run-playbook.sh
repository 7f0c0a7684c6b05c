#!/usr/bin/env bash
# Sets up @name@ as the playbook says; running it again mends what has changed since
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
