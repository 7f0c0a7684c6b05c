planned=$(sudo docker compose --project-directory /opt/@name@ config --services | sort)
running=$(sudo docker compose --project-directory /opt/@name@ ps --services --status running | sort)
if [[ $planned != "$running" ]]; then
  echo "not all services run; planned: $planned; running: $running" >&2
  exit 1
fi
states=$(sudo docker compose --project-directory /opt/@name@ ps --format '{{.Service}} {{.Health}}')
if grep --word-regexp -e unhealthy -e starting <<<"$states"; then
  exit 1
fi
