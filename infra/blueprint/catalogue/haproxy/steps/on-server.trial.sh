
# No request is lost while each application server restarts, while one is taken out, and while one is killed.
found=$(terraform -chdir=terraform output -json app_ips)
listed=$(python3 -c 'import ipaddress, json, sys; [print(ipaddress.IPv4Address(one)) for one in json.loads(sys.argv[1])]' "$found")
mapfile -t addresses <<<"$listed"
balancer() { ssh -F ssh/config @name@ "$@"; }
# on NUMBER COMMAND...: runs a command on an application server
on() { ssh -F ssh/config -o "HostName=${addresses[$1 - 1]}" @name@ "${@:2}"; }
counted=$(mktemp)
trap 'rm -f "$counted"' EXIT

# It asks until its file on the balancer is gone.
begin() {
  asking=$(balancer mktemp)
  balancer ask-often "$asking" http://127.0.0.1/ "$@" </dev/null >"$counted" &
  visitors=$!
  sleep 2
}
end() {
  balancer rm -f "$asking"
  if ! wait "$visitors"; then
    cat "$counted"
    echo "requests were lost while $1" >&2
    exit 1
  fi
  echo "while $1:"
  cat "$counted"
}

begin GET POST
for ((at = 1; at <= ${#addresses[@]}; at++)); do
  on "$at" sudo systemctl restart app
  balancer sudo app-servers wait "@name@-app-$at"
done
end "each application server restarted"

begin GET POST
balancer sudo app-servers take-out @name@-app-1
on 1 sudo systemctl stop app
sleep 2
on 1 sudo systemctl start app
balancer sudo app-servers put-back @name@-app-1
end "@name@-app-1 was taken out and put back"

begin GET
on 1 sudo systemctl kill --signal SIGKILL app
sleep 5
balancer sudo app-servers wait @name@-app-1
end "the application on @name@-app-1 was killed"
