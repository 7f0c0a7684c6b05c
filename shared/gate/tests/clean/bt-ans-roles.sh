#!/usr/bin/env bash
set -euo pipefail

root="ansible"
mkdir -p "$root"/roles/{redis,haproxy}/{tasks,handlers,templates,defaults}

cat > "$root/requirements.yml" <<'EOF'
---
collections:
  - name: ansible.posix
    version: "1.6.2"
  - name: community.general
    version: "10.1.0"
EOF

cat > "$root/site.yml" <<'EOF'
---
- name: Cache and load balancer
  hosts: shop
  become: true
  roles:
    - role: redis
    - role: haproxy
EOF

cat > "$root/hosts.ini" <<'EOF'
[shop]
server
EOF

cat > "$root/roles/redis/defaults/main.yml" <<'EOF'
---
redis_bind: 127.0.0.1
redis_maxmemory: 256mb
EOF

cat > "$root/roles/redis/tasks/main.yml" <<'EOF'
---
- name: Install redis
  ansible.builtin.apt:
    name: redis-server
    state: present
    update_cache: true

- name: Configure redis
  ansible.builtin.lineinfile:
    path: /etc/redis/redis.conf
    regexp: "^{{ item.key }} "
    line: "{{ item.key }} {{ item.value }}"
  loop:
    - key: bind
      value: "{{ redis_bind }}"
    - key: maxmemory
      value: "{{ redis_maxmemory }}"
  notify: Restart redis

- name: Allow overcommit for the snapshots
  ansible.posix.sysctl:
    name: vm.overcommit_memory
    value: "1"
EOF

cat > "$root/roles/redis/handlers/main.yml" <<'EOF'
---
- name: Restart redis
  ansible.builtin.service:
    name: redis-server
    state: restarted
EOF

cat > "$root/roles/haproxy/defaults/main.yml" <<'EOF'
---
haproxy_backends:
  - name: app1
    address: 10.0.0.11:8080
  - name: app2
    address: 10.0.0.12:8080
haproxy_cert: /etc/haproxy/certs/shop.pem # installed by the step before
EOF

cat > "$root/roles/haproxy/tasks/main.yml" <<'EOF'
---
- name: Install haproxy
  ansible.builtin.apt:
    name: haproxy

- name: Write the haproxy configuration
  ansible.builtin.template:
    src: haproxy.cfg.j2
    dest: /etc/haproxy/haproxy.cfg
    group: haproxy
    mode: "0640"
    validate: haproxy -c -f %s
  notify: Reload haproxy
EOF

cat > "$root/roles/haproxy/handlers/main.yml" <<'EOF'
---
- name: Reload haproxy
  ansible.builtin.service:
    name: haproxy
    state: reloaded
EOF

cat > "$root/roles/haproxy/templates/haproxy.cfg.j2" <<'EOF'
global
    user haproxy
    group haproxy
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend web
    bind :80
    bind :443 ssl crt {{ haproxy_cert }} alpn h2,http/1.1
    http-request redirect scheme https code 301 unless { ssl_fc }
    default_backend shop
backend shop
    balance roundrobin
{% for backend in haproxy_backends %}
    server {{ backend.name }} {{ backend.address }} check
{% endfor %}
EOF

cd "$root"
ansible-galaxy collection install -r requirements.yml
ansible-playbook -i hosts.ini site.yml --syntax-check
ansible-playbook -i hosts.ini site.yml
ssh server 'redis-cli ping && systemctl is-active haproxy redis-server'
