#!/usr/bin/env bash
# Starts MySQL. At the first start it creates the database and the logins that the environment names, as the image of
# Docker Hub does: until they exist, the server listens on its socket only.
set -euo pipefail

own=(--user=mysql --datadir=/var/lib/mysql --socket=/var/run/mysqld/mysqld.sock --mysqlx=OFF)

# A text as MySQL quotes it.
quoted() {
  local text=${1//\\/\\\\}
  printf "'%s'" "${text//\'/\'\'}"
}

if [[ ! -d /var/lib/mysql/mysql ]]; then
  : "${MYSQL_ROOT_PASSWORD:?}"
  chown mysql: /var/lib/mysql
  mysqld "${own[@]}" --initialize-insecure
  mysqld "${own[@]}" --skip-networking &
  first=$!
  until mysqladmin --user=root --socket=/var/run/mysqld/mysqld.sock ping 2>/dev/null; do
    kill -0 "$first"
    sleep 0.3
  done
  {
    if [[ ${MYSQL_ROOT_HOST:-%} != localhost ]]; then
      echo "CREATE USER 'root'@$(quoted "${MYSQL_ROOT_HOST:-%}") IDENTIFIED BY $(quoted "$MYSQL_ROOT_PASSWORD");"
      echo "GRANT ALL ON *.* TO 'root'@$(quoted "${MYSQL_ROOT_HOST:-%}") WITH GRANT OPTION;"
    fi
    if [[ -n ${MYSQL_DATABASE:-} ]]; then
      echo "CREATE DATABASE \`$MYSQL_DATABASE\`;"
    fi
    if [[ -n ${MYSQL_USER:-} ]]; then
      echo "CREATE USER $(quoted "$MYSQL_USER")@'%' IDENTIFIED BY $(quoted "${MYSQL_PASSWORD:?}");"
      # In a grant, the underscore stands for any character unless it is escaped.
      [[ -z ${MYSQL_DATABASE:-} ]] || echo "GRANT ALL ON \`${MYSQL_DATABASE//_/\\_}\`.* TO $(quoted "$MYSQL_USER")@'%';"
    fi
    echo "ALTER USER 'root'@'localhost' IDENTIFIED BY $(quoted "$MYSQL_ROOT_PASSWORD");"
  } | mysql --user=root --socket=/var/run/mysqld/mysqld.sock
  kill "$first"
  wait "$first" || true
fi
exec mysqld "${own[@]}"
