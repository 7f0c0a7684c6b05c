#!/usr/bin/env bash
# Configure MariaDB on db2 for the wiki: private address only, user restricted to the subnet 10.0.2.%, password made on the server.
set -euo pipefail

cat > 60-wiki.cnf <<'EOF'
[mariadbd]
bind-address            = 10.0.3.12
skip-name-resolve       = ON
local-infile            = OFF
max_connections         = 120
innodb_buffer_pool_size = 1G
innodb_flush_log_at_trx_commit = 1
slow_query_log          = ON
long_query_time         = 1
character-set-server    = utf8mb4
EOF

scp -q 60-wiki.cnf db2:60-wiki.cnf

ssh db2 'sudo DEBIAN_FRONTEND=noninteractive bash -euo pipefail -s -- "$HOME/60-wiki.cnf"' <<'REMOTE'
cnf=$1
live=/etc/mysql/mariadb.conf.d/60-wiki.cnf
if ! dpkg -s mariadb-server >/dev/null 2>&1; then
  apt-get update -q </dev/null
  apt-get install -y -q mariadb-server </dev/null
fi
systemctl enable --now mariadb

if ! cmp -s "$cnf" "$live"; then
  mariadbd --defaults-file="$cnf" --help --verbose >/dev/null
  install -o root -g root -m 0644 "$cnf" "$live"
  systemctl restart mariadb
fi
rm -f -- "$cnf"

install -d -m 0700 /etc/wiki-db
umask 077
[ -s /etc/wiki-db/password ] || openssl rand -hex 24 > /etc/wiki-db/password
pw=$(cat /etc/wiki-db/password)

# Root logs in by the local socket, no password is involved.
mariadb <<SQL
CREATE DATABASE IF NOT EXISTS wiki CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'wiki'@'10.0.2.%' IDENTIFIED BY '$pw';
ALTER USER 'wiki'@'10.0.2.%' IDENTIFIED BY '$pw' WITH MAX_USER_CONNECTIONS 50;
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, CREATE TEMPORARY TABLES, LOCK TABLES
  ON wiki.* TO 'wiki'@'10.0.2.%';
SQL

ss -Hltn 'sport = :3306' | awk '{print $4}' > /run/wiki-listen
grep -qx '10.0.3.12:3306' /run/wiki-listen
[ "$(wc -l < /run/wiki-listen)" -eq 1 ]
rm -f /run/wiki-listen

anonymous=$(mariadb -NBe "SELECT COUNT(*) FROM mysql.global_priv WHERE User = ''" </dev/null)
if [ "$anonymous" != 0 ]; then
  echo "there are anonymous accounts, ask the owner of db2" >&2
  exit 1
fi
mariadb -e "SHOW GRANTS FOR 'wiki'@'10.0.2.%'" </dev/null | sed 's/IDENTIFIED BY PASSWORD .*/IDENTIFIED BY (hidden)/'
REMOTE
