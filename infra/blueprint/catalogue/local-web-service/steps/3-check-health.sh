#!/usr/bin/env bash
# Asks the service for its health, as a load balancer would
set -euo pipefail

./@name@/check-health.sh

echo
echo "The page at http://127.0.0.1:@port@/ says:"
login=()
if [[ -s @name@/access/curl ]]; then
  login=(--config @name@/access/curl)
fi
page=$(curl "${login[@]}" --fail --silent --show-error --max-time 5 http://127.0.0.1:@port@/)
grep -F '<h1>@name@</h1>' <<<"$page"

echo
status=$(curl --silent --output /dev/null --write-out '%{http_code}' --max-time 5 http://127.0.0.1:@port@/no-such-page)
echo "An unknown path answers $status"
[[ $status == 404 ]]
