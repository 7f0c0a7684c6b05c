#!/usr/bin/env bash
# Restores the newest dump into a database of its own, which it drops again; what is in use is only read
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
copy=restore_check
ask() {
  sudo docker compose --project-directory /opt/@name@ exec --no-TTY mysql sh -c \
    'MYSQL_PWD=$MYSQL_ROOT_PASSWORD exec mysql --user=root --batch --skip-column-names --execute="$1"' ask "$1" </dev/null
}
clean() { ask "DROP DATABASE IF EXISTS $copy"; }
trap clean EXIT
clean

systemctl is-active dump-database.timer
# It is made every night; two hours more for one that starts late or takes long.
newest=$(sudo find /var/backups/mysql -name '@database@-*.sql.gz' -mmin -1560 -printf '%f\n' | sort | tail -n 1)
if [[ -z $newest ]]; then
  echo "no dump of @database@ is younger than 26 hours" >&2
  exit 1
fi
sudo restore-dump "$copy" "$newest"
tables=$(ask "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '$copy'")
echo "the copy has $tables table(s)"
[[ $tables =~ ^[0-9]+$ ]]
REMOTE
echo "Verified: the newest dump of @database@, at most 26 hours old, was restored into a database of its own"
