#!/usr/bin/env bash
# Writes a first page to site/, and keeps what is there already
set -euo pipefail

mkdir -p site
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

#@write index.html "$fresh/index.html"
#@write 404.html "$fresh/404.html"
#@write style.css "$fresh/style.css"

for file in index.html 404.html style.css; do
  if [[ -e site/$file ]]; then
    echo "site/$file is there already and is kept"
  else
    cp "$fresh/$file" "site/$file"
    echo "Written: site/$file"
  fi
done
