# The configuration is there, parses, and is in Terraform's own format
for file in versions.tf variables.tf bucket.tf distribution.tf domain.tf outputs.tf terraform.tfvars folders.js; do
  test -s "terraform/$file"
done
terraform -chdir=terraform fmt -check >/dev/null
echo "Proved: Terraform reads the configuration"
