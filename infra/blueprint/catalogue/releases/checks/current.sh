#!/usr/bin/env bash
# Asks the application for its health and its release; changes nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
cd /
echo "app.socket: $(systemctl is-enabled app.socket), $(systemctl is-active app.socket)"
echo "app.service: $(systemctl is-active app.service)"
current=$(basename "$(readlink /srv/app/current)")
health=$(curl --silent --show-error --fail --max-time 10 http://127.0.0.1/health)
echo "current: $current, health: $health"
[[ $health == *'"ok"'* && $health == *"\"$current\""* ]]
user=$(ps --no-headers -o user= --pid "$(systemctl show --property MainPID --value app.service)")
echo "runs as: $user"
[[ $user == app ]]
writable=$(sudo -u app find /srv/app -writable ! -type l)
if [[ -n $writable ]]; then
  echo "the application can write: $writable" >&2
  exit 1
fi
if [[ -e /srv/app/trial ]]; then
  echo "a trial of a release was left behind" >&2
  exit 1
fi
REMOTE
echo "Verified: the current release answers at port 80, is healthy, and cannot change its own files"
