
# A dump, restored beside the site, has every post of it.
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
sudo systemctl start dump-wordpress.service
dump=$(sudo find /var/backups/wordpress -name '*.sql.gz' -printf '%f\n' | sort | tail -n 1)
echo "dumped: $dump"
forget() { sudo mariadb --execute 'DROP DATABASE IF EXISTS restore_check'; }
trap forget EXIT
forget
sudo mariadb --execute 'CREATE DATABASE restore_check'
sudo gunzip --stdout "/var/backups/wordpress/$dump" | sudo mariadb restore_check
count() { sudo mariadb --skip-column-names --batch --execute "SELECT count(*) FROM $1.wp_posts"; }
restored=$(count restore_check)
there=$(count wordpress)
echo "posts in the dump: $restored, in the site: $there"
[[ $restored == "$there" && $restored -gt 0 ]]
REMOTE
