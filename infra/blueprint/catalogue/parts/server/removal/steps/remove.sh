#!/usr/bin/env bash
# Removes at @cloud@ what the plan file says, and nothing else
set -euo pipefail

export TF_IN_AUTOMATION=1

if [[ -f terraform/tfplan ]]; then
  terraform -chdir=terraform apply -input=false -no-color tfplan
  # A plan can be applied once; without the file a second run of this step looks at the state instead.
  rm terraform/tfplan
fi

left=$(terraform -chdir=terraform state list)
if [[ -n $left ]]; then
  echo "This is still there at @cloud@. Run step 1 again, read its plan, then run this step:" >&2
  echo "$left" >&2
  exit 1
fi
echo "Terraform's state is empty: nothing of this project is left at @cloud@."
