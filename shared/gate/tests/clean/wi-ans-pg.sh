#!/usr/bin/env bash
set -euo pipefail
mkdir -p pg && cd pg
cat > requirements.yml <<'EOF'
---
collections:
  - name: community.postgresql
    version: 3.9.0
EOF
cat > inventory.yml <<'EOF'
---
db:
  hosts:
    server:
      ansible_user: root
EOF
cat > site.yml <<'EOF'
---
- name: PostgreSQL
  hosts: db
  become: true
  vars:
    db_name: shop
    db_user: shop
    db_password: "{{ lookup('ansible.builtin.env', 'SHOP_DB_PASSWORD') }}"
  tasks:
    - name: Packages
      ansible.builtin.apt:
        name:
          - postgresql-15
          - python3-psycopg2
        state: present
        update_cache: true
    - name: Listen on loopback only
      ansible.builtin.lineinfile:
        path: /etc/postgresql/15/main/postgresql.conf
        regexp: '^#?listen_addresses\s*='
        line: "listen_addresses = 'localhost'"
      notify: Restart postgresql
    - name: User
      become_user: postgres
      community.postgresql.postgresql_user:
        name: "{{ db_user }}"
        password: "{{ db_password }}"
        role_attr_flags: NOSUPERUSER,NOCREATEDB
      no_log: true
    - name: Database
      become_user: postgres
      community.postgresql.postgresql_db:
        name: "{{ db_name }}"
        owner: "{{ db_user }}"
        encoding: UTF8
        template: template0
        state: present
    - name: Count the tables
      become_user: postgres
      ansible.builtin.command:
        argv: [psql, -tAc, "select count(*) from pg_tables", "{{ db_name }}"]
      register: tables
      changed_when: false
    - name: Show it
      ansible.builtin.debug:
        msg: "{{ tables.stdout }} tables"
  handlers:
    - name: Restart postgresql
      ansible.builtin.systemd_service:
        name: postgresql
        state: restarted
EOF
[[ -s db_password ]] || (umask 077; openssl rand -hex 24 > db_password)
SHOP_DB_PASSWORD="$(cat db_password)"
export SHOP_DB_PASSWORD
ansible-galaxy collection install -r requirements.yml
ansible-playbook -i inventory.yml site.yml
ssh server 'runuser -u postgres -- psql -tAc "select 1" shop' | grep -qx 1
