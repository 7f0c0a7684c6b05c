#!/usr/bin/env bash
# Knocks on the application servers from outside; changes nothing
set -euo pipefail

# If SSH is closed to this sandbox, this check cannot judge the servers.
if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py || exit 75
fi

found=$(terraform -chdir=terraform output -json app_ips)
hosts=$(python3 -c 'import ipaddress, json, sys; [print(ipaddress.IPv4Address(one)) for one in json.loads(sys.argv[1])]' "$found")
planned=@app_servers@
count=0
while read -r address; do
  count=$((count + 1))
  code=0
  timeout 4 bash -c "exec 3<>/dev/tcp/$address/8080" 2>/dev/null || code=$?
  if ((code != 124)); then
    echo "port 8080 of $address answers to this sandbox, and must not" >&2
    exit 1
  fi
  timeout 4 bash -c "exec 3<>/dev/tcp/$address/22"
  echo "$address: SSH answers, and the application is closed"
done <<<"$hosts"
if ((count != planned)); then
  echo "Terraform knows $count application servers, and $planned are planned" >&2
  exit 1
fi
echo "Verified: only the balancer reaches the application on the $count application servers"
