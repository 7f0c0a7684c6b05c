#!/usr/bin/env bash
# Asks for the process and counts those that run the service: it must be one
set -euo pipefail

said=$(./@name@/control.sh status)
echo "$said"
recorded=$(<@name@/service.pid)
if [[ $said != "running, pid $recorded" ]]; then
  echo "the process is not the one in @name@/service.pid" >&2
  exit 1
fi
count=0
for process in /proc/[0-9]*; do
  # A process may end while we look at it.
  if tr '\0' '\n' 2>/dev/null <"$process/cmdline" | grep -qxF "$PWD/@name@/service.py"; then
    count=$((count + 1))
  fi
done
echo "$count process(es) run $PWD/@name@/service.py"
[[ $count == 1 ]]
echo "Verified: process $recorded runs @name@, and it is the only one"
