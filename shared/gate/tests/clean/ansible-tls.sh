#!/usr/bin/env bash
# Puts the TLS site in place
set -euo pipefail
mkdir -p ~/workspace/ansible/{files,templates}
cd ~/workspace/ansible

cat >templates/shop.conf.j2 <<'EOF'
server {
    listen 443 ssl;
    listen [::]:443 ssl;
    http2 on;
    server_name {{ site_domain }};

    ssl_certificate     /etc/letsencrypt/live/{{ site_domain }}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/{{ site_domain }}/privkey.pem;
    ssl_protocols       TLSv1.2 TLSv1.3;

    location / {
        proxy_pass http://127.0.0.1:{{ site_port }};
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
}
EOF

printf '%s\n' 'location = /health { return 204; }' >files/health.conf

cat >tls.yml <<'EOF'
---
- name: Serve the shop with TLS
  hosts: web
  become: true
  vars:
    site_domain: shop.example.org
    site_port: 8080
    site_mail: "admin@{{ site_domain }}"
  pre_tasks:
    - name: Check the operating system
      ansible.builtin.assert:
        that:
          - ansible_facts['os_family'] == 'Debian'
          - ansible_facts['distribution_major_version'] | int >= 12
        fail_msg: This playbook needs Debian 12 or later
  tasks:
    - name: Install nginx and certbot
      ansible.builtin.package:
        name: [nginx, certbot, python3-certbot-nginx]
        state: present

    - name: Get the certificate
      ansible.builtin.command:
        cmd: certbot certonly --nginx --non-interactive --agree-tos -m {{ site_mail }} -d {{ site_domain }}
        creates: "/etc/letsencrypt/live/{{ site_domain }}/fullchain.pem"

    - name: Write the configuration
      block:
        - name: Write the health check
          ansible.builtin.copy:
            src: health.conf
            dest: /etc/nginx/snippets/health.conf
            mode: "0644"

        - name: Write the site
          ansible.builtin.template:
            src: shop.conf.j2
            dest: /etc/nginx/conf.d/shop.conf
            mode: "0644"
          notify: reload nginx
      rescue:
        - name: Say what happened
          ansible.builtin.fail:
            msg: "nginx was not configured: {{ ansible_failed_result.msg }}"

  handlers:
    - name: Reload the web server
      listen: reload nginx
      ansible.builtin.service:
        name: nginx
        state: reloaded
EOF
ansible-playbook -i inventory.ini tls.yml --diff
curl --fail --silent --show-error --max-time 20 --resolve shop.example.org:443:203.0.113.9 https://shop.example.org/health
