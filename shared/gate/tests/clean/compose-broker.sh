#!/usr/bin/env bash
# Starts the message broker and a worker that is built here
set -euo pipefail
mkdir -p ~/workspace/broker/worker
cd ~/workspace/broker
cat > compose.yml <<EOF
services:
  broker:
    image: rabbitmq:4.1.4-management
    hostname: broker
    volumes:
      - broker:/var/lib/rabbitmq
    healthcheck:
      test: rabbitmq-diagnostics -q ping
      interval: 15s
      timeout: 10s
      retries: 8
    deploy:
      resources:
        limits: {cpus: "1.0", memory: 512M}
  worker:
    build:
      context: ./worker
      args:
        VERSION: "2.3.1"
    image: broker/worker:2.3.1
    environment:
      BROKER_URL: amqp://broker:5672
    user: "10001:10001"
    read_only: true
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    depends_on:
      broker: {condition: service_healthy}
volumes:
  broker:
EOF
cat > worker/Dockerfile <<'EOF'
# syntax=docker/dockerfile:1.19
FROM python:3.13.7-slim AS build
ARG VERSION
WORKDIR /src
COPY requirements.txt .
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install --no-cache-dir --prefix=/opt/worker -r requirements.txt

FROM python:3.13.7-slim
ARG VERSION
LABEL org.opencontainers.image.version=$VERSION
COPY --from=build /opt/worker /usr/local
COPY worker.py /app/worker.py
USER 10001
ENTRYPOINT ["python", "/app/worker.py"]
EOF
cat > worker/requirements.txt <<'EOF'
pika==1.3.2
EOF
cat > worker/worker.py <<'EOF'
import os

import pika

connection = pika.BlockingConnection(pika.URLParameters(os.environ["BROKER_URL"]))
channel = connection.channel()
channel.queue_declare(queue="orders", durable=True)
channel.basic_consume("orders", lambda c, m, p, body: print(body), auto_ack=True)
channel.start_consuming()
EOF
docker compose build --quiet
docker compose up --detach --wait --wait-timeout 120
docker compose exec -T broker rabbitmqctl list_queues --quiet | grep -q '^orders'
