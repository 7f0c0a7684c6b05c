#!/usr/bin/env bash
# Installs Redis on @name@; running it again mends what has changed since
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
