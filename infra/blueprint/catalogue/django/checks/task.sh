#!/usr/bin/env bash
# Has the application add two numbers in its worker
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
health=$(curl --silent --fail --insecure --resolve '@domain@:443:127.0.0.1' 'https://@domain@/health')
echo "health: $health"
for part in status database redis worker; do
  grep --quiet "\"$part\": \"ok\"" <<<"$health" || { echo "$part is not ok" >&2; exit 1; }
done
moved=$(curl --silent --output /dev/null --resolve '@domain@:80:127.0.0.1' --write-out '%{http_code} %{redirect_url}' 'http://@domain@/')
echo "HTTP: $moved"
[[ $moved == '301 https://@domain@/' ]]
further=(@further_ports_sh@)
for port in "${further[@]}"; do
  there=$(curl --silent --fail --insecure --resolve "@domain@:$port:127.0.0.1" "https://@domain@:$port/health")
  echo "health on port $port: $there"
done
for port in 5432 6379; do
  listening=$(ss -ltnH "sport = :$port" | awk '{ print $4 }' | sort -u | paste -sd ' ')
  echo "port $port listens on: $listening"
  [[ $listening =~ ^((127\.0\.0\.1|\[::1\]):$port ?)+$ ]]
done
rights=$(sudo stat --format '%U:%G %a' /etc/app/secret-key)
echo "secret key: $rights"
[[ $rights == 'root:app 640' ]]
REMOTE
echo "Verified: a task went through Django, Redis and the worker, and none of them is open to others"
