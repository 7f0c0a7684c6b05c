#!/usr/bin/env bash
# Asks Kubernetes for its nodes and pods; changes nothing
set -euo pipefail

# If SSH is closed to this sandbox, this check cannot judge the server.
if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py || exit 75
fi

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
nodes=$(sudo k3s kubectl get nodes --no-headers)
echo "$nodes"
good=$(awk '$2 == "Ready" && $5 == "v@version_k3s@" { n++ } END { print n + 0 }' <<<"$nodes")
if ((good != @servers@)); then
  echo "$good nodes are ready and of v@version_k3s@, and @servers@ are planned" >&2
  exit 1
fi
pods=$(sudo k3s kubectl get pods --all-namespaces --no-headers)
echo "$pods"
[[ -n $pods ]]
bad=$(awk '$4 != "Running" && $4 != "Completed"' <<<"$pods")
if [[ -n $bad ]]; then
  echo "these pods do not run: $bad" >&2
  exit 1
fi
REMOTE
echo "Verified: all @servers@ servers are ready nodes of k3s v@version_k3s@, and every pod runs"
