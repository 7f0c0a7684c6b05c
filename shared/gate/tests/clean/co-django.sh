#!/usr/bin/env bash
# The shop with its worker, a database and a broker
set -euo pipefail
cd ~/workspace/shop
cat >Dockerfile <<'EOF'
FROM python:3.13.3-slim
ENV PYTHONUNBUFFERED=1
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
RUN useradd --system app && chown -R app /app
USER app
EXPOSE 8000
CMD ["gunicorn", "--bind", "0.0.0.0:8000", "shop.wsgi:application"]
EOF
cat >docker-compose.yml <<'EOF'
x-app: &app
  build: .
  restart: unless-stopped
  environment:
    DATABASE_URL: postgres://shop:${DATABASE_PASSWORD:?}@db:5432/shop
    BROKER_URL: redis://broker:6379/0
  depends_on:
    db:
      condition: service_healthy
    broker:
      condition: service_started
  networks: [back]

services:
  web:
    <<: *app
    ports:
      - "127.0.0.1:8000:8000"
    networks: [front, back]
  worker:
    <<: *app
    command: ["celery", "--app", "shop", "worker", "--loglevel", "info"]
  db:
    image: postgres:17.4
    restart: unless-stopped
    environment:
      POSTGRES_USER: shop
      POSTGRES_DB: shop
      POSTGRES_PASSWORD: ${DATABASE_PASSWORD:?}
    volumes:
      - data:/var/lib/postgresql/data
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U shop"]
      interval: 5s
      retries: 10
    networks: [back]
  broker:
    image: redis:8.0.1-alpine
    restart: unless-stopped
    networks: [back]

networks:
  front:
  back:
    internal: true

volumes:
  data:
EOF
docker compose build
docker compose up -d --wait
docker compose exec -T web python manage.py migrate --noinput
