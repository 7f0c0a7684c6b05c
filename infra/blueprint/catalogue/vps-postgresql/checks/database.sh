#!/usr/bin/env bash
# Uses the database as the application would, and tries what it must not do
set -euo pipefail

if [[ -z ${APP_DB_PASSWORD:-} ]]; then
  echo "APP_DB_PASSWORD is missing in the environment. Enter it in the credentials form, then run this check again." >&2
  exit 75
fi

# The password goes before the script, through the same encrypted standard input.
{
  printf 'export PGPASSWORD=%q\n' "$APP_DB_PASSWORD"
  cat <<'REMOTE'
set -euo pipefail
ask() { psql --no-psqlrc --no-password --tuples-only --no-align --set ON_ERROR_STOP=1 --host 127.0.0.1 --username @database@ --dbname @database@ "$@"; }

version=$(ask --command 'SHOW server_version')
echo "version: $version"
[[ $version == @series_postgresql@.* ]]
answer=$(ask --quiet --command 'CREATE TEMPORARY TABLE probe (n int); INSERT INTO probe SELECT generate_series(1, 3); SELECT sum(n) FROM probe;')
echo "written and read: $answer"
[[ $answer == 6 ]]
superuser=$(ask --command 'SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = current_user')
echo "more rights than its own database: $superuser"
[[ $superuser == f ]]
owner=$(ask --command 'SELECT pg_catalog.pg_get_userbyid(datdba) FROM pg_catalog.pg_database WHERE datname = current_database()')
echo "owner of the database: $owner"
[[ $owner == @database@ ]]
makes=$(ask --command "SELECT has_schema_privilege('public', 'CREATE')")
echo "makes tables there, which are its own: $makes"
[[ $makes == t ]]
for setting in fsync full_page_writes synchronous_commit; do
  value=$(ask --command "SHOW $setting")
  echo "$setting: $value"
  [[ $value == on ]]
done
if PGPASSWORD=not-the-password ask --command 'SELECT 1' 2>/dev/null; then
  echo "a wrong password is let in" >&2
  exit 1
fi
echo "a wrong password: refused"
listening=$(ss -ltnH 'sport = :5432' | awk '{ print $4 }' | sort -u)
echo "listening on: $listening"
[[ $listening == 127.0.0.1:5432 ]]
REMOTE
} | ssh -F ssh/config @name@ 'bash -s'
echo "Verified: PostgreSQL @series_postgresql@ serves @database@ to its owner on 127.0.0.1 only, with its password and no more rights than needed, and writes each commit to the disk"
