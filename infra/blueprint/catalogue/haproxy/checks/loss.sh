#!/usr/bin/env bash
# Asks for pages all the time and counts lost requests; restarts nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
echo "haproxy: $(systemctl is-enabled haproxy), $(systemctl is-active haproxy)"
settings=$(sudo cat /etc/haproxy/haproxy.cfg)
for setting in 'option redispatch 1' 'retry-on conn-failure empty-response' 'http-request disable-l7-retry if !METH_GET' \
  'default-server check inter 1s fall 2 rise 2'; do
  grep --quiet --fixed-strings "$setting" <<<"$settings" || { echo "HAProxy lacks: $setting" >&2; exit 1; }
  echo "haproxy: $setting"
done
ask-often 5 http://127.0.0.1/
sudo app-servers list
REMOTE
echo "Verified: no request was lost at the balancer, and its settings let an application server go"
