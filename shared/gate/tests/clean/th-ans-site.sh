#!/usr/bin/env bash
set -euo pipefail
: "${WEB_HOST:?set WEB_HOST}"
: "${ADMIN_CIDR:?set ADMIN_CIDR}"

mkdir -p ansible/templates
cd ansible

cat > inventory.ini <<EOF
[web]
web1 ansible_host=${WEB_HOST} ansible_user=root

[web:vars]
admin_cidr=${ADMIN_CIDR}
EOF

cat > requirements.yml <<'EOF'
collections:
  - name: community.general
    version: 10.1.0
EOF

cat > templates/site.conf.j2 <<'EOF'
upstream app {
    server 127.0.0.1:{{ app_port }};
    keepalive 16;
}

server {
    listen 80 default_server;
    server_name {{ server_name }};
    client_max_body_size {{ max_body }};

{% for path in static_paths %}
    location {{ path }} {
        root /var/www/site;
        expires 7d;
    }
{% endfor %}

    location / {
        proxy_pass http://app;
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
}
EOF

cat > site.yml <<'EOF'
- name: Web server
  hosts: web
  become: true
  vars:
    server_name: "{{ ansible_host }}"
    app_port: 8000
    max_body: 10m
    static_paths:
      - /static/
      - /media/
  handlers:
    - name: Reload nginx
      ansible.builtin.service:
        name: nginx
        state: reloaded
  tasks:
    - name: Packages
      ansible.builtin.apt:
        name: [nginx, ufw]
        state: present
        update_cache: true
        cache_valid_time: 3600

    - name: Site configuration
      ansible.builtin.template:
        src: site.conf.j2
        dest: /etc/nginx/conf.d/site.conf
        owner: root
        group: root
        mode: "0644"
      notify: Reload nginx

    - name: Default site is off
      ansible.builtin.file:
        path: /etc/nginx/sites-enabled/default
        state: absent
      notify: Reload nginx

    - name: SSH from the administrator
      community.general.ufw:
        rule: allow
        port: "22"
        proto: tcp
        src: "{{ admin_cidr }}"

    - name: Web ports
      community.general.ufw:
        rule: allow
        port: "{{ item }}"
        proto: tcp
      loop: ["80", "443"]

    - name: Firewall is on
      community.general.ufw:
        state: enabled
        policy: deny
        direction: incoming

    - name: Check the nginx configuration
      ansible.builtin.command: nginx -t
      changed_when: false
EOF

ansible-galaxy collection install -r requirements.yml
ansible-playbook -i inventory.ini --syntax-check site.yml
ansible-playbook -i inventory.ini site.yml
ansible -i inventory.ini web -b -m ansible.builtin.command -a 'ufw status' | grep -q 'Status: active'
