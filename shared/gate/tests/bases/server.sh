#!/usr/bin/env bash
# Writes the playbook that makes the server ready, and runs it
set -euo pipefail

mkdir -p ansible/roles/web/{tasks,handlers,templates,defaults}

cat >ansible/ansible.cfg <<'EOF'
[defaults]
inventory = inventory.ini
host_key_checking = true
EOF

cat >ansible/inventory.ini <<'EOF'
[web]
server ansible_host=203.0.113.9 ansible_user=deploy
EOF

cat >ansible/roles/web/defaults/main.yml <<'EOF'
---
web_name: shop
web_port: 8080
web_users:
  - name: deploy
    shell: /bin/bash
EOF

cat >ansible/roles/web/tasks/main.yml <<'EOF'
---
- name: Install the packages
  ansible.builtin.apt:
    name: [nginx, python3-venv]
    state: present
    update_cache: true
    cache_valid_time: 3600

- name: Make the users
  ansible.builtin.user:
    name: "{{ item.name }}"
    shell: "{{ item.shell }}"
    password_lock: true
  loop: "{{ web_users }}"

- name: Write the site
  ansible.builtin.template:
    src: site.conf.j2
    dest: "/etc/nginx/sites-available/{{ web_name }}.conf"
    owner: root
    group: root
    mode: "0644"
  notify: Reload nginx

- name: Enable the site
  ansible.builtin.file:
    src: "/etc/nginx/sites-available/{{ web_name }}.conf"
    dest: "/etc/nginx/sites-enabled/{{ web_name }}.conf"
    state: link
  notify:
    - Reload nginx

- name: Write the environment of the application
  ansible.builtin.copy:
    content: |
      PORT={{ web_port }}
      DATABASE_PASSWORD={{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}
    dest: /etc/shop.env
    owner: root
    group: root
    mode: "0600"
  notify: Restart the application

- name: Install the application's libraries
  ansible.builtin.pip:
    name: gunicorn==23.0.0
    virtualenv: /opt/shop/venv

- name: Look at the version
  ansible.builtin.command: nginx -v
  register: web_version
  changed_when: false

- name: Start nginx
  ansible.builtin.systemd_service:
    name: nginx
    state: started
    enabled: true
  when: web_version.rc == 0
EOF

cat >ansible/roles/web/handlers/main.yml <<'EOF'
---
- name: Reload nginx
  ansible.builtin.systemd_service:
    name: nginx
    state: reloaded

- name: Restart the application
  ansible.builtin.systemd_service:
    name: shop
    state: restarted
EOF

cat >ansible/roles/web/templates/site.conf.j2 <<'EOF'
server {
  listen 80;
  server_name {{ web_name }};
  location / {
    proxy_pass http://127.0.0.1:{{ web_port }};
  }
}
EOF

cat >ansible/site.yml <<'EOF'
---
- name: Make the web server
  hosts: web
  become: true
  roles:
    - role: web
  post_tasks:
    - name: Wait for the port
      ansible.builtin.wait_for:
        port: "{{ web_port }}"
        timeout: 60
EOF

export ANSIBLE_CONFIG=~/workspace/ansible/ansible.cfg
for attempt in 1 2 3; do
  if ansible-playbook --inventory ansible/inventory.ini ansible/site.yml; then
    echo "Done at attempt $attempt"
    break
  fi
  [ "$attempt" -lt 3 ] || exit 1
done
