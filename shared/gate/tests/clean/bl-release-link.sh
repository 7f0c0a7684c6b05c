#!/usr/bin/env bash
set -euo pipefail

release=$(date +%Y%m%d%H%M%S)
keep_files=(index.html style.css)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

log() {
  printf '[%s] %s\n' "$(date +%T)" "$*"
}

cat > "$build/index.html" <<'EOF'
<!doctype html>
<link rel="stylesheet" href="style.css">
<h1>Release</h1>
EOF
cat > "$build/style.css" <<'EOF'
h1 { color: teal; }
EOF

for f in "${keep_files[@]}"; do
  test -s "$build/$f"
done

log "uploading release $release"
# shellcheck disable=SC2029 # expanded here on purpose
tar -C "$build" -czf - "${keep_files[@]}" | ssh server "sudo mkdir -p /srv/site/releases/$release && sudo tar -xzf - -C /srv/site/releases/$release"
# shellcheck disable=SC2029 # expanded here on purpose
ssh server "sudo ln -sfn /srv/site/releases/$release /srv/site/current"
log "switched"
ssh server 'grep -q Release /srv/site/current/index.html'
