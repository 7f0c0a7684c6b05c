#!/usr/bin/env bash
# Asks Ansible what the playbook would change; anything is a failure, and nothing is changed
set -euo pipefail

# If SSH is closed to this sandbox, this check cannot judge the server.
if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py || exit 75
fi

# Without its secrets the playbook says nothing of the server either.
secrets=(@secrets@)
for name in "${secrets[@]}"; do
  if [[ -z ${!name:-} ]]; then
    echo "$name is missing in the environment. Enter it in the credentials form, then run this check again." >&2
    exit 75
  fi
done

cd ansible
code=0
said=$(ANSIBLE_NOCOLOR=1 ansible-playbook --check --diff site.yml 2>&1) || code=$?
# Each task that would change something, or cannot, with the difference that it found.
awk '/^(TASK|RUNNING HANDLER|PLAY RECAP) / { if (told) printf "%s", block; block = ""; told = 0 }
  { block = block $0 "\n" }
  /^(changed|failed|fatal): / { told = 1 }' <<<"$said"
if ! recap=$(sed -n '/^PLAY RECAP/,$p' <<<"$said" | grep -F '@name@'); then
  echo "$said" >&2
  echo "Ansible ended with $code and no recap, so what differs is not known" >&2
  exit 75
fi
echo "$recap"
for part in 'changed=0' 'unreachable=0' 'failed=0'; do
  # Each server has its own line.
  if grep -qvE "$part( |\$)" <<<"$recap"; then
    echo "the recap is not $part: @name@ is not as the playbook says. The step 'Run the playbook' makes it so again." >&2
    exit 1
  fi
done
echo "Verified: in check mode the playbook finds nothing to change on @name@ and fails nowhere"
