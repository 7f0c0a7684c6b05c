# shellcheck shell=bash
# Runs `script`, then `proof`, both in this file's folder; $1 is `strict` or `as-typed`. `note` records the progress.
here=${0%/*}
parts=(script)
if [[ -e $here/proof ]]; then
  parts+=(proof)
fi

# Bash's own messages about a killed child would name this file, so they are kept out of the output.
exec 3>&2 2>/dev/null

for part in "${parts[@]}"; do
  printf 'parsing %s\n' "$part" >"$here/note"
  # The parser does not execute `shopt`, so it needs the one option that changes the grammar.
  options=()
  if [[ $(<"$here/$part") == *extglob* ]]; then
    options=(-O extglob)
  fi
  # A here-document without its end is only a warning to bash, and would swallow everything after it.
  complaint=$(bash -n "${options[@]}" "$here/$part" 2>&1 3>&-)
  if [[ -n $complaint ]]; then
    printf '%s\n' "$complaint" >&3
    exit 2
  fi
done

shell=(bash)
if [[ $1 == strict ]]; then
  shell+=(-O inherit_errexit -euo pipefail)
fi
export BASH_ENV=$here/prelude

# The plan that the script saved: a copy that no process can change, and Terraform's description of that copy.
keep_plan() {
  [[ -f terraform/tfplan && terraform/tfplan -nt $here/run ]] || return 0
  ulimit -f 65536
  cp -- terraform/tfplan "$here/tfplan"
  CHECKPOINT_DISABLE=1 timeout --foreground 60 terraform -chdir=terraform show -json "$here/tfplan" >"$here/tfplan.json" 2>/dev/null 3>&-
}

last=$((${#parts[@]} - 1))
for part in "${parts[@]:0:last}"; do
  printf 'running %s\n' "$part" >"$here/note"
  "${shell[@]}" "$here/$part" 2>&3 3>&- || exit
  (unset BASH_ENV; keep_plan)
done
part=${parts[last]}
printf 'running %s\n' "$part" >"$here/note"
# Runs in this process, so that the parent receives a signal that ends it.
exec "${shell[@]}" "$here/$part" 2>&3 3>&-
