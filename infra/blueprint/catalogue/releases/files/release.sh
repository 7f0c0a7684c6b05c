#!/usr/bin/env bash
# Switches the application to another release without losing a request:
#   release new NAME <ARCHIVE   a release from a tar archive with an executable file `run`; NAME is 4 to 40 letters and digits
#   release back                the release before the current one
#   release list                all releases, newest first
# A release is tried beside the current one before the switch. systemd holds the socket, so connections wait meanwhile.
set -euo pipefail

home=/srv/app
kept=5
# How long a release may take to be healthy, in seconds.
patience=20

usage() {
  sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
note() { logger --stderr --tag release -- "$*"; }
link() { if [[ -L $home/$1 ]]; then basename "$(readlink "$home/$1")"; fi; }
point() { # LINK NAME: in one rename, so that the link is never missing
  ln --symbolic --force --no-dereference "releases/$2" "$home/$1.new"
  mv --no-target-directory "$home/$1.new" "$home/$1"
}
healthy() { # ADDRESS NAME: waits until the release NAME answers there
  local deadline=$((SECONDS + patience)) said=""
  while ((SECONDS < deadline)); do
    if said=$(curl --silent --fail --max-time 5 "http://$1/health") && [[ $said == *"\"$2\""* ]]; then
      return 0
    fi
    sleep 0.3
  done
  note "the release $2 is not healthy: ${said:-no good answer} after $patience seconds"
  return 1
}
end_trial() {
  systemctl stop app-trial.socket app-trial.service 2>/dev/null || true
  systemctl reset-failed app-trial.socket app-trial.service 2>/dev/null || true
  rm --force "$home/trial"
}
try() { # NAME: starts the release on a socket that only this server reaches
  end_trial
  point trial "$1"
  trap end_trial EXIT
  systemctl start app-trial.socket
  if ! healthy 127.0.0.1:8081 "$1"; then
    journalctl --no-pager --unit app-trial.service --lines 10 --output cat >&2 || true
    return 1
  fi
  end_trial
  trap - EXIT
}
serve() { # NAME: the socket stays open, so connections wait while the service restarts
  point current "$1"
  systemctl restart app.service
  healthy 127.0.0.1:80 "$1"
}
switch() { # NAME
  local before
  before=$(link current)
  try "$1" || exit 1
  if [[ -z $before ]]; then
    # The first release: the socket begins to listen, and starts the service.
    point current "$1"
    systemctl start app.socket
    healthy 127.0.0.1:80 "$1" || exit 1
  elif ! serve "$1"; then
    serve "$before" || true
    note "the switch to $1 was taken back: $before is current again"
    exit 1
  fi
  if [[ -n $before && $before != "$1" ]]; then point before "$before"; fi
  note "$1 is current now${before:+, after $before}"
}
names() { # of all releases, newest first
  find "$home/releases" -mindepth 1 -maxdepth 1 -type d ! -name '*.new' -printf '%T@ %f\n' |
    sort --reverse --numeric-sort | cut --delimiter ' ' --fields 2
}
prune() { # all but the newest, the current one and the one before
  local all name count=0
  all=$(names)
  while read -r name; do
    count=$((count + 1))
    if ((count > kept)) && [[ $name != "$(link current)" && $name != "$(link before)" ]]; then
      rm --recursive --force "${home:?}/releases/$name"
    fi
  done <<<"$all"
}

exec 9>/run/lock/release
flock 9
case ${1-} in
  new)
    name=${2-}
    [[ $# == 2 && $name =~ ^[a-z0-9]{4,40}$ ]] || usage
    folder=$home/releases/$name
    if [[ $name == "$(link current)" ]]; then
      cat >/dev/null
      echo "$name is current already"
      exit 0
    fi
    if [[ ! -d $folder ]]; then
      rm --recursive --force "$folder.new"
      mkdir "$folder.new"
      tar --extract --no-same-owner --no-same-permissions --directory "$folder.new"
      # The application's user reads the release, also one that was packed from a private folder.
      chmod --recursive u=rwX,go=rX "$folder.new"
      if [[ ! -x $folder.new/run ]]; then
        rm --recursive --force "$folder.new"
        echo "the archive has no executable file run" >&2
        exit 1
      fi
      mv --no-target-directory "$folder.new" "$folder"
    else
      cat >/dev/null
    fi
    touch "$folder"
    # A refused release is not kept.
    trap 'if [[ $(link current) != "$name" ]]; then rm --recursive --force "$folder"; fi' EXIT
    (switch "$name")
    trap - EXIT
    prune
    ;;
  back)
    name=$(link before)
    if [[ -z $name || ! -d $home/releases/$name ]]; then
      echo "there is no release before the current one" >&2
      exit 1
    fi
    switch "$name"
    ;;
  list)
    all=$(names)
    if [[ -z $all ]]; then exit; fi
    while read -r name; do
      mark=""
      if [[ $name == "$(link current)" ]]; then mark=" (current)"; fi
      if [[ $name == "$(link before)" ]]; then mark=" (the way back)"; fi
      echo "$name$mark"
    done <<<"$all"
    ;;
  *) usage ;;
esac
