#!/usr/bin/env bash
# Starts and stops the service: control.sh start | stop | restart | status
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
here=$PWD
pid_file=$here/service.pid
log_file=$here/service.log

# A pid is ours only while the process behind it still runs this very file:
# numbers are reused, and the pid file may come from a restored backup.
running_pid() {
  local pid
  [[ -s $pid_file ]] || return 1
  pid=$(<"$pid_file")
  [[ $pid =~ ^[0-9]+$ ]] || return 1
  [[ -r /proc/$pid/cmdline ]] || return 1
  tr '\0' '\n' <"/proc/$pid/cmdline" | grep -qxF "$here/service.py" || return 1
  echo "$pid"
}

start() {
  local pid
  if pid=$(running_pid); then
    echo "already running, pid $pid"
    return
  fi
  : >"$log_file"
  setsid nohup python3 "$here/service.py" >>"$log_file" 2>&1 </dev/null &
  pid=$!
  echo "$pid" >"$pid_file"
  # Up to 15 s: a busy machine may take that long to start an interpreter.
  for _ in {1..150}; do
    if ! kill -0 "$pid" 2>/dev/null; then
      break
    fi
    if grep -q 'listening on' "$log_file"; then
      echo "started, pid $pid: $(tail -n 1 "$log_file")"
      return
    fi
    sleep 0.1
  done
  echo "the service did not start:" >&2
  cat "$log_file" >&2
  kill "$pid" 2>/dev/null || true
  rm -f "$pid_file"
  return 1
}

stop() {
  local pid
  if ! pid=$(running_pid); then
    rm -f "$pid_file"
    echo "not running"
    return
  fi
  kill "$pid" 2>/dev/null || true
  for _ in {1..50}; do
    if ! running_pid >/dev/null; then
      rm -f "$pid_file"
      echo "stopped, pid $pid"
      return
    fi
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
  rm -f "$pid_file"
  echo "killed after 5 s, pid $pid"
}

status() {
  local pid
  if pid=$(running_pid); then
    echo "running, pid $pid"
  else
    echo "not running"
    return 1
  fi
}

case ${1:-} in
  start) start ;;
  stop) stop ;;
  restart)
    stop
    start
    ;;
  status) status ;;
  *)
    echo "usage: $0 start | stop | restart | status" >&2
    exit 2
    ;;
esac
