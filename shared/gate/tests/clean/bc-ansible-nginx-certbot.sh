#!/usr/bin/env bash
# nginx with a certificate from Let's Encrypt in front of the application on 127.0.0.1:8000.
set -euo pipefail

cd "$(mkdir -p ~/workspace/web && cd ~/workspace/web && pwd)"
mkdir -p roles/tls_site/{defaults,tasks,handlers,templates}

cat > inventory.yml <<'EOF'
web:
  hosts:
    server:
      site_domain: shop.example.org
      site_contact: webmaster@example.org
EOF

cat > roles/tls_site/defaults/main.yml <<'EOF'
---
site_webroot: /var/www/letsencrypt
site_upstream: 127.0.0.1:8000
EOF

cat > roles/tls_site/templates/http.conf.j2 <<'EOF'
server {
    listen 80;
    listen [::]:80;
    server_name {{ site_domain }};

    location /.well-known/acme-challenge/ {
        root {{ site_webroot }};
    }
    location / {
        return 301 https://$host$request_uri;
    }
}
EOF

cat > roles/tls_site/templates/https.conf.j2 <<'EOF'
server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name {{ site_domain }};

    ssl_certificate /etc/letsencrypt/live/{{ site_domain }}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/{{ site_domain }}/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache shared:shop:10m;
    add_header Strict-Transport-Security "max-age=31536000" always;

    location / {
        proxy_pass http://{{ site_upstream }};
        proxy_set_header Host $host;
        proxy_set_header X-Real-IP $remote_addr;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
    }
}
EOF

cat > roles/tls_site/tasks/main.yml <<'EOF'
---
- name: Install nginx and certbot
  ansible.builtin.apt:
    name: [nginx, certbot]
    update_cache: true

- name: Make the directory of the challenges
  ansible.builtin.file:
    path: "{{ site_webroot }}"
    state: directory
    mode: "0755"

- name: Write the site for HTTP
  ansible.builtin.template:
    src: http.conf.j2
    dest: /etc/nginx/conf.d/10-http.conf
    mode: "0644"
  notify: Reload nginx

- name: Serve it before the certificate is asked for
  ansible.builtin.meta: flush_handlers

- name: Get the certificate
  ansible.builtin.command:
    argv:
      - certbot
      - certonly
      - --non-interactive
      - --agree-tos
      - --webroot
      - --webroot-path={{ site_webroot }}
      - --email={{ site_contact }}
      - --domain={{ site_domain }}
      - --deploy-hook=systemctl reload nginx
    creates: /etc/letsencrypt/live/{{ site_domain }}/fullchain.pem

- name: Write the site for HTTPS
  ansible.builtin.template:
    src: https.conf.j2
    dest: /etc/nginx/conf.d/20-https.conf
    mode: "0644"
  notify: Reload nginx

- name: Renew twice a day
  ansible.builtin.systemd_service:
    name: certbot.timer
    state: started
    enabled: true
EOF

cat > roles/tls_site/handlers/main.yml <<'EOF'
---
- name: Test the configuration
  ansible.builtin.command: nginx -t
  changed_when: false
  listen: Reload nginx

- name: Reload the service
  ansible.builtin.systemd_service:
    name: nginx
    state: reloaded
  listen: Reload nginx
EOF

cat > web.yml <<'EOF'
---
- hosts: web
  become: true
  roles:
    - tls_site
EOF

ansible-playbook -i inventory.yml web.yml
curl -sS -o /dev/null -w '%{http_code} %{redirect_url}\n' http://shop.example.org/ | grep -Fx '301 https://shop.example.org/'
openssl s_client -connect shop.example.org:443 -servername shop.example.org -verify_return_error < /dev/null > handshake.txt
openssl x509 -in handshake.txt -noout -checkend 864000
