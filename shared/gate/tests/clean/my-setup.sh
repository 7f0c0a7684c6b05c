#!/usr/bin/env bash
# Makes the database and its user
set -euo pipefail
: "${DATABASE_PASSWORD:?}"
sudo tee /etc/mysql/conf.d/shop.cnf >/dev/null <<'EOF'
[mysqld]
bind-address = 127.0.0.1
max_connections = 150
innodb_buffer_pool_size = 1G
slow_query_log = ON
long_query_time = 1
EOF
sudo systemctl restart mysql
sudo mysql <<EOF
CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'shop'@'localhost' IDENTIFIED BY '$DATABASE_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON shop.* TO 'shop'@'localhost';
EOF
MYSQL_PWD=$DATABASE_PASSWORD mysql --user=shop --batch --execute='SELECT 1' shop >/dev/null
