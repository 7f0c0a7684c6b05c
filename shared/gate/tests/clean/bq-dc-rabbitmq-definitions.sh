#!/usr/bin/env bash
# RabbitMQ with its queues, users and policies from one definitions file; passwords appear in it as hashes only.
set -euo pipefail

mkdir -p ~/workspace/rabbit/secrets
cd ~/workspace/rabbit
umask 077
chmod 0700 secrets

for user in admin shop worker; do
  [[ -s secrets/$user ]] || openssl rand -hex 24 | tr -d '\n' > "secrets/$user"
done

# base64(salt + sha256(salt + password)); the salt is kept, so that the file stays the same.
rabbit_hash() { # USER
  local user=$1
  [[ -s secrets/$user.salt ]] || openssl rand -hex 4 | tr -d '\n' > "secrets/$user.salt"
  python3 - "secrets/$user" "secrets/$user.salt" <<'EOF'
import base64
import hashlib
import pathlib
import sys

password = pathlib.Path(sys.argv[1]).read_text().encode()
salt = bytes.fromhex(pathlib.Path(sys.argv[2]).read_text())
print(base64.b64encode(salt + hashlib.sha256(salt + password).digest()).decode())
EOF
}

jq -n --arg admin "$(rabbit_hash admin)" --arg shop "$(rabbit_hash shop)" --arg worker "$(rabbit_hash worker)" '
  def user($name; $hash; $tags): {name: $name, password_hash: $hash, hashing_algorithm: "rabbit_password_hashing_sha256", tags: $tags};
  def grant($name; $configure; $write; $read): {user: $name, vhost: "shop", configure: $configure, write: $write, read: $read};
  {
    vhosts: [{name: "shop"}],
    users: [user("admin"; $admin; ["administrator"]), user("shop"; $shop; []), user("worker"; $worker; [])],
    permissions: [
      grant("admin"; ".*"; ".*"; ".*"),
      grant("shop"; "^$"; "^orders$"; "^$"),
      grant("worker"; "^$"; "^orders\\.dead$"; "^orders\\.mail$")
    ],
    exchanges: [
      {name: "orders", vhost: "shop", type: "topic", durable: true, auto_delete: false, internal: false, arguments: {}},
      {name: "orders.dead", vhost: "shop", type: "fanout", durable: true, auto_delete: false, internal: false, arguments: {}}
    ],
    queues: [
      {name: "orders.mail", vhost: "shop", durable: true, auto_delete: false,
       arguments: {"x-queue-type": "quorum", "x-delivery-limit": 5, "x-dead-letter-exchange": "orders.dead"}},
      {name: "orders.dead", vhost: "shop", durable: true, auto_delete: false, arguments: {"x-queue-type": "quorum"}}
    ],
    bindings: [
      {source: "orders", vhost: "shop", destination: "orders.mail", destination_type: "queue", routing_key: "order.*.paid", arguments: {}},
      {source: "orders.dead", vhost: "shop", destination: "orders.dead", destination_type: "queue", routing_key: "", arguments: {}}
    ],
    policies: [
      {name: "length", vhost: "shop", pattern: "^orders\\.", "apply-to": "queues", priority: 0,
       definition: {"max-length": 100000, overflow: "reject-publish"}}
    ]
  }' > definitions.json

cat > rabbitmq.conf <<'EOF'
load_definitions = /etc/rabbitmq/definitions.json
vm_memory_high_watermark.relative = 0.6
disk_free_limit.absolute = 2GB
log.console.level = info
EOF
# The server runs as another user and must read the two; the folder itself stays closed.
chmod 0644 definitions.json rabbitmq.conf
chmod 0700 .

cat > compose.yaml <<'EOF'
name: rabbit
services:
  rabbitmq:
    image: rabbitmq:4.0.5-management
    hostname: rabbit-1
    restart: unless-stopped
    ports:
      - "127.0.0.1:5672:5672"
      - "127.0.0.1:15672:15672"
    volumes:
      - data:/var/lib/rabbitmq
      - ./rabbitmq.conf:/etc/rabbitmq/conf.d/20-shop.conf:ro
      - ./definitions.json:/etc/rabbitmq/definitions.json:ro
    ulimits:
      nofile: 65536
    healthcheck:
      test: ["CMD", "rabbitmq-diagnostics", "-q", "check_running"]
      interval: 10s
      timeout: 10s
      retries: 12
volumes:
  data:
EOF

docker compose config --quiet
docker compose up --detach --wait --wait-timeout 180
# For a broker that runs already: the file again, without a restart.
docker compose exec -T rabbitmq rabbitmqctl -q import_definitions /etc/rabbitmq/definitions.json

for user in admin shop worker; do
  docker compose exec -T rabbitmq sh -c 'rabbitmqctl -q authenticate_user "$1"' sh "$user" < "secrets/$user"
done
docker compose exec -T rabbitmq rabbitmqctl -q list_queues --vhost shop name type messages
