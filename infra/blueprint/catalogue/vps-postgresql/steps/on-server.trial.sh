
# The first dump is restored into a database of its own, with a mark in it.
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
cd /
copy=restore_check
mark=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
ask() { sudo -u postgres psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 "$@"; }
clean() {
  sudo -u postgres dropdb --if-exists "$copy"
  ask --dbname @database@ --command 'DROP SCHEMA IF EXISTS restore_check CASCADE' 2>/dev/null
}
trap clean EXIT
clean

systemctl is-active dump-database.timer
ask --dbname @database@ --command "SET ROLE \"@database@\"; CREATE SCHEMA restore_check; CREATE TABLE restore_check.mark AS SELECT '$mark'::text AS value"
sudo systemctl start dump-database.service
sudo journalctl --no-pager --unit dump-database.service --lines 3 --output cat
sudo restore-dump "$copy"
# As the application: a copy that only the superuser reads is not a backup.
found=$(ask --dbname "$copy" --command 'SET ROLE "@database@"' --command 'SELECT value FROM restore_check.mark')
echo "mark written: $mark, mark found in the restored copy: $found"
[[ $found == "$mark" ]]
REMOTE
