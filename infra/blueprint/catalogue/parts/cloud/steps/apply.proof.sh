# @cloud@ has what the configuration says: planning again finds nothing to change
export TF_IN_AUTOMATION=1
test ! -e terraform/tfplan
test -n "$(terraform -chdir=terraform state list)"
terraform -chdir=terraform plan -input=false -no-color -lock=false -detailed-exitcode >/dev/null
echo "Proved: @cloud@ agrees with the configuration"
