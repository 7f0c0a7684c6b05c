#!/usr/bin/env bash
# Configure Redis on cache1 with an ACL file (default user off), bound to loopback and the private address 10.0.2.50; passwords are generated on cache1.
set -euo pipefail

cat > shop-redis.conf <<'EOF'
bind 127.0.0.1 10.0.2.50
protected-mode yes
port 6379
maxmemory 512mb
maxmemory-policy allkeys-lru
aclfile /etc/redis/users.acl
EOF

scp -q shop-redis.conf cache1:shop-redis.conf

ssh cache1 'sudo DEBIAN_FRONTEND=noninteractive bash -euo pipefail -s -- "$HOME/shop-redis.conf"' <<'REMOTE'
conf=$1
if ! dpkg -s redis-server >/dev/null 2>&1; then
  apt-get update -q </dev/null
  apt-get install -y -q redis-server </dev/null
fi

install -d -m 0700 /etc/shop-redis
( umask 077
  for u in app admin; do
    [ -s "/etc/shop-redis/$u.password" ] || openssl rand -hex 32 > "/etc/shop-redis/$u.password"
  done )

sha() { tr -d '\n' < "/etc/shop-redis/$1.password" | sha256sum | cut -d' ' -f1; }

new_acl=$(mktemp)
trap 'rm -f -- "$new_acl" "$conf"' EXIT
{
  echo "user default off resetchannels -@all"
  echo "user app on resetchannels #$(sha app) ~shop:* &shop:* +@all -@admin -@dangerous +info"
  echo "user admin on #$(sha admin) ~* &* +@all"
} > "$new_acl"

restart=0
if ! cmp -s "$new_acl" /etc/redis/users.acl; then
  install -o redis -g redis -m 0640 "$new_acl" /etc/redis/users.acl
  restart=1
fi
if ! cmp -s "$conf" /etc/redis/shop.conf; then
  install -o redis -g redis -m 0640 "$conf" /etc/redis/shop.conf
  restart=1
fi
# The last value wins, so our file is included at the end.
if ! grep -qx 'include /etc/redis/shop.conf' /etc/redis/redis.conf; then
  printf '\ninclude /etc/redis/shop.conf\n' >> /etc/redis/redis.conf
  restart=1
fi

systemctl enable --now redis-server
if [ "$restart" = 1 ]; then
  systemctl restart redis-server
fi

for _ in 1 2 3 4 5; do
  pong=$(REDISCLI_AUTH=$(cat /etc/shop-redis/app.password) redis-cli --user app ping </dev/null 2>/dev/null || true)
  [ "$pong" = PONG ] && break
  sleep 1
done
[ "$pong" = PONG ]
# Without a login nothing may work.
denied=$(redis-cli get shop:x </dev/null 2>&1 || true)
grep -q NOAUTH <<<"$denied"
REMOTE
