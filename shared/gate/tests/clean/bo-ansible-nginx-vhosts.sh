#!/usr/bin/env bash
# Configure nginx on web1 and web2 by an Ansible role: one HTTP virtual host per site, port 80 open to everyone (TLS comes in the next step).
set -euo pipefail

mkdir -p ansible/roles/nginx/{defaults,tasks,handlers,templates}
cd ansible

cat > ansible.cfg <<'EOF'
[defaults]
inventory = inventory.yml
roles_path = roles
interpreter_python = auto_silent
[ssh_connection]
pipelining = True
EOF

cat > inventory.yml <<'EOF'
web:
  hosts:
    web1:
    web2:
EOF

cat > roles/nginx/defaults/main.yml <<'EOF'
nginx_sites:
  - name: shop
    hosts: [shop.example.com, www.shop.example.com]
    upstreams: ["10.0.2.21:8080", "10.0.2.22:8080"]
  - name: blog
    hosts: [blog.example.com]
    upstreams: ["10.0.2.31:2368"]
EOF

cat > roles/nginx/templates/site.conf.j2 <<'EOF'
# {{ ansible_managed }}
upstream {{ item.name }} {
{% for u in item.upstreams %}
    server {{ u }} max_fails=3 fail_timeout=10s;
{% endfor %}
    keepalive 16;
}

server {
    listen 80;
    listen [::]:80;
    server_name {{ item.hosts | join(' ') }};

    location = /healthz {
        access_log off;
        default_type text/plain;
        return 200 "ok\n";
    }

    location / {
        proxy_pass http://{{ item.name }};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
    }
}
EOF

cat > roles/nginx/tasks/main.yml <<'EOF'
- name: Install nginx
  ansible.builtin.apt:
    name: nginx
    state: present
    update_cache: true
    cache_valid_time: 3600

- name: Write the sites
  ansible.builtin.template:
    src: site.conf.j2
    dest: "/etc/nginx/conf.d/{{ item.name }}.conf"
    owner: root
    group: root
    mode: "0644"
  loop: "{{ nginx_sites }}"
  loop_control:
    label: "{{ item.name }}"
  notify: Reload nginx

- name: Check the whole configuration
  ansible.builtin.command: nginx -t
  changed_when: false

- name: Enable and start nginx
  ansible.builtin.systemd_service:
    name: nginx
    enabled: true
    state: started
EOF

cat > roles/nginx/handlers/main.yml <<'EOF'
- name: Reload nginx
  ansible.builtin.systemd_service:
    name: nginx
    state: reloaded
EOF

cat > site.yml <<'EOF'
- name: Web servers
  hosts: web
  become: true
  serial: 1
  roles:
    - nginx
  post_tasks:
    - name: Apply pending reloads before the check
      ansible.builtin.meta: flush_handlers

    - name: Every site answers
      ansible.builtin.uri:
        url: http://127.0.0.1/healthz
        headers:
          Host: "{{ item.hosts[0] }}"
        status_code: 200
      loop: "{{ nginx_sites }}"
      loop_control:
        label: "{{ item.name }}"
      register: probe
      until: probe.status == 200
      retries: 5
      delay: 2
EOF

ansible-playbook --syntax-check site.yml
ansible-playbook site.yml
