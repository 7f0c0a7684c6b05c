#!/usr/bin/env bash
# Works out what would be made at Hetzner, and keeps it as a plan file; makes nothing yet
set -euo pipefail

export TF_IN_AUTOMATION=1

names=(HCLOUD_TOKEN)
for name in "${names[@]}"; do
  if [[ -z ${!name:-} ]]; then
    echo "No Hetzner credentials in the environment ($name is missing). Enter them in the credentials form, then run this step again." >&2
    exit 1
  fi
done

# SSH is tested from here, so this sandbox's own public address is let in beside those asked for.
address=$(curl --fail --silent --show-error --max-time 10 https://checkip.amazonaws.com)
if [[ ! $address =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]]; then
  echo "this sandbox's public IPv4 address could not be found out; got: $address" >&2
  exit 1
fi
allowed='["203.0.113.7/32"]'
allowed=$(ALLOWED="$allowed" ADDRESS="$address/32" python3 -c '
import json, os
print(json.dumps(sorted({*json.loads(os.environ["ALLOWED"]), os.environ["ADDRESS"]})))
')
printf '{"allowed_ssh_cidrs": %s}\n' "$allowed" >terraform/sandbox.auto.tfvars.json
echo "SSH will be allowed from $allowed"
echo "When this sandbox is started anew, its address is another one: run this step and the next again then."

cat >ssh/still-let-in.py <<'END_OF_FILE'
"""Says whether SSH is still open to this sandbox, whose public address changes with each start."""

import ipaddress
import json
import subprocess
import sys

asked = ["curl", "--fail", "--silent", "--max-time", "10", "https://checkip.amazonaws.com"]
answer = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
try:
    address = ipaddress.ip_address(answer)
except ValueError:
    # An unknown address is not a reason to stop: the login itself shows whether SSH is open.
    sys.exit(0)
with open("terraform/sandbox.auto.tfvars.json", encoding="utf-8") as file:
    allowed = json.load(file)["allowed_ssh_cidrs"]
if not any(address in ipaddress.ip_network(network) for network in allowed):
    sys.exit(
        f"address changed: this sandbox has the public address {address} now, and SSH is open to {', '.join(allowed)}. "
        "Run the steps that plan and apply again: they open SSH for the new address and close it for the former one."
    )
END_OF_FILE

(
  umask 077
  terraform -chdir=terraform plan -input=false -no-color -out=tfplan
)
echo
echo "Read the plan above before you approve the next step: it applies exactly this file."
