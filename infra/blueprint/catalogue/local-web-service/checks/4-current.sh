#!/usr/bin/env bash
# Makes sure that the running process has read the files as they are now
set -euo pipefail

./@name@/control.sh status
python3 - <<'PYTHON'
import os, sys, time

# It is written when the process is started, by the same clock as the files.
recorded = "@name@/service.pid"
started = os.stat(recorded).st_mtime_ns
pid = int(open(recorded, encoding="utf-8").read())
print(f"process {pid} was started {time.time() - started / 1e9:.1f} s ago")
for name in ("service.py", "service.json"):
    changed = os.stat(f"@name@/{name}").st_mtime_ns
    print(f"{name} was changed {time.time() - changed / 1e9:.1f} s ago")
    if changed > started:
        sys.exit(f"{name} was changed after the process was started: it does not run what its files say")
PYTHON
echo "Verified: @name@ runs the files as they are, so a restart changes nothing"
