#!/usr/bin/env bash
set -euo pipefail

mkdir -p app
cat > app/requirements.txt <<'EOF'
flask==3.1.0
gunicorn==23.0.0
EOF

cat > app/main.py <<'EOF'
from flask import Flask

app = Flask(__name__)


@app.get("/healthz")
def healthz():
    return {"status": "ok"}
EOF

cat > app/Dockerfile <<'EOF'
FROM python:3.12.8-slim-bookworm
WORKDIR /srv
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY main.py .
RUN useradd --system app
USER app
EXPOSE 8000
CMD ["gunicorn", "--bind", "0.0.0.0:8000", "main:app"]
EOF

cat > compose.yaml <<'EOF'
services:
  api:
    build:
      context: ./app
    image: acme/api:1.0.0
    ports:
      - "127.0.0.1:8000:8000"
    deploy:
      resources:
        limits:
          cpus: "0.50"
          memory: 256M
    restart: on-failure
EOF

docker compose build --quiet
docker compose up -d
curl -fsS --retry 10 --retry-delay 2 --retry-all-errors http://127.0.0.1:8000/healthz | grep -q ok
