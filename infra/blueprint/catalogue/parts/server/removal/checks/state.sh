#!/usr/bin/env bash
# Looks for what Terraform still knows at @cloud@
set -euo pipefail

left=$(terraform -chdir=terraform state list)
if [[ -n $left ]]; then
  echo "$left"
  echo "Terraform still has these resources. Run the steps of the removal again." >&2
  exit 1
fi
if [[ -e terraform/tfplan ]]; then
  echo "A saved plan still waits in terraform/tfplan. Run the steps of the removal again." >&2
  exit 1
fi
echo "Verified: Terraform's state is empty, and no plan waits"
