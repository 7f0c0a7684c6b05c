#!/usr/bin/env bash
# Fetches the page, and a page that is not there
set -euo pipefail

base=http://127.0.0.1:@port@
login=()
if [[ -s @name@/access/curl ]]; then
  login=(--config @name@/access/curl)
fi
page=$(curl "${login[@]}" --fail --silent --show-error --max-time 5 "$base/")
kind=$(curl "${login[@]}" --silent --show-error --output /dev/null --write-out '%{http_code} %{content_type}' --max-time 5 "$base/")
missing=$(curl --silent --show-error --output /dev/null --write-out '%{http_code}' --max-time 5 "$base/no-such-page")
echo "/ answers $kind"
echo "/no-such-page answers $missing"
[[ $kind == "200 text/html"* ]]
[[ $missing == 404 ]]

access=@access@
planned=200
if [[ $access != open ]]; then
  planned=401
fi
stranger=$(curl --silent --show-error --output /dev/null --write-out '%{http_code}' --max-time 5 "$base/")
echo "/ without a password answers $stranger"
[[ $stranger == "$planned" ]]

PAGE=$page python3 - <<'PYTHON'
import html, json, os, sys

config = json.load(open("@name@/service.json", encoding="utf-8"))
for expected in (f"<h1>{html.escape(config['name'])}</h1>", html.escape(config["greeting"])):
    if expected not in os.environ["PAGE"]:
        sys.exit(f"the page lacks {expected}")
    print(f"the page has {expected}")
PYTHON
echo "Verified: the page names @name@ and greets, and an unknown path answers 404"
