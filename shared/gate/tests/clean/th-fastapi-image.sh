#!/usr/bin/env bash
set -euo pipefail
app=/srv/notes
mkdir -p "$app/src"
cd "$app"

cat > requirements.txt <<'EOF'
fastapi==0.115.6
uvicorn==0.34.0
redis==5.2.1
EOF

cat > src/main.py <<'EOF'
import os
from datetime import datetime, timezone

import redis
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, Field

app = FastAPI(title="notes")
store = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)


class Note(BaseModel):
    title: str = Field(max_length=100)
    body: str = ""


@app.get("/healthz")
def healthz():
    store.ping()
    return {"ok": True, "time": datetime.now(timezone.utc).isoformat()}


@app.put("/notes/{key}")
def put_note(key: str, note: Note):
    store.hset(f"note:{key}", mapping=note.model_dump())
    return {"saved": key}


@app.get("/notes/{key}")
def get_note(key: str):
    found = store.hgetall(f"note:{key}")
    if not found:
        raise HTTPException(status_code=404, detail="no such note")
    return found
EOF

cat > Dockerfile <<'EOF'
FROM python:3.12.8-slim-bookworm AS build
WORKDIR /build
COPY requirements.txt .
RUN pip install --no-cache-dir --prefix=/install -r requirements.txt

FROM python:3.12.8-slim-bookworm
COPY --from=build /install /usr/local
RUN useradd --system --uid 10001 app
WORKDIR /app
COPY src/ .
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --retries=5 \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz')"]
CMD ["uvicorn", "main:app", "--host", "0.0.0.0", "--port", "8000"]
EOF

printf '%s\n' '__pycache__' '.git' '*.env' > .dockerignore

cat > compose.yaml <<'EOF'
services:
  api:
    build:
      context: .
    image: notes-api:1.0.0
    read_only: true
    cap_drop: [ALL]
    environment:
      REDIS_URL: redis://cache:6379/0
    ports:
      - "127.0.0.1:8000:8000"
    depends_on:
      cache:
        condition: service_healthy
    networks: [front, back]
  cache:
    image: redis:7.4.1-alpine
    command: ["redis-server", "--appendonly", "yes"]
    volumes:
      - type: volume
        source: cache
        target: /data
    healthcheck:
      test: ["CMD", "redis-cli", "ping"]
      interval: 5s
      retries: 10
    networks: [back]
networks:
  front:
  back:
    internal: true
volumes:
  cache:
EOF

python3 -m py_compile src/main.py
docker compose build
docker compose up --detach --wait
curl -fsS -X PUT http://127.0.0.1:8000/notes/first -H 'Content-Type: application/json' -d '{"title": "one", "body": "text"}'
test "$(curl -fsS http://127.0.0.1:8000/notes/first | jq -r .title)" = one
