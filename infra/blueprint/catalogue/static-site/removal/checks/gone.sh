#!/usr/bin/env bash
# Asks for the site where it was; changes nothing
set -euo pipefail

if [[ ! -s terraform/removed-site ]]; then
  echo "Verified: the site had no name that is known here, so nothing can be fetched from it"
  exit 0
fi
host=$(<terraform/removed-site)
if curl --fail --silent --output /dev/null --max-time 30 "https://$host/"; then
  echo "https://$host/ still shows a page. Run the steps of the removal again." >&2
  exit 1
fi
echo "Verified: https://$host/ shows no page anymore"
