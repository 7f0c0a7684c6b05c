#!/usr/bin/env bash
set -euo pipefail

umask 077
[ -s db_password ] || openssl rand -hex 24 > db_password
APP_DB_PASSWORD=$(< db_password)
export APP_DB_PASSWORD

cat > requirements.yml <<'EOF'
---
collections:
  - name: community.postgresql
    version: 3.9.0
EOF

cat > hosts.yml <<'EOF'
---
all:
  children:
    db:
      hosts:
        server:
EOF

cat > db.yml <<'EOF'
---
- name: PostgreSQL for the application
  hosts: db
  become: true
  vars:
    app_db: shop
    app_user: shop
    app_password: "{{ lookup('ansible.builtin.env', 'APP_DB_PASSWORD') }}"
  tasks:
    - name: Install the packages
      ansible.builtin.apt:
        name:
          - postgresql
          - python3-psycopg2
          - acl
        state: present
        update_cache: true

    - name: Listen on localhost only
      ansible.builtin.lineinfile:
        path: /etc/postgresql/15/main/postgresql.conf
        regexp: '^#?listen_addresses'
        line: "listen_addresses = 'localhost'"
      notify: Restart PostgreSQL

    - name: Create the role
      become_user: postgres
      community.postgresql.postgresql_user:
        name: "{{ app_user }}"
        password: "{{ app_password }}"
      no_log: true

    - name: Create the database
      become_user: postgres
      community.postgresql.postgresql_db:
        name: "{{ app_db }}"
        owner: "{{ app_user }}"
        encoding: UTF8

  handlers:
    - name: Restart PostgreSQL
      ansible.builtin.systemd_service:
        name: postgresql
        state: restarted
EOF

ansible-galaxy collection install -r requirements.yml
ansible-playbook -i hosts.yml db.yml
ssh server "sudo -u postgres psql -tAc \"SELECT 1 FROM pg_database WHERE datname = 'shop'\"" | grep -qx 1
