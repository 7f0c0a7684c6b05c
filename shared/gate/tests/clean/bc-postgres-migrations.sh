#!/usr/bin/env bash
# Numbered migrations of the shop's database, each applied once in a transaction of its own; then roles and grants.
set -euo pipefail

: "${DATABASE_PASSWORD:?}"
export PGHOST=${PGHOST:-127.0.0.1} PGUSER=${PGUSER:-shop} PGDATABASE=${PGDATABASE:-shop}
export PGPASSWORD=$DATABASE_PASSWORD

dir=~/workspace/migrations
mkdir -p "$dir"

cat > "$dir/001_products.sql" <<'EOF'
CREATE TABLE products (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sku         text NOT NULL UNIQUE,
    name        text NOT NULL,
    price_cents integer NOT NULL CHECK (price_cents >= 0),
    created_at  timestamptz NOT NULL DEFAULT now()
);
EOF

cat > "$dir/002_orders.sql" <<'EOF'
CREATE TABLE orders (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email      text NOT NULL,
    status     text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'paid', 'sent', 'cancelled')),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE order_lines (
    order_id   bigint NOT NULL REFERENCES orders (id),
    product_id bigint NOT NULL REFERENCES products (id),
    quantity   integer NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (order_id, product_id)
);

CREATE INDEX orders_open ON orders (created_at) WHERE status IN ('new', 'paid');
EOF

cat > "$dir/003_product_stock.sql" <<'EOF'
ALTER TABLE products ADD COLUMN stock integer NOT NULL DEFAULT 0;
ALTER TABLE products ADD CONSTRAINT products_stock_check CHECK (stock >= 0) NOT VALID;
ALTER TABLE products VALIDATE CONSTRAINT products_stock_check;
EOF

run_sql() { psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$@"; }

run_sql -c "SET client_min_messages = warning" -c "CREATE TABLE IF NOT EXISTS schema_migrations (
  version text PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
)"

dump="$dir/before-$(date -u +%Y%m%dT%H%M%SZ).dump"
(umask 077 && pg_dump --format=custom --file="$dump")

for file in "$dir"/[0-9][0-9][0-9]_*.sql; do
  version=$(basename "$file" .sql)
  known=$(run_sql -At --set version="$version" <<< "SELECT count(*) FROM schema_migrations WHERE version = :'version'")
  if [[ $known == 1 ]]; then
    echo "$version is applied already"
    continue
  fi
  {
    echo "SET LOCAL lock_timeout = '5s';"
    cat "$file"
    echo "INSERT INTO schema_migrations (version) VALUES (:'version');"
  } | run_sql --single-transaction --set version="$version" --file=-
  echo "applied $version"
done

# What the reports may read: no addresses of customers.
run_sql --single-transaction <<'EOF'
CREATE OR REPLACE VIEW order_totals AS
SELECT o.id, o.status, o.created_at, sum(l.quantity * p.price_cents) AS total_cents
FROM orders AS o
JOIN order_lines AS l ON l.order_id = o.id
JOIN products AS p ON p.id = l.product_id
GROUP BY o.id;

REVOKE ALL ON order_totals FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
EOF

applied=$(run_sql -At -c 'SELECT count(*) FROM schema_migrations')
expected=$(find "$dir" -name '[0-9][0-9][0-9]_*.sql' | wc -l)
[[ $applied == "$expected" ]] || { echo "applied $applied of $expected" >&2; exit 1; }
run_sql -At -c "SELECT 'ok' FROM information_schema.columns WHERE table_name = 'products' AND column_name = 'stock'" | grep -Fx ok
