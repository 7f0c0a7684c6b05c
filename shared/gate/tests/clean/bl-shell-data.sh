#!/usr/bin/env bash
set -euo pipefail

admin_cidr="${ADMIN_CIDR:?set ADMIN_CIDR, for example 203.0.113.0/29}"
if [[ "$admin_cidr" == */0 ]]; then
  echo "ADMIN_CIDR must not be the whole internet" >&2
  exit 1
fi

ssh server 'sudo apt-get update -q && sudo apt-get install -y -q ufw'
# shellcheck disable=SC2029 # expanded here on purpose
ssh server "sudo bash -s -- '$admin_cidr'" <<'EOF'
set -euo pipefail
admin=$1
ufw default deny incoming
ufw default allow outgoing
ufw allow from "$admin" to any port 22 proto tcp
for port in 80 443; do
  ufw allow "${port}/tcp"
done
ufw allow from 10.0.0.0/24 to any port 5432 proto tcp
ufw --force enable
EOF

status=$(ssh server 'sudo ufw status')
grep -q 'Status: active' <<<"$status"
grep -q '443/tcp' <<<"$status"
