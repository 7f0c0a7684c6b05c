#!/usr/bin/env bash
# Restores the newest dump into a database of its own, which it drops again; the site is only read
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
systemctl is-active dump-wordpress.timer
# They are made every night; two hours more for one that starts late or takes long.
newest() { sudo find /var/backups/wordpress -name "$1" -mmin -1560 -printf '%f\n' | sort | tail -n 1; }
database=$(newest '*.sql.gz')
content=$(newest '*.tar.gz')
echo "newest dumps: ${database:-none}, ${content:-none}"
if [[ -z $database || -z $content ]]; then
  echo "no dump of WordPress is younger than 26 hours" >&2
  exit 1
fi
forget() { sudo mariadb --execute 'DROP DATABASE IF EXISTS restore_check'; }
trap forget EXIT
forget
sudo mariadb --execute 'CREATE DATABASE restore_check'
sudo gunzip --stdout "/var/backups/wordpress/$database" | sudo mariadb restore_check
count() { sudo mariadb --skip-column-names --batch --execute "SELECT count(*) FROM $1.wp_posts"; }
restored=$(count restore_check)
there=$(count wordpress)
echo "posts in the dump: $restored, in the site: $there"
[[ $restored -gt 0 ]]
files=$(sudo tar --list --gzip --file "/var/backups/wordpress/$content" | wc -l)
echo "files in the archive: $files"
[[ $files -gt 0 ]]
REMOTE
echo "Verified: the newest dump, at most 26 hours old, was restored with its posts, and its archive can be read"
