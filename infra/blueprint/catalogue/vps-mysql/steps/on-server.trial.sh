
# The first dump is restored into a database of its own, with a mark in it.
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
copy=restore_check
mark=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
ask() {
  sudo docker compose --project-directory /opt/@name@ exec --no-TTY mysql sh -c \
    'MYSQL_PWD=$MYSQL_ROOT_PASSWORD exec mysql --user=root --batch --skip-column-names --execute="$1"' ask "$1" </dev/null
}
clean() { ask "DROP DATABASE IF EXISTS $copy; DROP TABLE IF EXISTS @database@.restore_check_mark"; }
trap clean EXIT
clean

systemctl is-active dump-database.timer
ask "CREATE TABLE @database@.restore_check_mark AS SELECT '$mark' AS value"
sudo systemctl start dump-database.service
sudo journalctl --no-pager --unit dump-database.service --lines 3 --output cat
sudo restore-dump "$copy"
found=$(ask "SELECT value FROM $copy.restore_check_mark")
echo "mark written: $mark, mark found in the restored copy: $found"
[[ $found == "$mark" ]]
REMOTE
