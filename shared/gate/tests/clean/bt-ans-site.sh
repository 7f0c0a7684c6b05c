#!/usr/bin/env bash
set -euo pipefail

mkdir -p site/templates
cd site

cat > inventory.ini <<'EOF'
[web]
server
EOF

cat > playbook.yml <<'EOF'
---
- name: Web shop behind nginx with Let's Encrypt
  hosts: web
  become: true
  vars:
    domain: shop.example.com
    webroot: /var/www/letsencrypt
    certbot_email: ops@example.com
    upstream_port: 8080

  tasks:
    - name: Install nginx and certbot
      ansible.builtin.apt:
        name:
          - nginx
          - certbot
        state: present
        update_cache: true
        cache_valid_time: 3600

    - name: Create the webroot for the challenges
      ansible.builtin.file:
        path: "{{ webroot }}"
        state: directory
        owner: root
        group: root
        mode: "0755"

    - name: Write the HTTP site
      ansible.builtin.template:
        src: http.conf.j2
        dest: /etc/nginx/conf.d/10-http.conf
        owner: root
        group: root
        mode: "0644"
      notify: Reload nginx

    - name: Reload now, the challenge needs the HTTP site
      ansible.builtin.meta: flush_handlers

    - name: Get the certificate
      ansible.builtin.command:
        cmd: >-
          certbot certonly --webroot -w {{ webroot }} -d {{ domain }}
          -m {{ certbot_email }} --agree-tos --non-interactive
          --deploy-hook "systemctl reload nginx"
        creates: /etc/letsencrypt/live/{{ domain }}/fullchain.pem

    - name: Write the HTTPS site
      ansible.builtin.template:
        src: https.conf.j2
        dest: /etc/nginx/conf.d/20-https.conf
        owner: root
        group: root
        mode: "0644"
      notify:
        - Check nginx
        - Reload nginx

    - name: Start nginx now and at boot
      ansible.builtin.service:
        name: nginx
        state: started
        enabled: true

  handlers:
    - name: Check nginx
      ansible.builtin.command: nginx -t
      changed_when: false

    - name: Reload nginx
      ansible.builtin.service:
        name: nginx
        state: reloaded
EOF

cat > templates/http.conf.j2 <<'EOF'
server {
    listen 80;
    listen [::]:80;
    server_name {{ domain }};

    location /.well-known/acme-challenge/ {
        root {{ webroot }};
    }

    location / {
        return 301 https://$host$request_uri;
    }
}
EOF

cat > templates/https.conf.j2 <<'EOF'
server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name {{ domain }};

    ssl_certificate /etc/letsencrypt/live/{{ domain }}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/{{ domain }}/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    add_header Strict-Transport-Security "max-age=31536000" always;

    location / {
        proxy_pass http://127.0.0.1:{{ upstream_port }};
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
    }
}
EOF

ansible-playbook -i inventory.ini --syntax-check playbook.yml
ansible-playbook -i inventory.ini playbook.yml

ssh server 'systemctl is-active nginx'
curl -sS -o /dev/null -w '%{http_code}\n' http://shop.example.com/ | grep -x 301
curl -fsS -o /dev/null https://shop.example.com/
