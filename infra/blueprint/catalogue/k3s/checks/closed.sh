#!/usr/bin/env bash
# Knocks on the ports of Kubernetes from outside; changes nothing
set -euo pipefail

first=$(ssh -F ssh/config -G @name@ | awk '$1 == "hostname" { print $2 }')
[[ -n $first ]]
others=$(terraform -chdir=terraform output -json agent_ips)
hosts=$(python3 -c 'import json, sys; print(sys.argv[1], *json.loads(sys.argv[2]), sep="\n")' "$first" "$others")
while read -r address; do
  for port in 6443 2379 10250 10256 30080; do
    code=0
    timeout 4 bash -c "exec 3<>/dev/tcp/$address/$port" 2>/dev/null || code=$?
    if ((code != 124)); then
      echo "port $port of $address answers to this sandbox, and must not" >&2
      exit 1
    fi
  done
  echo "$address: the ports of Kubernetes are closed"
done <<<"$hosts"

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
for file in /etc/rancher/k3s/k3s.yaml /etc/rancher/k3s/config.yaml /var/lib/rancher/k3s/server/token; do
  state=$(sudo stat --dereference --format '%U %a' "$file")
  echo "$file: $state"
  [[ $state == 'root 600' ]]
done
REMOTE
copies=$(find . -name k3s.yaml -o -name kubeconfig -o -name node-token)
if [[ -n $copies ]]; then
  echo "credentials of the cluster lie in this workspace: $copies" >&2
  exit 1
fi
echo "Verified: the API is closed to the world, and only root reads its credentials"
