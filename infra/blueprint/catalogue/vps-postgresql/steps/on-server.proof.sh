sudo -u postgres psql --no-psqlrc --tuples-only --no-align --dbname '@database@' \
  --command "SELECT pg_catalog.pg_get_userbyid(datdba) FROM pg_database WHERE datname = '@database@'" |
  grep --line-regexp '@database@'
systemctl is-active dump-database.timer
