
# A test alert reaches Alertmanager, and ends after two minutes.
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
ends=$(date --utc --date='2 minutes' +%Y-%m-%dT%H:%M:%SZ)
curl --fail --silent --show-error --max-time 10 --header 'Content-Type: application/json' \
  --data "[{\"labels\":{\"alertname\":\"ValidationTest\",\"severity\":\"none\"},\"endsAt\":\"$ends\"}]" \
  http://127.0.0.1:9093/api/v2/alerts
found=$(curl --fail --silent --show-error --max-time 10 'http://127.0.0.1:9093/api/v2/alerts?filter=alertname%3D%22ValidationTest%22')
echo "$found"
grep -q ValidationTest <<<"$found"
REMOTE
