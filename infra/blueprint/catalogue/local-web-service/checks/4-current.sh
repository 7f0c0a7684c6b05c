#!/usr/bin/env bash
# Makes sure that the running process has read the files as they are now
set -euo pipefail

./@name@/control.sh status
python3 - <<'PYTHON'
import os, sys, time

pid = int(open("@name@/service.pid", encoding="utf-8").read())
# The name in parentheses may hold spaces; the start is the 20th field after it, in ticks since the machine started.
ticks = int(open(f"/proc/{pid}/stat", encoding="utf-8").read().rpartition(")")[2].split()[19])
up = float(open("/proc/uptime", encoding="utf-8").read().split()[0])
started = time.time() - up + ticks / os.sysconf("SC_CLK_TCK")
print(f"process {pid} was started {time.time() - started:.0f} s ago")
for name in ("service.py", "service.json"):
    changed = os.stat(f"@name@/{name}").st_mtime
    print(f"{name} was changed {time.time() - changed:.0f} s ago")
    # A clock that is set while the machine runs may be off by a little.
    if changed > started + 1:
        sys.exit(f"{name} was changed after the process was started: it runs something else than its files say")
PYTHON
echo "Verified: @name@ runs the files as they are, so a restart changes nothing"
