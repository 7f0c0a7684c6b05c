#!/usr/bin/env bash
# Dumps WordPress's database and its files, and forgets dumps older than @dump_days@ days
set -euo pipefail

folder=/var/backups/wordpress
install --directory --mode 0700 "$folder"
stamp=$(date --utc +%Y-%m-%dT%H%M%SZ)

# A dump has its name only when it is whole.
mariadb-dump --single-transaction wordpress | gzip >"$folder/.part"
gzip --test "$folder/.part"
mv "$folder/.part" "$folder/$stamp.sql.gz"
tar --create --gzip --file "$folder/.part" --directory /var/lib/wordpress wp-content
mv "$folder/.part" "$folder/$stamp.tar.gz"

find "$folder" -type f -mtime +@dump_days@ -delete
echo "dumped to $folder/$stamp.sql.gz and $folder/$stamp.tar.gz"
