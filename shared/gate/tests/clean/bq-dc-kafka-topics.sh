#!/usr/bin/env bash
# Kafka with KRaft, three brokers on a private network, and topics from a table that is applied again and again.
set -euo pipefail

mkdir -p ~/workspace/kafka
cd ~/workspace/kafka

# The id of the cluster is made once; 22 characters of base64 without padding.
[[ -s cluster.id ]] || openssl rand 16 | base64 | tr '+/' 'AB' | tr -d '=\n' > cluster.id
printf 'CLUSTER_ID=%s\n' "$(cat cluster.id)" > .env

cat > topics.csv <<'EOF'
orders,6,604800000,delete
order-events,6,2592000000,delete
customers,3,-1,compact
EOF

cat > compose.yaml <<'EOF'
name: kafka

x-broker: &broker
  image: apache/kafka:3.9.0
  restart: unless-stopped
  stop_grace_period: 60s
  networks: [kafka]
  healthcheck:
    test: ["CMD-SHELL", "/opt/kafka/bin/kafka-broker-api-versions.sh --bootstrap-server localhost:9092 > /dev/null"]
    interval: 10s
    timeout: 10s
    retries: 12
    start_period: 20s

x-env: &env
  CLUSTER_ID: ${CLUSTER_ID:?}
  KAFKA_PROCESS_ROLES: broker,controller
  KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka-1:9093,2@kafka-2:9093,3@kafka-3:9093
  KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
  KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
  KAFKA_INTER_BROKER_LISTENER_NAME: PLAINTEXT
  KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 3
  KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 3
  KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: 2
  KAFKA_DEFAULT_REPLICATION_FACTOR: 3
  KAFKA_MIN_INSYNC_REPLICAS: 2
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: "false"
  KAFKA_LOG_DIRS: /var/lib/kafka/data
  KAFKA_HEAP_OPTS: -Xms512m -Xmx512m

services:
  kafka-1:
    <<: *broker
    environment:
      <<: *env
      KAFKA_NODE_ID: 1
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka-1:9092
    volumes: ["data-1:/var/lib/kafka/data"]
  kafka-2:
    <<: *broker
    environment:
      <<: *env
      KAFKA_NODE_ID: 2
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka-2:9092
    volumes: ["data-2:/var/lib/kafka/data"]
  kafka-3:
    <<: *broker
    environment:
      <<: *env
      KAFKA_NODE_ID: 3
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka-3:9092
    volumes: ["data-3:/var/lib/kafka/data"]

networks:
  kafka:
    internal: true

volumes:
  data-1:
  data-2:
  data-3:
EOF

docker compose config --quiet
docker compose up --detach --wait --wait-timeout 240

kafka() { # TOOL ARGUMENTS...
  local tool=$1
  shift
  docker compose exec -T kafka-1 "/opt/kafka/bin/$tool.sh" --bootstrap-server kafka-1:9092 "$@" < /dev/null
}

while IFS=, read -r topic partitions retention policy; do
  kafka kafka-topics --create --if-not-exists --topic "$topic" --partitions "$partitions" --replication-factor 3
  kafka kafka-configs --alter --entity-type topics --entity-name "$topic" \
    --add-config "retention.ms=$retention,cleanup.policy=$policy,min.insync.replicas=2"
  have=$(kafka kafka-topics --describe --topic "$topic" | sed -n 's/.*PartitionCount: *\([0-9]*\).*/\1/p')
  # Partitions can only grow, and keys move when they do: say so, change nothing.
  [[ $have == "$partitions" ]] || echo "$topic has $have partitions, the table says $partitions" >&2
done < topics.csv

[[ -z $(kafka kafka-topics --describe --under-replicated-partitions) ]]
