#!/usr/bin/env bash
# Downloads the @cloud@ provider and checks the configuration; touches nothing at @cloud@
set -euo pipefail

export TF_IN_AUTOMATION=1

init=(-input=false -no-color)
if [[ -n ${TF_HTTP_ADDRESS:-} ]]; then
  # Groundcrew keeps Terraform's state: locked, encrypted, and safe when this sandbox is lost.
  printf 'terraform {\n  backend "http" {}\n}\n' >terraform/backend.tf
  # A state that was kept in this folder until now moves there.
  init+=(-force-copy)
fi
terraform -chdir=terraform init "${init[@]}"
if [[ -e terraform/terraform.tfstate && ! -s terraform/terraform.tfstate ]]; then
  # Terraform empties the file once the state has moved, and leaves a copy beside it.
  rm -f terraform/terraform.tfstate.backup
fi
terraform -chdir=terraform validate -no-color
