get http://127.0.0.1:9093/api/v2/status | grep -q webhook_configs
get http://127.0.0.1:9093/metrics | awk '
  /integration="webhook"/ && /^alertmanager_notification_requests_total[{]/ { sent += $2 }
  /integration="webhook"/ && /^alertmanager_notification_requests_failed_total[{]/ { failed += $2 }
  END { print "posted to the webhook since the start: " sent + 0 ", refused by it: " failed + 0; exit sent > 0 && failed == sent }'
