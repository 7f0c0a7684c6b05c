#!/usr/bin/env bash
# Releases the application on @name@, then tries another release, the way back and a broken release under load
set -euo pipefail

if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py
fi
server() { ssh -F ssh/config @name@ "$@"; }
current() { server readlink /srv/app/current; }

./release.sh app
own=$(current)
before=$(server readlink /srv/app/before || true)

# Copies for the trial: one that works, and one that never answers.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R app "$scratch/good"
date +%s%N >"$scratch/good/trial"
mkdir "$scratch/broken"
printf '#!/bin/sh\nexec sleep 600\n' >"$scratch/broken/run"
chmod 755 "$scratch/broken/run"

asking=$(server mktemp)
server ask-often "$asking" http://127.0.0.1/ GET POST </dev/null >"$scratch/counted" &
visitors=$!
sleep 2
./release.sh "$scratch/good"
other=$(current)
sleep 1
server sudo release back
back=$(current)
if ./release.sh "$scratch/broken"; then
  echo "a release that never answers was not refused" >&2
  exit 1
fi
after=$(current)
server rm -f "$asking"
if ! wait "$visitors"; then
  cat "$scratch/counted"
  echo "requests were lost during the releases" >&2
  exit 1
fi
cat "$scratch/counted"
echo "released: $own, then $other, back to $back, and after a broken release still $after"
[[ $own != "$other" && $back == "$own" && $after == "$own" ]]
answered=$(grep --count 'times: Release' "$scratch/counted")
if ((answered != 2)); then
  echo "$answered releases answered, and two were current" >&2
  exit 1
fi

# The trial leaves the way back as it was.
server sudo bash -s -- "$other" "$before" <<'REMOTE'
set -euo pipefail
rm -f /srv/app/before
if [[ -n ${2-} && -d /srv/app/$2 ]]; then
  ln -s "$2" /srv/app/before
fi
rm -rf "/srv/app/${1:?}"
REMOTE
server sudo release list
