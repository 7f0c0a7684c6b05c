#!/usr/bin/env bash
# Compares @cloud@ with the configuration; anything to change is a failure
set -euo pipefail

export TF_IN_AUTOMATION=1
code=0
terraform -chdir=terraform plan -input=false -no-color -lock=false -detailed-exitcode || code=$?
case $code in
  0) echo "Verified: terraform plan finds nothing to change" ;;
  2)
    echo "@cloud@ differs from the configuration, as listed above. Run the step 'Plan the changes' again, read its plan, then 'Apply the plan'." >&2
    exit 1
    ;;
  *)
    echo "terraform plan failed, so whether @cloud@ differs is not known." >&2
    exit 75
    ;;
esac
