#!/usr/bin/env bash
# Fetches the site as visitors do; changes nothing
set -euo pipefail

host=$(terraform -chdir=terraform output -raw site_host)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ask() { curl --silent --show-error --max-time 30 "$@"; }

page=$(ask --dump-header "$folder/headers" --output "$folder/page" --write-out '%{http_code}' "https://$host/")
echo "HTTPS: $page"
[[ $page == 200 ]]
cmp "$folder/page" site/index.html
for header in strict-transport-security x-content-type-options x-frame-options referrer-policy; do
  grep --ignore-case "^$header:" "$folder/headers" || {
    echo "the header $header is missing" >&2
    exit 1
  }
done
moved=$(ask --output /dev/null --write-out '%{http_code} %{redirect_url}' "http://$host/")
echo "HTTP: $moved"
[[ $moved == "301 https://$host/" ]]
missing=$(ask --output "$folder/missing" --write-out '%{http_code}' "https://$host/there-is-no-such-page.html")
echo "a page that is not there: $missing"
[[ $missing == 404 ]]
cmp "$folder/missing" site/404.html
echo "Verified: https://$host/ serves site/index.html, HTTP leads there, and what is not there answers 404"
