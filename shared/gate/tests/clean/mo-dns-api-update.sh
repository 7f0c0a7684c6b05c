#!/usr/bin/env bash
# Set an A record in Hetzner DNS by its API.
set -euo pipefail

: "${HETZNER_DNS_TOKEN:?}"
zone=example.org
name=app
ip=${1:?usage: $0 ADDRESS}
api=https://dns.hetzner.com/api/v1

if [[ ! $ip =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]]; then
  echo "not an IPv4 address: $ip" >&2
  exit 2
fi

call() {
  local method=$1 path=$2
  shift 2
  curl -fsS --max-time 20 -X "$method" \
    -H @<(printf 'Auth-API-Token: %s\n' "$HETZNER_DNS_TOKEN") \
    -H 'Content-Type: application/json' \
    "$@" "$api$path"
}

zone_id=$(call GET "/zones?name=$zone" | jq -er '.zones[0].id')
record_id=$(
  call GET "/records?zone_id=$zone_id" |
    jq -r --arg name "$name" \
      'first(.records[] | select(.type == "A" and .name == $name) | .id) // empty'
)

body=$(jq -n --arg zone "$zone_id" --arg name "$name" --arg ip "$ip" --argjson ttl 300 \
  '{zone_id: $zone, type: "A", name: $name, value: $ip, ttl: $ttl}')

if [[ -n $record_id ]]; then
  call PUT "/records/$record_id" --data "$body" > /dev/null
else
  call POST /records --data "$body" > /dev/null
fi

for attempt in {1..10}; do
  answer=$(dig +short A "$name.$zone" @hydrogen.ns.hetzner.com || true)
  if [[ $answer == "$ip" ]]; then
    echo "ok after $attempt attempts"
    exit 0
  fi
  sleep 15
done
echo "record not visible yet" >&2
exit 1
