#!/usr/bin/env bash
# Restarts the first server and waits for the cluster
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
systemctl is-enabled k3s
cp /proc/sys/kernel/random/boot_id .boot-before
sudo systemd-run --on-active=2 systemctl reboot
REMOTE
attempts=60
for ((attempt = 1; ; attempt++)); do
  sleep 5
  if ssh -F ssh/config @name@ 'bash -s' 2>/dev/null <<'REMOTE'; then
set -euo pipefail
! cmp --silent /proc/sys/kernel/random/boot_id .boot-before
REMOTE
    break
  fi
  if ((attempt == attempts)); then
    echo "the server does not come back" >&2
    exit 1
  fi
done
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
rm -f .boot-before
for ((attempt = 1; ; attempt++)); do
  if sudo k3s kubectl wait --for=condition=Ready node --all --timeout=10s; then
    break
  fi
  if ((attempt == 18)); then
    echo "the nodes are not ready again" >&2
    exit 1
  fi
  sleep 10
done
sudo k3s kubectl --namespace hello rollout status deployment/hello --timeout=180s
REMOTE
echo "Verified: after a restart of the first server every node is ready and the workload runs"
