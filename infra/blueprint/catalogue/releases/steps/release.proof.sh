# The release of app/ is current and healthy
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
current=$(basename "$(readlink /srv/app/current)")
health=$(curl --silent --show-error --fail --max-time 10 http://127.0.0.1/health)
echo "current: $current, health: $health"
[[ $health == *"\"$current\""* ]]
systemctl is-active app.socket app.service
REMOTE
echo "Proved: the current release of @name@ answers"
