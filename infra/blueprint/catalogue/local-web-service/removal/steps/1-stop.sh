#!/usr/bin/env bash
# Stops @name@; removes nothing
set -euo pipefail

if [[ -x @name@/control.sh ]]; then
  ./@name@/control.sh stop
else
  echo "There is no @name@/control.sh: the service was removed already."
fi
