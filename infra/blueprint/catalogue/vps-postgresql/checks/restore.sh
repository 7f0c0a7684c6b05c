#!/usr/bin/env bash
# Restores the newest dump into a database of its own, which it drops again; what is in use is only read
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
cd /
copy=restore_check
ask() { sudo -u postgres psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "$copy" "$@"; }
clean() { sudo -u postgres dropdb --if-exists "$copy"; }
trap clean EXIT
clean

systemctl is-active dump-database.timer
# It is made every night; two hours more for one that starts late or takes long.
newest=$(sudo find /var/backups/postgresql -name '@database@-*.dump' -mmin -1560 -printf '%f\n' | sort | tail -n 1)
if [[ -z $newest ]]; then
  echo "no dump of @database@ is younger than 26 hours" >&2
  exit 1
fi
sudo restore-dump "$copy" "$newest"
# As the application: a copy that only the superuser reads is not a backup.
owner=$(ask --command "SELECT pg_catalog.pg_get_userbyid(datdba) FROM pg_catalog.pg_database WHERE datname = '$copy'")
tables=$(ask --command 'SET ROLE "@database@"' --command "SELECT count(*) FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')")
echo "the copy belongs to $owner, who reads $tables table(s) in it"
[[ $owner == @database@ ]]
REMOTE
echo "Verified: the newest dump of @database@, at most 26 hours old, was restored into a database of its own, which its login can read"
