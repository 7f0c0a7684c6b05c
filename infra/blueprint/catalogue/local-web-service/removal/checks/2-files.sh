#!/usr/bin/env bash
# Looks for files of @name@
set -euo pipefail

if [[ -e @name@ ]]; then
  ls -la @name@ >&2
  echo "The folder @name@ is still there. Run step 2 again." >&2
  exit 1
fi
echo "Verified: the folder @name@ is gone"
