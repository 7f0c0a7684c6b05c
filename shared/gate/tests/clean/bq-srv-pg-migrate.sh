#!/usr/bin/env bash
# Applies db/migrations/NNNN_name.sql in order, each in its own transaction with its entry in schema_migrations.
set -euo pipefail

: "${PGHOST:?}" "${PGUSER:?}" "${PGDATABASE:?}" "${PGPASSFILE:?a .pgpass file with mode 600}"
export PGHOST PGUSER PGDATABASE PGPASSFILE PGSSLMODE=${PGSSLMODE:-verify-full} PGOPTIONS='-c lock_timeout=5s'

cd ~/workspace/shop
mkdir -p db/migrations backups
chmod 0700 backups

if [[ ! -f db/migrations/0007_order_currency.sql ]]; then
  cat > db/migrations/0007_order_currency.sql <<'EOF'
-- Expand only: the old release keeps working while the new one is rolled out.
ALTER TABLE orders ADD COLUMN IF NOT EXISTS currency char(3) NOT NULL DEFAULT 'EUR';
ALTER TABLE orders
  ADD CONSTRAINT orders_currency_upper CHECK (currency = upper(currency)) NOT VALID;
EOF
fi
if [[ ! -f db/migrations/0008_order_currency_validate.sql ]]; then
  cat > db/migrations/0008_order_currency_validate.sql <<'EOF'
-- Takes no lock that would stop writers.
ALTER TABLE orders VALIDATE CONSTRAINT orders_currency_upper;
EOF
fi

sql() { psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 "$@"; }

sql <<'EOF'
SET client_min_messages = warning;
CREATE TABLE IF NOT EXISTS schema_migrations (
  version    text PRIMARY KEY,
  checksum   text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);
EOF

declare -A applied=()
while IFS='|' read -r version checksum; do
  applied[$version]=$checksum
done < <(sql -At -F '|' -c 'SELECT version, checksum FROM schema_migrations ORDER BY version')

pending=()
for file in db/migrations/[0-9][0-9][0-9][0-9]_*.sql; do
  version=$(basename "$file" .sql)
  checksum=$(sha256sum "$file" | cut -d' ' -f1)
  if [[ -z ${applied[$version]:-} ]]; then
    pending+=("$file")
  elif [[ ${applied[$version]} != "$checksum" ]]; then
    echo "$version was changed after it was applied" >&2
    exit 1
  fi
done

if (( ${#pending[@]} == 0 )); then
  echo 'the schema is up to date'
  exit 0
fi

dump=backups/before-$(basename "${pending[0]}" .sql)-$(date +%Y%m%dT%H%M%S).dump
(umask 077; pg_dump --format=custom --file="$dump")
pg_restore --list "$dump" > /dev/null

for file in "${pending[@]}"; do
  version=$(basename "$file" .sql)
  checksum=$(sha256sum "$file" | cut -d' ' -f1)
  echo "applying $version"
  # The advisory lock keeps a second runner out for the length of the transaction.
  {
    echo 'SELECT pg_advisory_xact_lock(727001) \g /dev/null'
    cat "$file"
    printf "\nINSERT INTO schema_migrations (version, checksum) VALUES (:'version', :'checksum');\n"
  } | sql --single-transaction --set=version="$version" --set=checksum="$checksum" --file=-
done

sql -c 'SELECT version, applied_at FROM schema_migrations ORDER BY version DESC LIMIT 5'
