# The health check and the page answer with 200
login=()
if [[ -s @name@/access/curl ]]; then
  login=(--config @name@/access/curl)
fi
for path in @health_path@ /; do
  status=$(curl "${login[@]}" --silent --output /dev/null --write-out '%{http_code}' --max-time 5 "http://127.0.0.1:@port@$path")
  test "$status" = 200
done
echo "Proved: @health_path@ and the page answer with 200"
