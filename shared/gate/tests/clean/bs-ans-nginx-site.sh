#!/usr/bin/env bash
# Nginx as HTTPS front of the shop, with a certificate from Let's Encrypt, by Ansible.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST}"
: "${SHOP_DOMAIN:?set SHOP_DOMAIN}"
: "${ACME_EMAIL:?set ACME_EMAIL}"
ssh_user="${SSH_USER:-deploy}"

work="${WORK_DIR:-$PWD/ans-nginx}"
mkdir -p "$work/templates"
cd "$work"

cat > inventory.ini <<EOF
[web]
shop ansible_host=$SHOP_HOST ansible_user=$ssh_user
EOF

cat > templates/shop.conf.j2 <<'EOF'
upstream shop_app {
    server 127.0.0.1:{{ app_port }};
    keepalive 16;
}

server {
    listen 80;
    server_name {{ domain }};
    location /.well-known/acme-challenge/ {
        root {{ acme_root }};
    }
    location / {
        return 301 https://$host$request_uri;
    }
}
{% if cert.stat.exists %}

server {
    listen 443 ssl http2;
    server_name {{ domain }};
    ssl_certificate /etc/letsencrypt/live/{{ domain }}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/{{ domain }}/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;

    location / {
        proxy_pass http://shop_app;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-Proto $scheme;
    }
}
{% endif %}
EOF

cat > site.yml <<'EOF'
- name: HTTPS front of the shop
  hosts: web
  become: true
  vars:
    app_port: 8080
    acme_root: /var/www/acme
    site_file: /etc/nginx/conf.d/shop.conf
  tasks:
    - name: Install the packages
      ansible.builtin.apt:
        name: [nginx, certbot]
        state: present
        update_cache: true
        cache_valid_time: 3600
    - name: Directory for the challenge
      ansible.builtin.file:
        path: "{{ acme_root }}"
        state: directory
        mode: "0755"
    - name: Look for a certificate
      ansible.builtin.stat:
        path: /etc/letsencrypt/live/{{ domain }}/fullchain.pem
      register: cert
    - name: Site before the certificate
      ansible.builtin.template:
        src: shop.conf.j2
        dest: "{{ site_file }}"
        mode: "0644"
      when: not cert.stat.exists
      notify: Reload nginx
    - ansible.builtin.meta: flush_handlers
    - name: Obtain the certificate
      ansible.builtin.command:
        cmd: >-
          certbot certonly --webroot -w {{ acme_root }} -d {{ domain }}
          -m {{ acme_email }} --agree-tos --non-interactive
          --deploy-hook "systemctl reload nginx"
        creates: /etc/letsencrypt/live/{{ domain }}/fullchain.pem
    - ansible.builtin.stat:
        path: /etc/letsencrypt/live/{{ domain }}/fullchain.pem
      register: cert
    - name: Site with the certificate
      ansible.builtin.template:
        src: shop.conf.j2
        dest: "{{ site_file }}"
        mode: "0644"
      notify: Reload nginx
  handlers:
    - name: Reload nginx
      ansible.builtin.shell: nginx -t && systemctl reload nginx
EOF

ansible-playbook -i inventory.ini --syntax-check site.yml -e "domain=$SHOP_DOMAIN acme_email=$ACME_EMAIL"
ansible-playbook -i inventory.ini site.yml -e "domain=$SHOP_DOMAIN acme_email=$ACME_EMAIL"
curl -fsS --retry 5 --retry-connrefused -o /dev/null "https://$SHOP_DOMAIN/"
