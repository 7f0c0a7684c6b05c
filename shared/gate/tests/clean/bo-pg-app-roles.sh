#!/usr/bin/env bash
# Create the shop database with owner, application and read-only roles on db1; passwords are generated on db1 and kept in /etc/shop-db (root only).
set -euo pipefail

cat > roles.sql <<'EOF'
\set ON_ERROR_STOP on
SELECT 'CREATE ROLE shop_owner NOLOGIN'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop_owner') \gexec
SELECT 'CREATE ROLE shop_app LOGIN CONNECTION LIMIT 60'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop_app') \gexec
SELECT 'CREATE ROLE shop_report LOGIN CONNECTION LIMIT 5'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop_report') \gexec

SELECT 'CREATE DATABASE shop OWNER shop_owner ENCODING ''UTF8'' TEMPLATE template0'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'shop') \gexec

ALTER ROLE shop_report SET default_transaction_read_only = on;
ALTER ROLE shop_report SET statement_timeout = '60s';

REVOKE ALL ON DATABASE shop FROM PUBLIC;
GRANT CONNECT ON DATABASE shop TO shop_app, shop_report;

\connect shop
CREATE SCHEMA IF NOT EXISTS shop AUTHORIZATION shop_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA shop TO shop_app, shop_report;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA shop TO shop_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA shop TO shop_app;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO shop_report;
ALTER DEFAULT PRIVILEGES FOR ROLE shop_owner IN SCHEMA shop
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO shop_app;
ALTER DEFAULT PRIVILEGES FOR ROLE shop_owner IN SCHEMA shop
  GRANT USAGE, SELECT ON SEQUENCES TO shop_app;
ALTER DEFAULT PRIVILEGES FOR ROLE shop_owner IN SCHEMA shop
  GRANT SELECT ON TABLES TO shop_report;
EOF

ssh db1 'cd / && sudo -u postgres psql -X -q -d postgres' < roles.sql

ssh db1 'sudo bash -euo pipefail -s' <<'REMOTE'
cd /
install -d -o root -g root -m 0700 /etc/shop-db
umask 077
for role in shop_app shop_report; do
  f=/etc/shop-db/$role.password
  if [ ! -s "$f" ]; then
    openssl rand -hex 24 > "$f"
  fi
  # By standard input, so that the password is in no process list and no log.
  printf "SET log_statement = 'none';\nALTER ROLE %s PASSWORD '%s';\n" "$role" "$(cat "$f")" \
    | sudo -u postgres psql -X -q -v ON_ERROR_STOP=1 -d postgres
done

PGPASSWORD=$(cat /etc/shop-db/shop_app.password) \
  psql -X -h 127.0.0.1 -U shop_app -d shop -Atc 'select current_user' </dev/null | grep -x shop_app
if PGPASSWORD=$(cat /etc/shop-db/shop_report.password) \
  psql -X -h 127.0.0.1 -U shop_report -d shop -c 'create table shop.must_not_work (i int)' </dev/null 2>/dev/null; then
  echo "shop_report can write" >&2
  exit 1
fi
REMOTE
