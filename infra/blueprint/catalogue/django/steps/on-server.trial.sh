
# The application comes back after a restart of everything that it is made of.
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
sudo systemctl restart redis-server app-worker app-web
healthy() { curl --silent --fail --max-time 10 --insecure --resolve '@domain@:443:127.0.0.1' 'https://@domain@/health'; }
for ((second = 0; second < 60; second++)); do
  if health=$(healthy); then
    break
  fi
  sleep 1
done
echo "health after $second s: ${health:-none}"
[[ -n ${health:-} ]]
REMOTE
