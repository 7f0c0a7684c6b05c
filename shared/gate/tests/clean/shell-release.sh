#!/usr/bin/env bash
# Releases a version without an interruption, and goes back if it is not healthy
set -euo pipefail
version=${VERSION:-2.4.0}
sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
archive=shop-$version.tar.gz
cd "$(mktemp -d)"
curl -fsSLO --proto '=https' --tlsv1.2 "https://downloads.example.org/shop/$archive"
sha256sum --check <<<"$sha256  $archive"
scp "$archive" server:/srv/shop/incoming/
ssh server bash -euo pipefail -s -- "$version" <<'EOF'
version=$1
release=/srv/shop/releases/$version
mkdir -p "$release"
tar -xzf "/srv/shop/incoming/shop-$version.tar.gz" -C "$release"
before=$(readlink /srv/shop/current || true)
ln -sfn "$release" /srv/shop/current.new
mv -T /srv/shop/current.new /srv/shop/current
sudo systemctl reload-or-restart shop
if ! curl -fsS --retry 10 --retry-delay 1 --retry-all-errors http://127.0.0.1:8080/health; then
  if [ -n "$before" ]; then
    ln -sfn "$before" /srv/shop/current
    sudo systemctl restart shop
  fi
  exit 1
fi
EOF
ssh server readlink /srv/shop/current | grep -qx "/srv/shop/releases/$version"
