#!/usr/bin/env bash
# Knocks on the server's ports from outside, and compares what listens there and what its firewall lets in with the plan
set -euo pipefail

address=$(ssh -F ssh/config -G @name@ | awk '$1 == "hostname" { print $2 }')
open=(22@open_ports_sh@)
closed=(@closed_ports@)

# Says open, refused (the firewall let it through, and nothing answers) or silent (the firewall took it).
knock() {
  local code=0
  timeout 4 bash -c "exec 3<>/dev/tcp/$address/$1" 2>/dev/null || code=$?
  case $code in
    0) echo open ;;
    124) echo silent ;;
    *) echo refused ;;
  esac
}

# All at the same time: a port that stays silent takes four seconds.
knocked=$(
  for port in "${open[@]}" "${closed[@]}"; do
    echo "$port $(knock "$port")" &
  done
  wait
)
declare -A answers
while read -r port answer; do
  answers[$port]=$answer
done <<<"$knocked"

# Everything that differs is named, not only the first.
differs=0
for port in "${open[@]}"; do
  answer=${answers[$port]}
  case $port:$answer in
    *:open) echo "port $port: open" ;;
    22:*)
      echo "port 22 does not answer" >&2
      exit 1
      ;;
    *:refused) echo "port $port: let through, and nothing answers yet" ;;
    *)
      echo "port $port is planned to be open, and the firewall takes it" >&2
      differs=1
      ;;
  esac
done
for port in "${closed[@]}"; do
  answer=${answers[$port]}
  if [[ $answer == open ]]; then
    echo "port $port is open to this sandbox, and must not be" >&2
    differs=1
  elif [[ $answer == refused ]]; then
    echo "port $port is let through by the firewall, and must not be, though nothing answers" >&2
    differs=1
  else
    echo "port $port: closed"
  fi
done

# Not every port can be knocked on: the server is asked which it has.
code=0
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE' || code=$?
set -euo pipefail
described=' 22@open_ports_sh@ @own_ports@ '
differs=0
listening=$(sudo ss --listening --tcp --numeric --processes --no-header)
while read -r _ _ _ place _ process; do
  case $place in
    '' | 127.* | '[::1]'* | '[::ffff:127.'*) continue ;;
  esac
  if [[ $described != *" ${place##*:} "* ]]; then
    echo "port ${place##*:} is not described, and something listens there at $place: ${process:-unknown}" >&2
    differs=1
  fi
done <<<"$listening"
if [[ -x /usr/sbin/ufw ]]; then
  rules=$(sudo ufw show added)
  while read -r rule; do
    port=${rule#ufw allow }
    case $rule in
      'ufw allow '[0-9]*/tcp)
        [[ $described != *" ${port%/tcp} "* ]] || continue
        ;;
      '' | 'Added user rules '* | '(None)'@own_rules@) continue ;;
    esac
    echo "the firewall has a rule that is not described: $rule" >&2
    differs=1
  done <<<"$rules"
fi
if ((differs)); then
  exit 1
fi
echo "listening beyond loopback, and let in by the server's own firewall:$described"
REMOTE
if ((code == 255)); then
  echo "the server could not be asked which ports it has" >&2
  exit 1
fi
if ((differs || code)); then
  exit 1
fi
echo "Verified: on $address only the planned ports (${open[*]}) may answer, ${#closed[@]} others are closed, and nothing else listens"
