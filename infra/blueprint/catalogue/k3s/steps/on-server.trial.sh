
# The cluster comes back after a restart of the server.
before=$(ssh -F ssh/config @name@ cat /proc/sys/kernel/random/boot_id)
ssh -F ssh/config @name@ sudo systemd-run --on-active=2 systemctl reboot
attempts=60
for ((attempt = 1; ; attempt++)); do
  sleep 5
  if now=$(ssh -F ssh/config @name@ cat /proc/sys/kernel/random/boot_id 2>/dev/null) && [[ $now != "$before" ]]; then
    break
  fi
  if ((attempt == attempts)); then
    echo "the server does not come back" >&2
    exit 1
  fi
done
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
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
