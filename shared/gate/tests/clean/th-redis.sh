#!/usr/bin/env bash
set -euo pipefail
# Redis as a local cache with a password, a memory limit and a tuned unit.
apt-get update
apt-get install -y --no-install-recommends redis-server logrotate

install -d -m 0750 -o root -g redis /etc/redis/conf.d
if [ ! -s /etc/redis/password ]; then
  ( umask 077; openssl rand -hex 32 > /etc/redis/password )
fi
password="$(cat /etc/redis/password)"

( umask 027
  cat > /etc/redis/conf.d/site.conf <<EOF
bind 127.0.0.1 -::1
port 6379
protected-mode yes
requirepass ${password}
maxmemory 256mb
maxmemory-policy allkeys-lru
appendonly yes
appendfsync everysec
save 900 1
EOF
)
chown root:redis /etc/redis/conf.d/site.conf
grep -qxF 'include /etc/redis/conf.d/site.conf' /etc/redis/redis.conf \
  || echo 'include /etc/redis/conf.d/site.conf' >> /etc/redis/redis.conf

install -d /etc/systemd/system/redis-server.service.d
cat > /etc/systemd/system/redis-server.service.d/override.conf <<'EOF'
[Service]
LimitNOFILE=65536
MemoryMax=512M
Restart=always
RestartSec=2s
OOMScoreAdjust=-500
EOF

cat > /etc/sysctl.d/70-redis.conf <<'EOF'
vm.overcommit_memory = 1
EOF
sysctl -p /etc/sysctl.d/70-redis.conf

cat > /etc/logrotate.d/redis-site <<'EOF'
/var/log/redis/site-*.log {
    weekly
    rotate 8
    compress
    delaycompress
    missingok
    notifempty
    maxsize 20M
}
EOF
logrotate --debug /etc/logrotate.d/redis-site

cat > /etc/cron.d/redis-size <<'EOF'
SHELL=/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
*/15 * * * * root du -sm /var/lib/redis | logger -t redis-size
EOF
chmod 0644 /etc/cron.d/redis-size

systemctl daemon-reload
systemctl enable redis-server
systemctl restart redis-server

export REDISCLI_AUTH="$password"
redis-cli --no-auth-warning ping | grep -qx PONG
redis-cli CONFIG GET maxmemory-policy | grep -qx allkeys-lru
redis-cli SET gate:check ok EX 30 > /dev/null
[ "$(redis-cli GET gate:check)" = ok ]
! ss -ltnH 'sport = :6379' | awk '{print $4}' | grep -qE '^(0\.0\.0\.0|\*|\[::\]):' || exit 1
