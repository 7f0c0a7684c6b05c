#!/usr/bin/env bash
# Plans the changes and saves the plan for the next step
set -euo pipefail
cd ~/workspace/terraform

terraform init -input=false -no-color
terraform plan -input=false -no-color -lock-timeout=2m -out=shop.tfplan
terraform show -no-color shop.tfplan | tail -n 3
test -s shop.tfplan
