#!/usr/bin/env bash
# Dumps WordPress, restores the dump beside the site and compares
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
sudo systemctl start dump-wordpress.service
newest() { sudo find /var/backups/wordpress -name "$1" -printf '%f\n' | sort | tail -n 1; }
database=$(newest '*.sql.gz')
content=$(newest '*.tar.gz')
echo "newest dumps: $database, $content"
forget() { sudo mariadb --execute 'DROP DATABASE IF EXISTS restore_check'; }
trap forget EXIT
forget
sudo mariadb --execute 'CREATE DATABASE restore_check'
sudo gunzip --stdout "/var/backups/wordpress/$database" | sudo mariadb restore_check
count() { sudo mariadb --skip-column-names --batch --execute "SELECT count(*) FROM $1.wp_posts"; }
restored=$(count restore_check)
there=$(count wordpress)
echo "posts in the dump: $restored, in the site: $there"
[[ $restored == "$there" && $restored -gt 0 ]]
files=$(sudo tar --list --gzip --file "/var/backups/wordpress/$content" | wc -l)
echo "files in the archive: $files"
[[ $files -gt 0 ]]
REMOTE
echo "Verified: the newest dump has every post of the site, and its archive can be read"
