#!/usr/bin/env bash
# Looks at what a release and the way back need, and counts lost requests; releases nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
held=$(sudo ss --listening --tcp --numeric --processes --no-header 'sport = :80')
echo "port 80: $held"
[[ $held == *'"systemd"'* ]]
queue=$(systemctl show --property Backlog --value app.socket)
echo "connections that can wait: $queue"
((queue >= 1024))
releases=$(sudo release list)
echo "$releases"
grep --quiet --fixed-strings ' (current)' <<<"$releases"
kept=$(grep --count . <<<"$releases")
echo "releases kept: $kept"
# The newest five, the current one and the one before.
((kept <= 7))
if [[ -L /srv/app/before ]]; then
  test -x /srv/app/before/run
  echo "the way back: $(readlink /srv/app/before)"
fi
sudo journalctl --no-pager --identifier release --lines 5 --output short-iso
ask-often 5 http://127.0.0.1/
REMOTE
echo "Verified: systemd holds the socket of the application, its releases are kept, and no request was lost"
