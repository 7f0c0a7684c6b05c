#!/usr/bin/env bash
# Works out what would be removed at @cloud@, and keeps it as a plan file; removes nothing yet
set -euo pipefail

export TF_IN_AUTOMATION=1

names=(@credentials@)
for name in "${names[@]}"; do
  if [[ -z ${!name:-} ]]; then
    echo "No @cloud@ credentials in the environment ($name is missing). Enter them in the credentials form, then run this step again." >&2
    exit 1
  fi
done

(
  umask 077
  terraform -chdir=terraform plan -destroy -input=false -no-color -out=tfplan
)
echo
echo "Read the plan above before you approve the next steps: they remove this, and none of it can be restored."
