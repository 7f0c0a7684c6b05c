#!/usr/bin/env bash
# Writes a small release tool (releases with a symlink and a way back) and tries it in a scratch directory.
set -euo pipefail

bin=~/workspace/bin
mkdir -p "$bin"

cat > "$bin/release" <<'EOF'
#!/usr/bin/env bash
# release - puts a directory live under ROOT/releases and points ROOT/current at it
set -euo pipefail

usage() {
  cat <<USAGE
Usage: ${0##*/} [-k COUNT] [-c COMMAND] -r ROOT -s SOURCE
       ${0##*/} [-c COMMAND] -r ROOT -b

  -r ROOT     directory with releases/ and current
  -s SOURCE   directory to release
  -b          back to the release before the current one
  -c COMMAND  check run in the current release; when it fails, the link goes back
  -k COUNT    releases to keep (default 5)
USAGE
}

die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

root='' source='' check='' keep=5 back=0
while getopts ':r:s:c:k:bh' option; do
  case $option in
    r) root=$OPTARG ;;
    s) source=$OPTARG ;;
    c) check=$OPTARG ;;
    k) keep=$OPTARG ;;
    b) back=1 ;;
    h) usage; exit 0 ;;
    :) die "-$OPTARG needs a value" ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
(( $# == 0 )) || { usage >&2; exit 2; }

[[ -n $root ]] || die 'no root given'
[[ $keep =~ ^[1-9][0-9]*$ ]] || die '-k needs a positive number'
mkdir -p "$root/releases"

exec 9> "$root/.lock"
flock -n 9 || die 'another release is under way'

switch() { # NAME: the rename replaces the old link in one step
  ln -sfn "releases/$1" "$root/.current.new"
  mv -T "$root/.current.new" "$root/current"
}

list() { find "$root/releases" -mindepth 1 -maxdepth 1 -type d ! -name '*.part' -printf '%f\n' | sort; }

previous=''
if [[ -L $root/current ]]; then
  previous=$(basename "$(readlink "$root/current")")
fi

if (( back )); then
  [[ -n $previous ]] || die 'nothing is live'
  name=$(list | awk -v now="$previous" '$0 < now' | tail -n 1)
  [[ -n $name ]] || die "there is no release before $previous"
else
  [[ -d $source ]] || die 'no source directory given'
  name=$(date -u +%Y%m%dT%H%M%S.%NZ)
  rsync -a --delete "$source/" "$root/releases/$name.part/"
  mv -T "$root/releases/$name.part" "$root/releases/$name"
fi

switch "$name"
if [[ -n $check ]] && ! (cd "$root/current/" && bash -c "$check"); then
  [[ -z $previous ]] || switch "$previous"
  die "the check of $name failed${previous:+; $previous is live again}"
fi
echo "live: $name"

if (( ! back )); then
  mapfile -t names < <(list)
  for (( i = 0; i < ${#names[@]} - keep; i++ )); do
    [[ ${names[i]} == "$name" ]] || rm -rf -- "${root:?}/releases/${names[i]:?}"
  done
fi
EOF
chmod 0755 "$bin/release"
bash -n "$bin/release"

lab=$(mktemp -d)
trap 'rm -rf "$lab"' EXIT
mkdir "$lab/source"

for version in 1 2 3 4; do
  echo "version $version" > "$lab/source/index.html"
  "$bin/release" -r "$lab/site" -s "$lab/source" -k 3 -c 'test -s index.html'
done
grep -Fx 'version 4' "$lab/site/current/index.html"
[[ $(find "$lab/site/releases" -mindepth 1 -maxdepth 1 | wc -l) == 3 ]]

"$bin/release" -r "$lab/site" -b
grep -Fx 'version 3' "$lab/site/current/index.html"

: > "$lab/source/index.html"
if "$bin/release" -r "$lab/site" -s "$lab/source" -c 'test -s index.html'; then
  echo 'a bad release went live' >&2
  exit 1
fi
grep -Fx 'version 3' "$lab/site/current/index.html"
