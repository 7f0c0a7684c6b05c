#!/usr/bin/env bash
# Two instances of the Java shop behind HAProxy, replaced one after the other.
set -euo pipefail

: "${SHOP_DOMAIN:?the name in the certificate}"
: "${ARTIFACT_URL:?https address of the jar}" "${ARTIFACT_SHA256:?its checksum}"
[[ $ARTIFACT_URL == https://* && $ARTIFACT_SHA256 =~ ^[0-9a-f]{64}$ ]]

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
curl -fsSL --proto '=https' -o "$work/shop.jar" "$ARTIFACT_URL"
sha256sum --check --strict <<< "$ARTIFACT_SHA256  $work/shop.jar"

cat > "$work/shop@.service" <<'EOF'
[Unit]
Description=Shop instance on port %i
After=network-online.target
Wants=network-online.target

[Service]
User=shop
Group=shop
Environment=SERVER_ADDRESS=127.0.0.1 SERVER_PORT=%i
Environment="JAVA_TOOL_OPTIONS=-XX:MaxRAMPercentage=40 -XX:+ExitOnOutOfMemoryError"
ExecStart=/usr/bin/java -jar /opt/shop/shop.jar
SuccessExitStatus=143
Restart=on-failure
RestartSec=5
TimeoutStopSec=40
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=full
ProtectHome=yes

[Install]
WantedBy=multi-user.target
EOF

cat > "$work/haproxy.cfg" <<'EOF'
global
    log /dev/log local0
    user haproxy
    group haproxy
    maxconn 4000
    stats socket /run/haproxy/admin.sock mode 660 level admin
    ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets

defaults
    mode http
    log global
    option httplog
    option forwardfor
    timeout connect 5s
    timeout client 30s
    timeout server 30s
    timeout http-request 10s

frontend web
    bind :80
    bind :443 ssl crt /etc/haproxy/certs/ alpn h2,http/1.1
    http-request redirect scheme https code 301 unless { ssl_fc }
    http-request deny deny_status 404 if { path_beg /actuator }
    http-request set-header X-Forwarded-Proto https
    http-response set-header Strict-Transport-Security "max-age=31536000"
    default_backend shop

backend shop
    balance leastconn
    option httpchk GET /actuator/health
    http-check expect status 200
    default-server check inter 2s fall 2 rise 2
    server a 127.0.0.1:8081
    server b 127.0.0.1:8082
EOF

tar -C "$work" -cf - . | ssh server 'rm -rf shop-in && mkdir -m 0700 shop-in && tar -x -C shop-in'
# shellcheck disable=SC2029 # expanded here on purpose, quoted by printf %q
ssh server "sudo bash -euo pipefail -s -- $(printf '%q' "$SHOP_DOMAIN")" <<'EOF'
domain=$1 in=$PWD/shop-in
trap 'rm -rf "$in"' EXIT
live=/etc/letsencrypt/live/$domain
[[ -s $live/fullchain.pem && -s $live/privkey.pem ]] || { echo "no certificate in $live" >&2; exit 1; }

id shop > /dev/null 2>&1 || useradd --system --home-dir /opt/shop --shell /usr/sbin/nologin shop
install -d -m 0755 /opt/shop
install -d -m 0700 /etc/haproxy/certs
pem=/etc/haproxy/certs/$domain.pem
(umask 077; cat "$live/fullchain.pem" "$live/privkey.pem" > "$in/pair.pem")
cmp -s "$in/pair.pem" "$pem" || install -m 0600 "$in/pair.pem" "$pem"

cat > "$in/hook" <<HOOK
#!/bin/sh
set -eu
umask 077
cat "$live/fullchain.pem" "$live/privkey.pem" > "$pem.new"
mv -f "$pem.new" "$pem"
systemctl reload haproxy
HOOK
install -d -m 0755 /etc/letsencrypt/renewal-hooks/deploy
install -m 0755 "$in/hook" /etc/letsencrypt/renewal-hooks/deploy/haproxy-shop

fresh=0
if ! cmp -s "$in/shop.jar" /opt/shop/shop.jar; then
  [[ ! -f /opt/shop/shop.jar ]] || cp -p /opt/shop/shop.jar /opt/shop/shop.jar.previous
  install -m 0644 "$in/shop.jar" /opt/shop/shop.jar.new
  mv -f /opt/shop/shop.jar.new /opt/shop/shop.jar
  fresh=1
fi
if ! cmp -s "$in/shop@.service" /etc/systemd/system/shop@.service; then
  install -m 0644 "$in/shop@.service" /etc/systemd/system/shop@.service
  systemctl daemon-reload
  fresh=1
fi

up() { curl -fsS -o /dev/null --retry 40 --retry-delay 2 --retry-connrefused --retry-all-errors "http://127.0.0.1:$1/actuator/health"; }
for port in 8081 8082; do
  systemctl enable "shop@$port.service"
  if (( fresh )); then systemctl restart "shop@$port.service"; else systemctl start "shop@$port.service"; fi
  if ! up "$port"; then
    if (( fresh )) && [[ -f /opt/shop/shop.jar.previous ]]; then
      cp -p /opt/shop/shop.jar.previous /opt/shop/shop.jar
      systemctl restart shop@8081.service shop@8082.service
    fi
    exit 1
  fi
done

haproxy -c -f "$in/haproxy.cfg"
cmp -s "$in/haproxy.cfg" /etc/haproxy/haproxy.cfg || install -m 0644 "$in/haproxy.cfg" /etc/haproxy/haproxy.cfg
systemctl enable --now haproxy
systemctl reload haproxy
EOF
[[ $(curl -sS -o /dev/null -w '%{http_code}' "https://$SHOP_DOMAIN/actuator/health") == 404 ]]
