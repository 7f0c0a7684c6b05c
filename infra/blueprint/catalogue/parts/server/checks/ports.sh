#!/usr/bin/env bash
# Knocks on the server's ports from outside
set -euo pipefail

address=$(ssh -F ssh/config -G @name@ | awk '$1 == "hostname" { print $2 }')
open=(22@open_ports_sh@)
closed=(@closed_ports@)

# Says open, refused (the firewall let it through, and nothing answers) or silent (the firewall took it).
knock() {
  local code=0
  timeout 4 bash -c "exec 3<>/dev/tcp/$address/$1" 2>/dev/null || code=$?
  case $code in
    0) echo open ;;
    124) echo silent ;;
    *) echo refused ;;
  esac
}

# All at the same time: a port that stays silent takes four seconds.
knocked=$(
  for port in "${open[@]}" "${closed[@]}"; do
    echo "$port $(knock "$port")" &
  done
  wait
)
declare -A answers
while read -r port answer; do
  answers[$port]=$answer
done <<<"$knocked"

for port in "${open[@]}"; do
  answer=${answers[$port]}
  case $port:$answer in
    *:open) echo "port $port: open" ;;
    22:*)
      echo "port 22 does not answer" >&2
      exit 1
      ;;
    *:refused) echo "port $port: let through, and nothing answers yet" ;;
    *)
      echo "port $port is planned to be open, and the firewall takes it" >&2
      exit 1
      ;;
  esac
done
for port in "${closed[@]}"; do
  answer=${answers[$port]}
  if [[ $answer == open ]]; then
    echo "port $port is open to this sandbox, and must not be" >&2
    exit 1
  elif [[ $answer == refused ]]; then
    echo "port $port is let through by the firewall, and must not be, though nothing answers" >&2
    exit 1
  fi
  echo "port $port: closed"
done
echo "Verified: of the ports tried on $address only those planned (${open[*]}) may answer, ${#closed[@]} others are closed"
