#!/usr/bin/env bash
# Removes Redis from @name@, with its settings and all its data
set -euo pipefail

if [[ ! -s ansible/inventory.ini ]]; then
  echo "no inventory: the step that tests SSH writes it" >&2
  exit 1
fi

mkdir -p ansible/roles/redis/tasks
#@write redis/remove.yml ansible/roles/redis/tasks/remove.yml
#@write redis/remove-playbook.yml ansible/redis-remove.yml

(cd ansible && ANSIBLE_NOCOLOR=1 ansible-playbook redis-remove.yml)
rm -rf ansible/redis.yml ansible/redis-remove.yml ansible/roles/redis
