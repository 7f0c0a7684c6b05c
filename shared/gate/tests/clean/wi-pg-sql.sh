#!/usr/bin/env bash
set -euo pipefail

mkdir -p sql && cd sql
cat > schema.sql <<'EOF'
BEGIN;
CREATE TABLE IF NOT EXISTS orders (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  status     text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'paid', 'sent')),
  total      numeric(10, 2) NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE OR REPLACE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  n int := 0;
BEGIN
  IF NEW.status IS DISTINCT FROM OLD.status THEN
    NEW.updated_at := now();
  ELSIF NEW.total < 0 THEN
    RAISE EXCEPTION 'bad total %', NEW.total;
  END IF;
  LOOP
    n := n + 1;
    EXIT WHEN n >= CASE NEW.status WHEN 'new' THEN 1 ELSE 2 END;
  END LOOP;
  RETURN NEW;
END;
$$;
DROP TRIGGER IF EXISTS orders_touch ON orders;
CREATE TRIGGER orders_touch BEFORE UPDATE ON orders
  FOR EACH ROW EXECUTE FUNCTION touch();
COMMIT;
EOF
scp -q schema.sql server:/tmp/schema.sql
ssh server 'runuser -u postgres -- psql -v ON_ERROR_STOP=1 -d shop -f /tmp/schema.sql'
ssh server "runuser -u postgres -- psql -tA -d shop -c \"select to_regclass('orders')\"" | grep -qx orders
