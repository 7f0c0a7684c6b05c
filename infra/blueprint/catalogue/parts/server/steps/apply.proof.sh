# @cloud@ has what the configuration says: planning again finds nothing to change
export TF_IN_AUTOMATION=1
test ! -e terraform/tfplan
terraform -chdir=terraform output -raw public_ip | grep --extended-regexp '^[0-9.]+$'
plan=$(terraform -chdir=terraform plan -input=false -no-color -lock=false -detailed-exitcode) || {
  printf '%s\n' "$plan"
  echo "Planning again found the changes above, or failed" >&2
  exit 1
}
echo "Proved: @cloud@ agrees with the configuration"
