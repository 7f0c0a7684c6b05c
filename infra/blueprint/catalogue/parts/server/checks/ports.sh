#!/usr/bin/env bash
# Knocks on the server's ports from outside
set -euo pipefail

address=$(ssh -F ssh/config -G @name@ | awk '$1 == "hostname" { print $2 }')
open=(22@open_ports_sh@)
closed=(@closed_ports@)

knock() {
  timeout 4 bash -c "exec 3<>/dev/tcp/$address/$1" 2>/dev/null
}

for port in "${open[@]}"; do
  # A web port may have nothing behind it yet: the firewall lets it through, the server refuses.
  if knock "$port"; then
    echo "port $port: open"
  elif [[ $port == 22 ]]; then
    echo "port 22 does not answer" >&2
    exit 1
  else
    echo "port $port: allowed, and nothing answers yet"
  fi
done
for port in "${closed[@]}"; do
  if knock "$port"; then
    echo "port $port is open to this sandbox, and must not be" >&2
    exit 1
  fi
  echo "port $port: closed"
done
echo "Verified: of the ports tried on $address only those planned (${open[*]}) may answer, ${#closed[@]} others are closed"
