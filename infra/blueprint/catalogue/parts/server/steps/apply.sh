#!/usr/bin/env bash
# Makes at @cloud@ what the plan file says, and nothing else
set -euo pipefail

export TF_IN_AUTOMATION=1

if [[ -f terraform/tfplan ]]; then
  terraform -chdir=terraform apply -input=false -no-color tfplan
  # A plan can be applied once; without the file a second run of this step looks for drift instead.
  rm terraform/tfplan
else
  code=0
  terraform -chdir=terraform plan -input=false -no-color -detailed-exitcode || code=$?
  case $code in
    0) echo "Applied already; @cloud@ agrees with the configuration." ;;
    2)
      echo "@cloud@ differs from the configuration, as listed above. Run the step 'Plan the changes' again, read its plan, then run this step." >&2
      exit 1
      ;;
    *) exit "$code" ;;
  esac
fi

echo
terraform -chdir=terraform output -no-color
