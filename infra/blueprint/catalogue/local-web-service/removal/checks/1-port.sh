#!/usr/bin/env bash
# Knocks on the port of @name@
set -euo pipefail

if timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/@port@' 2>/dev/null; then
  echo "Something still listens on 127.0.0.1:@port@. Run step 1 again, or see what it is with: ss -ltnp" >&2
  exit 1
fi
echo "Verified: nothing answers on 127.0.0.1:@port@"
