#!/usr/bin/env bash
# Reads the certificate that nginx shows, and tries its renewal without renewing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
certificate=$(openssl s_client -connect 127.0.0.1:443 -servername '@domain@' </dev/null 2>/dev/null | openssl x509)
openssl x509 -noout -issuer -subject -enddate <<<"$certificate"
names=$(openssl x509 -noout -ext subjectAltName <<<"$certificate")
grep -qF 'DNS:@domain@' <<<"$names" || { echo "the certificate is not for @domain@: $names" >&2; exit 1; }
openssl x509 -noout -checkend 604800 <<<"$certificate" || { echo "the certificate ends within a week" >&2; exit 1; }
issuer=$(openssl x509 -noout -issuer <<<"$certificate")
subject=$(openssl x509 -noout -subject <<<"$certificate")
[[ ${issuer#issuer=} != "${subject#subject=}" ]] || { echo "the certificate is the server's own" >&2; exit 1; }
systemctl is-active certbot.timer
sudo certbot renew --dry-run --no-random-sleep-on-renew
REMOTE
echo "Verified: nginx shows a valid certificate for @domain@, and its renewal works"
