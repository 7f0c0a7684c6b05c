#!/usr/bin/env bash
# Uses the database as the application would, and tries what it must not do
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
ask() {
  sudo docker compose --project-directory /opt/@name@ exec --no-TTY mysql sh -c \
    'MYSQL_PWD=$MYSQL_PASSWORD exec mysql --protocol=tcp --host=127.0.0.1 --user=@database@ --batch --skip-column-names --execute="$1" @database@' ask "$1" </dev/null
}

version=$(ask 'SELECT VERSION()')
echo "version: $version"
[[ $version == @series_mysql@.* ]]
answer=$(ask 'CREATE TEMPORARY TABLE probe (n INT); INSERT INTO probe VALUES (1), (2), (3); SELECT SUM(n) FROM probe')
echo "written and read: $answer"
[[ $answer == 6 ]]
grants=$(ask 'SHOW GRANTS')
echo "$grants"
if grep -v 'GRANT USAGE ON' <<<"$grants" | grep -qvF 'ON `@database@`.*'; then
  echo "the login has rights beyond its own database" >&2
  exit 1
fi
if sudo docker compose --project-directory /opt/@name@ exec --no-TTY --env MYSQL_PWD=not-the-password mysql \
  mysql --protocol=tcp --host=127.0.0.1 --user=@database@ --execute='SELECT 1' </dev/null 2>/dev/null; then
  echo "a wrong password is let in" >&2
  exit 1
fi
echo "a wrong password: refused"
durable=$(ask 'SELECT @@GLOBAL.innodb_flush_log_at_trx_commit, @@GLOBAL.sync_binlog' | tr '\t' ' ')
echo "each commit is written to the disk: $durable"
[[ $durable == '1 1' ]]
mounts=$(sudo docker inspect --format '{{range .Mounts}}{{.Type}} {{.Destination}},{{end}}' "$(sudo docker compose --project-directory /opt/@name@ ps --quiet mysql </dev/null)")
echo "mounts: $mounts"
[[ ,$mounts == *',volume /var/lib/mysql,'* ]]
listening=$(ss -ltnH 'sport = :3306' | awk '{ print $4 }' | sort -u)
echo "listening on: $listening"
[[ $listening == 127.0.0.1:3306 ]]
REMOTE
echo "Verified: MySQL @series_mysql@ serves @database@ on 127.0.0.1 only, with its password and no more rights than needed, and writes each commit to a volume on the disk"
