# The providers are locked and the configuration is valid with them
test -s terraform/.terraform.lock.hcl
terraform -chdir=terraform validate -no-color
echo "Proved: the configuration is valid with the locked providers"
