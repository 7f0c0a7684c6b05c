#!/usr/bin/env bash
# Python shop: virtual environment from a locked file with hashes, gunicorn by socket activation, nginx in front.
set -euo pipefail

: "${SHOP_DOMAIN:?its certificate is on the server already}"
[[ $SHOP_DOMAIN =~ ^[a-z0-9.-]+$ ]]
src=~/workspace/shop-py
[[ -f $src/requirements.lock && -f $src/pyproject.toml ]]
# Every requirement needs a version and a hash.
grep -q -- '--hash=sha256:' "$src/requirements.lock"

rev=$(git -C "$src" rev-parse --short=12 HEAD)
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
git -C "$src" archive --format=tar.gz --output="$files/src.tar.gz" HEAD

cat > "$files/shop.socket" <<'EOF'
[Unit]
Description=Socket of the shop

[Socket]
ListenStream=/run/shop.sock
SocketUser=www-data
SocketMode=0600

[Install]
WantedBy=sockets.target
EOF

cat > "$files/shop.service" <<'EOF'
[Unit]
Description=Python shop
Requires=shop.socket
After=network.target

[Service]
Type=notify
NotifyAccess=main
User=shop
Group=shop
WorkingDirectory=/srv/shop-py/current
EnvironmentFile=/etc/shop-py/env
ExecStart=/srv/shop-py/current/.venv/bin/gunicorn --workers 4 --max-requests 2000 --max-requests-jitter 200 shop.wsgi:application
ExecReload=/bin/kill -s HUP $MAINPID
KillMode=mixed
TimeoutStopSec=20
Restart=on-failure
PrivateTmp=yes
ProtectSystem=strict
ProtectHome=yes
NoNewPrivileges=yes
StateDirectory=shop-py

[Install]
WantedBy=multi-user.target
EOF

cat > "$files/nginx.conf" <<EOF
upstream shop_py {
    server unix:/run/shop.sock fail_timeout=0;
}
server {
    listen 80;
    listen [::]:80;
    server_name $SHOP_DOMAIN;
    return 301 https://\$host\$request_uri;
}
server {
    listen 443 ssl;
    listen [::]:443 ssl;
    server_name $SHOP_DOMAIN;
    client_max_body_size 4m;
    ssl_certificate /etc/letsencrypt/live/$SHOP_DOMAIN/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/$SHOP_DOMAIN/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;

    location / {
        proxy_pass http://shop_py;
        proxy_redirect off;
        proxy_set_header Host \$host;
        proxy_set_header X-Forwarded-For \$remote_addr;
        proxy_set_header X-Forwarded-Proto \$scheme;
    }
}
EOF

tar -C "$files" -cf - . | ssh server 'rm -rf shop-py-in && mkdir -m 0700 shop-py-in && tar -x -C shop-py-in'
# shellcheck disable=SC2029 # both are checked above
ssh server "sudo bash -euo pipefail -s -- $rev $SHOP_DOMAIN" <<'EOF'
rev=$1 domain=$2 in=$PWD/shop-py-in
trap 'rm -rf "$in"' EXIT
[[ -s /etc/letsencrypt/live/$domain/fullchain.pem ]] || { echo "no certificate for $domain" >&2; exit 1; }

id shop > /dev/null 2>&1 || useradd --system --home-dir /var/lib/shop-py --shell /usr/sbin/nologin shop
install -d -m 0755 /srv/shop-py
install -d -m 0750 /etc/shop-py
if [[ ! -s /etc/shop-py/env ]]; then
  (umask 077; printf 'SECRET_KEY=%s\n' "$(openssl rand -hex 32)" > /etc/shop-py/env)
fi

# A virtual environment knows its own path, so that it is made where it stays. The mark says that it is complete.
release=/srv/shop-py/$rev
if [[ ! -f $release/.complete ]]; then
  rm -rf "$release"
  install -d -m 0755 "$release"
  tar -xzf "$in/src.tar.gz" -C "$release" --no-same-owner
  python3 -m venv "$release/.venv"
  "$release/.venv/bin/pip" install --quiet --no-input --require-hashes --only-binary :all: -r "$release/requirements.lock" < /dev/null
  "$release/.venv/bin/python" -m compileall -q "$release/shop"
  touch "$release/.complete"
fi

changed=0
put() { # SOURCE TARGET
  cmp -s "$1" "$2" && return 0
  install -o root -g root -m 0644 "$1" "$2"
  changed=1
}
before=$(readlink -e /srv/shop-py/current || true)
if [[ $before != "$release" ]]; then
  ln -sfn "$release" /srv/shop-py/.next
  mv -fT /srv/shop-py/.next /srv/shop-py/current
  changed=1
fi
put "$in/shop.socket" /etc/systemd/system/shop.socket
put "$in/shop.service" /etc/systemd/system/shop.service
if (( changed )); then
  systemd-analyze verify /etc/systemd/system/shop.socket /etc/systemd/system/shop.service
  systemctl daemon-reload
  systemctl enable shop.socket shop.service
  systemctl start shop.socket
  # The socket stays open in between: requests wait and are not refused.
  systemctl restart shop.service
fi

ask() { runuser -u www-data -- curl -fsS -o /dev/null --retry 5 --retry-delay 1 --retry-all-errors --unix-socket /run/shop.sock -H "Host: $domain" http://localhost/healthz; }
if ! ask; then
  journalctl -u shop.service -n 40 --no-pager >&2
  if [[ -n $before && $before != "$release" ]]; then
    ln -sfn "$before" /srv/shop-py/.next
    mv -fT /srv/shop-py/.next /srv/shop-py/current
    systemctl restart shop.service
  fi
  exit 1
fi

put "$in/nginx.conf" /etc/nginx/conf.d/shop-py.conf
nginx -t
systemctl enable --now nginx
systemctl reload nginx
EOF
curl -fsS -o /dev/null "https://$SHOP_DOMAIN/healthz"
