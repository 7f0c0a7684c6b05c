# CloudFront serves the very page that lies in site/
host=$(terraform -chdir=terraform output -raw distribution_host)
curl --fail --silent --show-error --max-time 30 "https://$host/" | cmp - site/index.html
echo "Proved: https://$host/ shows site/index.html"
