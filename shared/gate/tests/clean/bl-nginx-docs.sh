#!/usr/bin/env bash
set -euo pipefail

mkdir -p public/docs
cat > public/index.html <<'EOF'
<!doctype html>
<title>Docs</title>
<a href="docs/">Documentation</a>
EOF
cat > public/docs/index.html <<'EOF'
<!doctype html>
<title>Manual</title>
<p>Chapter 1</p>
EOF

cat > docs.conf <<'EOF'
server {
    listen 80;
    server_name docs.example.com;
    root /var/www/docs;
    index index.html;

    location / {
        try_files $uri $uri/ =404;
    }

    location ~* \.(css|js|png)$ {
        expires 30d;
        add_header Cache-Control "public";
    }
}
EOF

ssh server 'sudo apt-get update -q && sudo apt-get install -y -q nginx rsync'
ssh server 'sudo install -d -o "$USER" /var/www/docs'
rsync -az --checksum public/ server:/var/www/docs/
scp -q docs.conf server:/tmp/docs.conf
ssh server 'sudo install -m 0644 /tmp/docs.conf /etc/nginx/sites-available/docs.conf &&
  sudo ln -sf /etc/nginx/sites-available/docs.conf /etc/nginx/sites-enabled/docs.conf &&
  sudo nginx -t && sudo systemctl reload nginx'
ssh server 'curl -fsS -H "Host: docs.example.com" http://127.0.0.1/docs/' | grep -q 'Chapter 1'
