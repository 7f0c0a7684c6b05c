# shellcheck shell=bash
# Read before a script. At the script's end, wherever that is, it looks for background jobs that failed unnoticed.
unset BASH_ENV

# Without operands, bash's own `wait` succeeds however the jobs ended; this one fails if one of them did.
wait() {
  { local - IFS=$' \t\n' code=0 ended list=${0%/*}/jobs.$BASHPID pid; set +eux; } 2>/dev/null
  if [[ $# != 0 ]]; then
    builtin wait "$@"
    return
  fi
  builtin jobs -p >|"$list" || return
  while builtin read -r pid; do
    builtin wait "$pid"
    ended=$?
    # A script that stops its own helper, or has read enough, knows.
    if [[ $ended != @(0|129|130|141|143) ]]; then
      builtin printf 'wait: a background job failed with exit code %s\n' "$ended" >&2
      [[ $code != 0 ]] || code=$ended
    fi
  done <"$list"
  return "$code"
}

groundcrew_end() {
  { local - code=$1 IFS=$' \t\n' LC_ALL=C line list=${0%/*}/jobs state; set +eux; } 2>/dev/null
  # The last command failed where errexit does not look: before `&&`, or at a prompt.
  if [[ $code != 0 ]]; then
    builtin exit "$code"
  fi
  # In a substitution, bash would leave out jobs that have ended.
  builtin jobs -l >|"$list" || builtin exit
  # One line for each process of a job: "[1]+ 4711 Exit 3    false", then "     4712 Done    | cat".
  while builtin read -r line; do
    if [[ ! $line =~ ^(\[[0-9]+\][+-]?\ +)?[0-9]+\ (.*)$ ]]; then
      continue
    fi
    state=${BASH_REMATCH[2]}
    case $state in
      # HUP, INT and TERM come from a script that stops its own helper; PIPE from a reader that has read enough.
      Running* | Stopped* | Done* | Hangup* | Interrupt* | Terminated* | 'Broken pipe'*) ;;
      'Exit 129 '* | 'Exit 130 '* | 'Exit 141 '* | 'Exit 143 '*) ;;
      *)
        builtin printf '%s\n' "$state" >>"${0%/*}/note"
        if [[ $state =~ ^Exit\ ([0-9]+) ]]; then
          builtin exit "${BASH_REMATCH[1]}"
        fi
        builtin exit 1
        ;;
    esac
  done <"$list"
}

exit() {
  { local - code=${1-$?}; set +x; } 2>/dev/null
  # In a subshell, `exit` ends only the subshell.
  if [[ $BASHPID == "$$" && $code == 0 ]]; then
    groundcrew_end 0
  fi
  builtin exit "$code"
}
