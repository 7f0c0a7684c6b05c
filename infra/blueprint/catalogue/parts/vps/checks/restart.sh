#!/usr/bin/env bash
# Asks systemd and Docker whether all that runs would be started with the server; restarts nothing
set -euo pipefail

# If SSH is closed to this sandbox, this check cannot judge the server.
if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py || exit 75
fi

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
by_hand=()
count=0
running=$(systemctl list-units --type=service --state=running --plain --no-legend)
while read -r unit _; do
  # A login of this moment is not a part of the server.
  if [[ -z $unit || $unit == user@* ]]; then
    continue
  fi
  count=$((count + 1))
  # What is wanted at the start, or begins when a socket, a timer or the message bus asks for it.
  starts=$(systemctl show --property WantedBy,RequiredBy,UpheldBy,TriggeredBy,BusName --value "$unit")
  if [[ -z ${starts//[[:space:]]/} ]]; then
    by_hand+=("$unit")
  fi
done <<<"$running"
echo "services that run: $count"
systemctl is-enabled ufw
grep --line-regexp 'ENABLED=yes' /etc/ufw/ufw.conf
if command -v docker >/dev/null; then
  containers=$(sudo docker ps --quiet)
  while read -r container; do
    if [[ -z $container ]]; then
      continue
    fi
    policy=$(sudo docker inspect --format '{{.Name}} {{.HostConfig.RestartPolicy.Name}}' "$container")
    echo "container $policy"
    case ${policy##* } in
      always | unless-stopped) ;;
      *) by_hand+=("the container ${policy% *}") ;;
    esac
  done <<<"$containers"
fi
if ((${#by_hand[@]})); then
  echo "nothing starts these with the server: ${by_hand[*]}" >&2
  exit 1
fi
REMOTE
echo "Verified: each service and container that runs on @name@ starts with it, and so does its firewall"
