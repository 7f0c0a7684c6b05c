#!/usr/bin/env bash
# Compares the instance's protection with the plan, in the state and on the server itself
set -euo pipefail

STATE=$(terraform -chdir=terraform show -json) python3 - <<'PYTHON'
import json, os, sys

state = json.loads(os.environ["STATE"])
resources = state["values"]["root_module"]["resources"]
instance = next(r["values"] for r in resources if r["type"] == "aws_instance")
vpc = next(r["values"]["id"] for r in resources if r["type"] == "aws_vpc")
subnets = [r["values"]["id"] for r in resources if r["type"] == "aws_subnet" and r["values"]["vpc_id"] == vpc]
networks = sorted(r["values"]["cidr_ipv4"] for r in resources if r["type"] == "aws_vpc_security_group_ingress_rule")
checks = {
    "IMDSv2 is required": instance["metadata_options"][0]["http_tokens"] == "required",
    "the root volume is encrypted": instance["root_block_device"][0]["encrypted"] is True,
    "the root volume is of type gp3": instance["root_block_device"][0]["volume_type"] == "gp3",
    "it is in a VPC of its own": instance["subnet_id"] in subnets,
    "the type is @instance_type@": instance["instance_type"] == "@instance_type@",
}
for what, holds in checks.items():
    print(("yes: " if holds else "NO: ") + what)
print("port 22 is open to:", ", ".join(networks))
sys.exit(not all(checks.values()))
PYTHON

answer=$(ssh -F ssh/config @name@ "curl --silent --output /dev/null --write-out '%{http_code}' --max-time 5 http://169.254.169.254/latest/meta-data/")
echo "metadata without a token: $answer"
[[ $answer == 401 ]]

# Debian's image tells root the name of its own login, and hangs up after some seconds.
if answer=$(ssh -F ssh/config -o User=root @name@ id 2>&1); then
  echo "root logs in: $answer" >&2
  exit 1
fi
echo "as root: ${answer%%$'\n'*}"
echo "Verified: @instance_type@, encrypted gp3 disk, IMDSv2 required; metadata without a token answers 401, and root does not log in"
