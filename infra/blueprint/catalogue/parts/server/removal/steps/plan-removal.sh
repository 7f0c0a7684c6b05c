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

# The checks look for the server at the address that it has now. After the removal there is none.
if address=$(terraform -chdir=terraform output -raw public_ip 2>/dev/null) && [[ $address =~ ^[0-9.]+$ ]]; then
  user=$(terraform -chdir=terraform output -raw ssh_user)
  mkdir -p ssh
  echo "$user@$address" >ssh/removed-server
fi

(
  umask 077
  terraform -chdir=terraform plan -destroy -input=false -no-color -out=tfplan
)
echo
echo "Read the plan above before you approve the next step: it removes exactly this, and none of it can be restored."
