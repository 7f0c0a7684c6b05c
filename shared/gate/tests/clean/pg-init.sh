#!/usr/bin/env bash
# Makes the roles and the schema of the shop
set -euo pipefail
sudo -u postgres psql -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" <<'EOF'
SELECT format('CREATE ROLE shop LOGIN PASSWORD %L', :'password')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop') \gexec
SELECT 'CREATE DATABASE shop OWNER shop'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'shop') \gexec
EOF
sudo -u postgres psql -v ON_ERROR_STOP=1 --dbname shop <<'EOF'
BEGIN;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO shop;
CREATE TABLE IF NOT EXISTS public.orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    placed_at timestamptz NOT NULL DEFAULT now(),
    total_cents integer NOT NULL CHECK (total_cents >= 0)
);
ALTER TABLE public.orders OWNER TO shop;
CREATE INDEX IF NOT EXISTS orders_placed_at ON public.orders (placed_at);
COMMIT;
EOF
sudo -u postgres psql --dbname shop -tAc "SELECT count(*) FROM public.orders" | grep -q '^[0-9]'
