# Nothing of it is in Terraform's state
test ! -e terraform/tfplan
test -z "$(terraform -chdir=terraform state list)"
echo "Proved: Terraform's state is empty"
