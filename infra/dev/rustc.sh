#!/usr/bin/env bash
# Compiles one target of the workspace, as cargo's `rustc-workspace-wrapper`, and checks it at the same time: clippy's
# driver compiles as rustc does and lints, and then rustdoc checks the links of the documentation, private items included.
# `cargo clippy` and `cargo doc` would read every library once more for that. A warning of either is an error; clippy
# reads that from CLIPPY_ARGS, which cargo has to see as well.
#
# Tests are compiled without optimization, also in the packages that Cargo.toml optimizes: with it, compiling the tests of
# the table took 72 s and saved 2 s when they ran. What they test is optimized where it is a library that they use.
set -euo pipefail
rustc=$1
shift
arguments=("$@")
case " $* " in
  # Its own code computes for long.
  *" --crate-name ledger_model "*) ;;
  *" --test "*) arguments=("${arguments[@]/#opt-level=*/opt-level=0}") ;;
esac
clippy-driver "$rustc" "${arguments[@]}"

# cargo's questions about the compiler, tests and build scripts have no documentation.
documented=() name='' kind='' source=''
while [ $# -gt 0 ]; do
  case $1 in
    --print* | -vV | --test | build_script_*) exit ;;
    --crate-name) name=$2 documented+=("$1" "$2") && shift ;;
    --crate-type) kind=$2 documented+=("$1" "$2") && shift ;;
    --out-dir | -C) shift ;;
    --emit=* | --*=clippy::* | --json=* | --error-format=*) ;;
    *.rs) source=$1 documented+=("$1") ;;
    *) documented+=("$1") ;;
  esac
  shift
done
[ -n "$name" ] && [ -n "$source" ] || exit 0
# Like cargo, nothing for a program that its own library describes.
case "$kind ${documented[*]}" in "bin "*" --extern $name="*) exit ;; esac
rustdoc "${documented[@]}" --document-private-items --deny warnings --allow rustdoc::private_intra_doc_links \
  --out-dir "${CARGO_TARGET_DIR:-target}/checked-doc/$name-$kind"
