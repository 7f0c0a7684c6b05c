#!/usr/bin/env bash
# Starts @name@; a running one is restarted so that it reads what step 1 wrote
set -euo pipefail

./@name@/control.sh restart
first=$(<@name@/service.pid)
said=$(./@name@/control.sh start)
echo "$said"
if [[ $said != "already running, pid $first" ]]; then
  echo "a second start was not the same as none" >&2
  exit 1
fi
./@name@/control.sh restart
if [[ $(<@name@/service.pid) == "$first" ]]; then
  echo "after a restart the process is still $first" >&2
  exit 1
fi
./@name@/control.sh status
