#!/usr/bin/env bash
# Writes the Terraform configuration of @name@ to terraform/
set -euo pipefail

mkdir -p terraform

#@write versions.tf terraform/versions.tf
#@write variables.tf terraform/variables.tf
#@write bucket.tf terraform/bucket.tf
#@write distribution.tf terraform/distribution.tf
#@write folders.js terraform/folders.js
#@write domain.tf terraform/domain.tf
#@write outputs.tf terraform/outputs.tf
#@write terraform.tfvars terraform/terraform.tfvars
#@write gitignore terraform/.gitignore

if ! terraform -chdir=terraform fmt -check -diff; then
  echo "the configuration is not in Terraform's own format" >&2
  exit 1
fi
ls -lA terraform
