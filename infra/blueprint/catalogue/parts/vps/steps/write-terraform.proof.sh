# The configuration is there, parses, and is in Terraform's own format
for file in versions.tf variables.tf main.tf outputs.tf cloud-init.yaml terraform.tfvars; do
  test -s "terraform/$file"
done
terraform -chdir=terraform fmt -check >/dev/null
echo "Proved: Terraform reads the configuration"
