# nginx shows a certificate for the domain that it did not sign itself
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
sudo test -s '/etc/letsencrypt/live/@domain@/fullchain.pem'
shown=$(openssl s_client -connect 127.0.0.1:443 -servername '@domain@' </dev/null 2>/dev/null | openssl x509 -noout -issuer -subject)
echo "$shown"
issuer=$(sed -n 's/^issuer= *//p' <<<"$shown")
subject=$(sed -n 's/^subject= *//p' <<<"$shown")
[[ -n $issuer && $issuer != "$subject" ]]
REMOTE
echo "Proved: nginx shows the certificate that was issued for @domain@"
