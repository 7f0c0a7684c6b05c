#!/usr/bin/env bash
# Removes the folder of @name@, and nothing else
set -euo pipefail

if [[ -d @name@ ]]; then
  find @name@ -type f | sort
  rm -r -- @name@
  echo "Removed."
else
  echo "The folder @name@ was removed already."
fi
