#!/usr/bin/env bash
# Writes the role and the playbook of Redis for @name@ to ansible/
set -euo pipefail

mkdir -p ansible/roles/redis/{defaults,tasks,handlers,templates}

#@write redis/playbook.yml ansible/redis.yml
#@write redis/defaults.yml ansible/roles/redis/defaults/main.yml
#@write redis/tasks.yml ansible/roles/redis/tasks/main.yml
#@write redis/remove.yml ansible/roles/redis/tasks/remove.yml
#@write redis/handlers.yml ansible/roles/redis/handlers/main.yml
#@write redis/added.conf.j2 ansible/roles/redis/templates/added.conf.j2

# Fail here, not on the server, when what was written does not hold together.
if command -v ansible-playbook >/dev/null; then
  (cd ansible && ansible-playbook --syntax-check --inventory localhost, redis.yml)
else
  echo "Ansible is not available here; the role was written but not checked"
fi
find ansible/redis.yml ansible/roles/redis -type f | sort
