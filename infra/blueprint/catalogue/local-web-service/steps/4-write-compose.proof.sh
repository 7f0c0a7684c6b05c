# Both files are there, and Compose reads its own where Compose is available
test -s @name@/README.md
grep --fixed-strings '@name@:' @name@/docker-compose.yml >/dev/null
if docker compose version >/dev/null 2>&1; then
  docker compose --file @name@/docker-compose.yml config --quiet
fi
echo "Proved: the Compose file and the README are written"
