# The cluster has as many ready nodes as servers are planned
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
for ((attempt = 1; ; attempt++)); do
  nodes=$(sudo k3s kubectl get nodes --no-headers)
  ready=$(awk '$2 == "Ready" { n++ } END { print n + 0 }' <<<"$nodes")
  if ((ready == @servers@)); then
    break
  fi
  if ((attempt == 24)); then
    echo "a server is not a node yet: $nodes" >&2
    exit 1
  fi
  sleep 5
done
echo "$nodes"
REMOTE
echo "Proved: every server of @name@ is a ready node"
