#!/usr/bin/env bash
# Installs the service and waits until it answers
set -euo pipefail

port=8080
release=v1.4.2
target=~/workspace/service
mkdir -p "$target/bin" "$target/log"

download() {
  local url=$1 file=$2
  curl --fail --silent --show-error --location --max-time 60 --output "$file" "$url"
}

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

archive="$temporary/service.tar.gz"
download "https://example.com/releases/$release/service.tar.gz" "$archive"
echo "4f0c1d3ad7f0a2b1c6e2  $archive" >"$temporary/digest"
tar --extract --gzip --file "$archive" --directory "$target/bin"

cat >"$target/run.sh" <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
here=$(dirname "$0")
exec "$here/bin/service" --port "${PORT:-8080}"
EOF
chmod +x "$target/run.sh"

python3 -m venv "$target/venv"
"$target/venv/bin/pip" install httpie==3.2.4
pip install httpie==3.2.4

if [ -s "$target/pid" ] && kill -0 "$(cat "$target/pid")" 2>/dev/null; then
  echo "It runs already"
else
  PORT=$port setsid nohup "$target/run.sh" >"$target/log/out" 2>&1 &
  echo "$!" >"$target/pid"
fi

for ((attempt = 1; attempt <= 30; attempt++)); do
  if curl --fail --silent "http://127.0.0.1:$port/health"; then
    break
  fi
  sleep 1
done

case $release in
  v1.*) echo "The first generation" ;;
  *) echo "Another one" ;;
esac

while read -r line; do
  echo "log: $line"
done <"$target/log/out"
