#!/usr/bin/env bash
# Reads the certificate that visitors see; changes nothing
set -euo pipefail

domain='@site_domain@'
host=$(terraform -chdir=terraform output -raw site_host)
if [[ $domain != none && $host != "$domain" ]]; then
  echo "the site is at $host, and not at $domain" >&2
  exit 1
fi
shown=$(openssl s_client -connect "$host:443" -servername "$host" -verify_hostname "$host" -verify_return_error </dev/null 2>/dev/null) || {
  echo "the certificate of $host is not valid for it" >&2
  exit 1
}
certificate=$(openssl x509 <<<"$shown")
openssl x509 -noout -issuer -subject -enddate <<<"$certificate"
openssl x509 -noout -checkend 604800 <<<"$certificate" || {
  echo "the certificate ends within a week" >&2
  exit 1
}
if [[ $domain != none ]]; then
  STATE=$(terraform -chdir=terraform show -json) python3 - <<'PYTHON'
import json, os, sys

resources = json.loads(os.environ["STATE"])["values"]["root_module"]["resources"]
site = next(r["values"] for r in resources if r["type"] == "aws_cloudfront_distribution")
least = site["viewer_certificate"][0]["minimum_protocol_version"]
print("least protocol:", least)
sys.exit(not least.startswith("TLSv1.2"))
PYTHON
fi
echo "Verified: the certificate of $host is valid for it"
