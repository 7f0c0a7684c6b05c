#!/usr/bin/env bash
# Uses WordPress as its owner would, and tries what must be closed
set -euo pipefail

if [[ -z ${WORDPRESS_ADMIN_PASSWORD:-} ]]; then
  echo "WORDPRESS_ADMIN_PASSWORD is missing in the environment. Enter it in the credentials form, then run this check again." >&2
  exit 75
fi

# The password goes before the script, through the same encrypted standard input.
{
  printf 'password=%q\n' "$WORDPRESS_ADMIN_PASSWORD"
  cat <<'REMOTE'
set -euo pipefail
ask() { curl --silent --output /dev/null --insecure --resolve '@domain@:443:127.0.0.1' "$@"; }
# A password as an argument could be read in the list of processes.
sign_in() { printf '%s' "$1" | ask --cookie wordpress_test_cookie=1 --data log=admin --data-urlencode pwd@- --write-out '%{http_code} %{redirect_url}' 'https://@domain@/wp-login.php'; }

moved=$(ask --resolve '@domain@:80:127.0.0.1' --write-out '%{http_code} %{redirect_url}' 'http://@domain@/')
echo "HTTP: $moved"
[[ $moved == '301 https://@domain@/' ]]
front=$(ask --write-out '%{http_code}' 'https://@domain@/')
echo "front page: $front"
[[ $front == 200 ]]
further=(@further_ports_sh@)
for port in "${further[@]}"; do
  # WordPress leads the front page to its own address, and shows the login where it is asked for it.
  login=$(ask --resolve "@domain@:$port:127.0.0.1" --write-out '%{http_code}' "https://@domain@:$port/wp-login.php")
  echo "login on port $port: $login"
  [[ $login == 200 ]]
done
signed_in=$(sign_in "$password")
echo "signing in: $signed_in"
[[ $signed_in == '302 https://@domain@/wp-admin/' ]]
refused=$(sign_in not-the-password)
echo "with a wrong password: $refused"
[[ $refused == '200 ' ]]
for closed in xmlrpc.php wp-content/index.php; do
  answer=$(ask --write-out '%{http_code}' "https://@domain@/$closed")
  echo "$closed: $answer"
  [[ $answer == 403 ]]
done
listening=$(ss -ltnH 'sport = :3306' | awk '{ print $4 }' | sort -u)
echo "MariaDB listens on: ${listening:-its socket only}"
[[ -z $listening || $listening == 127.0.0.1:3306 ]]
REMOTE
} | ssh -F ssh/config @name@ 'bash -s'
echo "Verified: WordPress serves @domain@, and admin signs in with the password and with no other"
