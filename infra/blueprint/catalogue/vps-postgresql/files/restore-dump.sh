#!/usr/bin/env bash
# Restores the newest dump into a database of its own: restore-dump TARGET [FILE]. Runs as root.
# The target must not exist: nothing that is in use is ever overwritten.
set -euo pipefail

target=$1
directory=/var/backups/postgresql
file=${2:-$(find "$directory" -name '*.dump' -printf '%f\n' | sort -t- -k2 | tail -n 1)}
file=$directory/${file##*/}
[[ $target =~ ^[a-z][a-z0-9_]{0,50}$ ]] || {
  echo "a database is named with lower-case letters, digits and underscores" >&2
  exit 2
}
[[ -s $file ]] || {
  echo "there is no dump: $file" >&2
  exit 1
}

as_postgres() { runuser -u postgres -- "$@"; }

cd /
# The copy belongs to whom the database belongs, and everything in it to whom it belonged: the application can use it.
source=${file##*/}
source=${source%%-*}
owner=$(as_postgres psql --no-psqlrc --tuples-only --no-align --set "name=$source" \
  <<<"SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = :'name'")
as_postgres createdb --template template0 --owner "${owner:-postgres}" "$target"
if ! as_postgres pg_restore --exit-on-error --dbname "$target" "$file"; then
  as_postgres dropdb "$target"
  echo "the dump could not be restored: $file" >&2
  exit 1
fi
echo "restored $file into $target"
