#!/usr/bin/env bash
# Asks nginx for the site over HTTP and HTTPS; changes nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
ask() { curl --silent --output /dev/null --insecure --resolve '@domain@:80:127.0.0.1' --resolve '@domain@:443:127.0.0.1' "$@"; }

moved=$(ask --write-out '%{http_code} %{redirect_url}' 'http://@domain@/')
echo "HTTP: $moved"
[[ $moved == '301 https://@domain@/' ]]
page=$(ask --write-out '%{http_code}' 'https://@domain@/')
echo "HTTPS: $page"
[[ $page == 200 ]]
missing=$(ask --write-out '%{http_code}' 'https://@domain@/there-is-no-such-page')
echo "a page that is not there: $missing"
[[ $missing == 404 ]]
further=(@further_ports_sh@)
for port in "${further[@]}"; do
  there=$(ask --resolve "@domain@:$port:127.0.0.1" --write-out '%{http_code}' "https://@domain@:$port/")
  led=$(ask --resolve "@domain@:$port:127.0.0.1" --write-out '%{redirect_url}' "http://@domain@:$port/")
  echo "port $port: $there, and HTTP leads to $led"
  [[ $there == 200 && $led == "https://@domain@:$port/" ]]
done
if ask --tls-max 1.1 'https://@domain@/'; then
  echo "TLS 1.1 is let in" >&2
  exit 1
fi
echo "TLS 1.1: refused"
REMOTE
echo "Verified: nginx serves @domain@ over TLS 1.2 or newer, and HTTP leads there"
