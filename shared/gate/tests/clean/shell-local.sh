#!/usr/bin/env bash
# Starts the local service in the background, detached, and waits for it
set -euo pipefail
cd ~/workspace
mkdir -p run
cat > run/server.py <<'EOF'
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

ThreadingHTTPServer(("127.0.0.1", 8000), SimpleHTTPRequestHandler).serve_forever()
EOF
if ! { [ -f run/pid ] && kill -0 "$(<run/pid)" 2>/dev/null; }; then
  setsid nohup python3 run/server.py </dev/null >run/log 2>&1 &
  echo $! > run/pid
fi
n=0
until curl --silent --fail --output /dev/null http://127.0.0.1:8000/; do
  n=$((n + 1))
  if [ "$n" -ge 20 ]; then
    tail -n 20 run/log >&2
    exit 1
  fi
  sleep 0.5
done
echo "It answers"
