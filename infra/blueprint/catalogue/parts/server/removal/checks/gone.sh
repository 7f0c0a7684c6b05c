#!/usr/bin/env bash
# Knocks where the server was
set -euo pipefail

if [[ ! -s ssh/removed-server ]]; then
  echo "Verified: the server had no address that is known here, so nothing can be reached at it"
  exit 0
fi
place=$(<ssh/removed-server)
if timeout 20 ssh -i ssh/@name@_ed25519 -o IdentitiesOnly=yes -o BatchMode=yes -o ConnectTimeout=8 \
  -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "$place" true 2>/dev/null; then
  echo "The server at ${place#*@} still lets this project's key in. Run steps 1 and 2 again." >&2
  exit 1
fi
echo "Verified: at ${place#*@} nothing lets this project's key in"
