
# A test alert of its own group reaches the webhook, after the 30 seconds for which Alertmanager gathers a group.
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
get() { curl --fail --silent --show-error --max-time 10 "$@"; }
sum() { get http://127.0.0.1:9093/metrics | awk -v name="$1" 'index($1, name "{") == 1 && /integration="webhook"/ { all += $2 } END { print all + 0 }'; }
requests=alertmanager_notification_requests_total
refused=alertmanager_notification_requests_failed_total

before=$(($(sum $requests) - $(sum $refused)))
ends=$(date --utc --date='2 minutes' +%Y-%m-%dT%H:%M:%SZ)
get --header 'Content-Type: application/json' \
  --data "[{\"labels\":{\"alertname\":\"ValidationTest$(date +%s)\",\"severity\":\"none\"},\"endsAt\":\"$ends\"}]" \
  http://127.0.0.1:9093/api/v2/alerts
echo "waiting until the webhook has accepted it"
for _ in $(seq 45); do
  accepted=$(($(sum $requests) - $(sum $refused) - before))
  if ((accepted > 0)); then
    break
  fi
  sleep 2
done
echo "accepted by the webhook: $accepted, refused so far: $(sum $refused)"
((accepted > 0))
REMOTE
