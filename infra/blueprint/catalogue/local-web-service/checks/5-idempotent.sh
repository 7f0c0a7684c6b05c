#!/usr/bin/env bash
# Starts the running service again, twice: nothing may change
set -euo pipefail

before=$(cat @name@/service.pid)
for _ in 1 2; do
  said=$(./@name@/control.sh start)
  echo "$said"
  if [[ $said != "already running, pid $before" ]]; then
    echo "a second start was not the same as none" >&2
    exit 1
  fi
done

count=0
for process in /proc/[0-9]*; do
  # A process may end while we look at it.
  if tr '\0' '\n' 2>/dev/null <"$process/cmdline" | grep -qxF "$PWD/@name@/service.py"; then
    count=$((count + 1))
  fi
done
echo "$count process(es) run $PWD/@name@/service.py"
[[ $count == 1 ]]
echo "Verified: two more starts left process $before alone, and it is the only one"
