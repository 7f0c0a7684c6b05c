# No process runs the service
for command in /proc/[0-9]*/cmdline; do
  arguments=$(tr '\0' '\n' 2>/dev/null <"$command" || true)
  if grep --quiet --line-regexp --fixed-strings "$PWD/@name@/service.py" <<<"$arguments"; then
    echo "still running: $command" >&2
    exit 1
  fi
done
echo "Proved: no process runs @name@/service.py"
