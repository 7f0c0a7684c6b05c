#!/usr/bin/env bash
# MariaDB and Redis for one application on the same Debian server.
set -euo pipefail

: "${FORUM_DB_PASSWORD:?set FORUM_DB_PASSWORD}"
: "${REDIS_PASSWORD:?set REDIS_PASSWORD}"
case "$FORUM_DB_PASSWORD$REDIS_PASSWORD" in
  *[!A-Za-z0-9]*) echo "passwords must be letters and digits" >&2; exit 1 ;;
esac

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends mariadb-server redis-server

cat > /etc/mysql/mariadb.conf.d/70-forum.cnf <<'EOF'
[mysqld]
bind-address = 127.0.0.1
character-set-server = utf8mb4
collation-server = utf8mb4_unicode_ci
innodb_buffer_pool_size = 1G
innodb_flush_log_at_trx_commit = 1
innodb_file_per_table = 1
max_connections = 200
max_allowed_packet = 64M
slow_query_log = 1
slow_query_log_file = /var/log/forum-db/slow.log
long_query_time = 1
log_bin = /var/log/mysql/mysql-bin
server_id = 1
expire_logs_days = 7
EOF
install -d -o mysql -g adm -m 0750 /var/log/forum-db

cat > /etc/redis/forum.conf <<EOF
bind 127.0.0.1 -::1
protected-mode yes
port 6379
requirepass $REDIS_PASSWORD
maxmemory 512mb
maxmemory-policy allkeys-lru
appendonly yes
appendfsync everysec
save 900 1
tcp-keepalive 300
EOF
chown root:redis /etc/redis/forum.conf
chmod 0640 /etc/redis/forum.conf
if ! grep -qxF 'include /etc/redis/forum.conf' /etc/redis/redis.conf; then
  echo 'include /etc/redis/forum.conf' >> /etc/redis/redis.conf
fi

systemctl enable mariadb redis-server
systemctl restart mariadb redis-server

mariadb <<EOF
CREATE DATABASE IF NOT EXISTS forum CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'forum'@'localhost';
ALTER USER 'forum'@'localhost' IDENTIFIED BY '$FORUM_DB_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP ON forum.* TO 'forum'@'localhost';
DELETE FROM mysql.global_priv WHERE User = '';
FLUSH PRIVILEGES;
EOF

cat > /etc/logrotate.d/forum-slow <<'EOF'
/var/log/forum-db/slow.log {
    weekly
    rotate 8
    missingok
    notifempty
    compress
    delaycompress
    create 0640 mysql adm
    postrotate
        /usr/bin/mariadb-admin flush-logs
    endscript
}
EOF
logrotate --debug /etc/logrotate.d/forum-slow

MYSQL_PWD="$FORUM_DB_PASSWORD" mariadb --user=forum --database=forum --execute='SELECT 1'
pong=$(REDISCLI_AUTH="$REDIS_PASSWORD" redis-cli -h 127.0.0.1 ping)
if [ "$pong" != "PONG" ]; then
  echo "redis answered: $pong" >&2
  exit 1
fi
