#!/usr/bin/env bash
# PostgreSQL 16 for the shop, listening on the loopback only, by Ansible.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST}"
: "${DATABASE_PASSWORD:?set DATABASE_PASSWORD}"
export DATABASE_PASSWORD

work="${WORK_DIR:-$PWD/ans-postgres}"
mkdir -p "$work/files"
cd "$work"

cat > requirements.yml <<'EOF'
collections:
  - name: community.postgresql
    version: 3.7.0
EOF

cat > inventory.yml <<EOF
all:
  children:
    db:
      hosts:
        shop-db:
          ansible_host: "$SHOP_HOST"
          ansible_user: "${SSH_USER:-deploy}"
EOF

cat > files/shop.conf <<'EOF'
listen_addresses = 'localhost'
password_encryption = 'scram-sha-256'
shared_buffers = '512MB'
log_min_duration_statement = '500ms'
EOF

cat > playbook.yml <<'EOF'
- name: Database of the shop
  hosts: db
  become: true
  vars:
    pg_version: "16"
    pg_conf: "/etc/postgresql/{{ pg_version }}/main"
    db_password: "{{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}"
  tasks:
    - name: Key of the PGDG repository
      ansible.builtin.get_url:
        url: https://www.postgresql.org/media/keys/ACCC4CF8.asc
        dest: /etc/apt/keyrings/pgdg.asc
        checksum: sha256:0144068502a1eddd2a0280ede10ef607d1ec592ce819940991203941564e8e76
        mode: "0644"
    - name: PGDG repository
      ansible.builtin.apt_repository:
        repo: "deb [signed-by=/etc/apt/keyrings/pgdg.asc] https://apt.postgresql.org/pub/repos/apt bookworm-pgdg main"
        filename: pgdg
    - name: Server and driver
      ansible.builtin.apt:
        name:
          - "postgresql-{{ pg_version }}"
          - python3-psycopg2
          - acl
        update_cache: true
    - name: Settings of the server
      ansible.builtin.copy:
        src: shop.conf
        dest: "{{ pg_conf }}/conf.d/shop.conf"
        owner: postgres
        mode: "0644"
      notify: Restart PostgreSQL
    - name: Rule for the application
      community.postgresql.postgresql_pg_hba:
        dest: "{{ pg_conf }}/pg_hba.conf"
        contype: host
        databases: shop
        users: shop
        source: 127.0.0.1/32
        method: scram-sha-256
      notify: Reload PostgreSQL
    - name: Apply the settings before the users are made
      ansible.builtin.meta: flush_handlers
    - name: Role of the application
      community.postgresql.postgresql_user:
        name: shop
        password: "{{ db_password }}"
        role_attr_flags: NOSUPERUSER,NOCREATEDB,NOCREATEROLE
      become_user: postgres
      no_log: true
    - name: Database of the application
      community.postgresql.postgresql_db:
        name: shop
        owner: shop
        encoding: UTF-8
      become_user: postgres
  handlers:
    - name: Restart PostgreSQL
      ansible.builtin.service:
        name: "postgresql@{{ pg_version }}-main"
        state: restarted
    - name: Reload PostgreSQL
      ansible.builtin.service:
        name: "postgresql@{{ pg_version }}-main"
        state: reloaded
EOF

ansible-galaxy collection install -r requirements.yml
ansible-playbook -i inventory.yml --syntax-check playbook.yml
ansible-playbook -i inventory.yml playbook.yml
# Proof: the server answers, and it listens on the loopback only.
ansible db -i inventory.yml -b -m ansible.builtin.command -a "pg_isready -h 127.0.0.1 -p 5432"
ansible db -i inventory.yml -b -m ansible.builtin.shell \
  -a "! ss -Hltn 'sport = :5432' | awk '{print \$4}' | grep -Ev '^(127\.0\.0\.1|\[::1\]):5432$'"
