#!/usr/bin/env bash
# Downloads the @cloud@ provider and checks the configuration; touches nothing at @cloud@
set -euo pipefail

export TF_IN_AUTOMATION=1

terraform -chdir=terraform init -input=false -no-color
terraform -chdir=terraform validate -no-color
