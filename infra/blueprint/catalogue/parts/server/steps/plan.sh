#!/usr/bin/env bash
# Works out what would be made at @cloud@, and keeps it as a plan file; makes nothing yet
set -euo pipefail

export TF_IN_AUTOMATION=1

names=(@credentials@)
for name in "${names[@]}"; do
  if [[ -z ${!name:-} ]]; then
    echo "No @cloud@ credentials in the environment ($name is missing). Enter them in the credentials form, then run this step again." >&2
    exit 1
  fi
done

# SSH is tested from here, so this sandbox's own public address is let in beside those asked for.
address=$(curl --fail --silent --show-error --max-time 10 https://checkip.amazonaws.com)
if [[ ! $address =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]]; then
  echo "this sandbox's public IPv4 address could not be found out; got: $address" >&2
  exit 1
fi
allowed='[@cidr_list@]'
allowed=$(ALLOWED="$allowed" ADDRESS="$address/32" python3 -c '
import json, os
print(json.dumps(sorted({*json.loads(os.environ["ALLOWED"]), os.environ["ADDRESS"]})))
')
printf '{"allowed_ssh_cidrs": %s}\n' "$allowed" >terraform/sandbox.auto.tfvars.json
echo "SSH will be allowed from $allowed"
echo "When this sandbox is started anew, its address is another one: run this step and the next again then."

#@write still-let-in.py ssh/still-let-in.py

(
  umask 077
  terraform -chdir=terraform plan -input=false -no-color -out=tfplan
)
echo
echo "Read the plan above before you approve the next step: it applies exactly this file."
