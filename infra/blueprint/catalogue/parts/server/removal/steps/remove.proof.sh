# Nothing of it is in Terraform's state
test ! -e terraform/tfplan
left=$(terraform -chdir=terraform state list)
test -z "$left"
echo "Proved: Terraform's state is empty"
