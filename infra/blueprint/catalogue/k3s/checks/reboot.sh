#!/usr/bin/env bash
# Asks whether the cluster starts with its first server and has come up since that last started; restarts nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
systemctl is-enabled k3s
systemctl is-active k3s
echo "the server runs since $(uptime --since), k3s since $(systemctl show --property ActiveEnterTimestamp --value k3s)"
sudo k3s kubectl wait --for=condition=Ready node --all --timeout=10s
sudo k3s kubectl --namespace hello rollout status deployment/hello --timeout=10s
REMOTE
echo "Verified: k3s starts with the first server, every node is ready and the workload runs"
