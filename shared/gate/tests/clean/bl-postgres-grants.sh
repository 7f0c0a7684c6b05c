#!/usr/bin/env bash
set -euo pipefail

umask 077
[ -s shop_ro.pw ] || openssl rand -base64 30 | tr -d '/+=\n' > shop_ro.pw
pw=$(< shop_ro.pw)

cat > grants.sql <<'EOF'
\set ON_ERROR_STOP on
SELECT 'CREATE DATABASE shop' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'shop') \gexec
\connect shop
CREATE SCHEMA IF NOT EXISTS sales;
CREATE TABLE IF NOT EXISTS sales.orders (
    id     BIGSERIAL PRIMARY KEY,
    total  NUMERIC(10, 2) NOT NULL CHECK (total >= 0),
    placed TIMESTAMPTZ NOT NULL DEFAULT now()
);
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop_ro') THEN
        CREATE ROLE shop_ro LOGIN;
    END IF;
END
$$;
GRANT USAGE ON SCHEMA sales TO shop_ro;
GRANT SELECT ON ALL TABLES IN SCHEMA sales TO shop_ro;
EOF

ssh server 'sudo -u postgres psql -q' < grants.sql
printf "ALTER ROLE shop_ro PASSWORD '%s';\n" "$pw" | ssh server 'sudo -u postgres psql -q'
ssh server 'sudo -u postgres psql -d shop -tAc "SELECT has_table_privilege('"'shop_ro', 'sales.orders', 'SELECT'"')"' | grep -qx t
