#!/usr/bin/env bash
# Dumps a database and removes dumps that are too old: dump-database NAME DAYS. Runs as postgres.
set -euo pipefail
umask 077

name=$1
days=$2
directory=/var/backups/postgresql
file=$directory/$name-$(date --utc +%Y%m%dT%H%M%SZ).dump

# Under another name until it is whole: a dump that was cut short must not look like one.
pg_dump --format=custom --file="$file.part" "$name"
pg_restore --list "$file.part" >/dev/null
mv "$file.part" "$file"

find "$directory" -name "$name-*.dump" -mtime "+$days" -delete
find "$directory" -name '*.part' -mtime +1 -delete
echo "dumped $name to $file, $(stat --format=%s "$file") bytes"
