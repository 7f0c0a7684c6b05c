#!/usr/bin/env bash
# Adds an endpoint, a function and a deployment with the commands that CONTRIBUTING.md names, in a copy of the repository,
# and runs the tests next to them. The copy is an overlay in a separate namespace, at the repository's own path: cargo
# compiles only what the skeletons change, and the files that are written and built disappear with the namespace.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
target=${CARGO_TARGET_DIR:-$root/target}

if [ "${1:-}" != inside ]; then
  mkdir -p "$target"
  isolated=(unshare --mount)
  [ "$EUID" = 0 ] || isolated+=(--user --map-root-user)
  # The overlay's upper folder cannot itself lie on an overlay, such as a container's own file system.
  for place in "$target" "${TMPDIR:-/tmp}"; do
    changes=$(mktemp -d "$place/skeletons.XXXXXX")
    # shellcheck disable=SC2064
    trap "chmod -R u+rwx '$changes'; rm -rf '$changes'" EXIT
    if reason=$("${isolated[@]}" "$0" inside "$changes" try 2>&1); then
      "${isolated[@]}" "$0" inside "$changes"
      exit
    fi
    chmod -R u+rwx "$changes" && rm -rf "$changes"
    trap - EXIT
  done
  if [ -n "${CI:-}" ]; then
    echo "This machine cannot mount an overlay over the repository: $reason"
    exit 1
  fi
  echo "SKIPPED: this machine cannot mount an overlay over the repository: $reason"
  exit
fi

changes=$2
overlay() { # <what is below> <name of its changes> <where to mount>
  mkdir -p "$changes/$2" "$changes/$2.work" "$3"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$changes/$2,workdir=$changes/$2.work,userxattr" "$3"
}
# The target has a separate overlay, because it may lie elsewhere or be a mount. Both are assembled next to the repository
# and take its place in one step: nothing in it can be reached by its path afterward.
built=$target/debug/.fingerprint
[ -d "$built" ] || built=$target
overlay "$target" target "$changes/built"
overlay "$root" root "$changes/whole"
case $target in
  "$root"/*) place=$changes/whole/${target#"$root"/} ;;
  *) place=$target ;;
esac
mkdir -p "$place"
mount --bind "$changes/built" "$place"
mount --rbind "$changes/whole" "$root"
[ -d "$built" ] || { echo "the overlay hides the built programs"; exit 1; }
[ "${3:-}" != try ] || exit 0
cd "$root"

mapfile -t commands < <(grep '^cargo dev new ' CONTRIBUTING.md)
[ "${#commands[@]}" = 3 ] || { echo "CONTRIBUTING.md names ${#commands[@]} skeletons, not 3"; exit 1; }
for command in "${commands[@]}" 'cargo fmt --all && cargo dev openapi'; do
  grep --quiet --fixed-strings --line-regexp "$command" CONTRIBUTING.md
  echo "$command"
  bash -c "$command"
done

cargo programs --bin local-stack --bin sandbox-agent
tests=(deployment api store_calls suite files picture rooms targets)
# Every call for its owner, a stranger and a visitor; the skeletons' own tests; every deployment's documents and scripts.
deployed='environment|events|guards|rights|template|watch_routes'
chosen="package(deploy-tests) & test(/^($deployed)::/) | package(house-tests) | package(bench) | package(blueprint-model) & (test(/^plans::/) | test(/^scripts::/))
  | package(api-tests) & (test(/^tenancy::/) | test(/_answers_for_its_project\$/))"
cargo nextest run --workspace --no-fail-fast "${tests[@]/#/--test=}" --filterset "$chosen"
