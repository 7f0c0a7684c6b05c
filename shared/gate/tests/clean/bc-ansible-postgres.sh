#!/usr/bin/env bash
# PostgreSQL for the shop on the database host, reachable from the application's private address.
set -euo pipefail
: "${DATABASE_PASSWORD:?}"

mkdir -p ~/workspace/pg/roles/postgres/{defaults,tasks,handlers,templates}
cd ~/workspace/pg

cat > ansible.cfg <<'EOF'
[defaults]
inventory = inventory.ini
collections_path = ./collections

[ssh_connection]
pipelining = true
EOF

cat > inventory.ini <<'EOF'
[database]
db1 ansible_host=10.0.0.12 ansible_user=deploy
EOF

cat > requirements.yml <<'EOF'
collections:
  - name: community.postgresql
    version: 3.14.0
EOF

cat > roles/postgres/defaults/main.yml <<'EOF'
---
postgres_version: "15"
postgres_listen: 10.0.0.12
postgres_app_address: 10.0.0.11/32
postgres_shared_buffers: "{{ (ansible_facts.memtotal_mb / 4) | int }}MB"
postgres_database: shop
EOF

cat > roles/postgres/templates/shop.conf.j2 <<'EOF'
# {{ ansible_managed }}
listen_addresses = 'localhost,{{ postgres_listen }}'
password_encryption = 'scram-sha-256'
shared_buffers = {{ postgres_shared_buffers }}
log_min_duration_statement = 500
EOF

cat > roles/postgres/handlers/main.yml <<'EOF'
---
- name: Restart PostgreSQL
  ansible.builtin.systemd_service:
    name: "postgresql@{{ postgres_version }}-main"
    state: restarted

- name: Reload PostgreSQL
  ansible.builtin.systemd_service:
    name: "postgresql@{{ postgres_version }}-main"
    state: reloaded
EOF

cat > roles/postgres/tasks/main.yml <<'EOF'
---
- name: Install PostgreSQL and the driver for the modules
  ansible.builtin.apt:
    name: ["postgresql-{{ postgres_version }}", python3-psycopg2, acl]
    update_cache: true
    cache_valid_time: 3600

- name: Settings
  ansible.builtin.template:
    src: shop.conf.j2
    dest: "/etc/postgresql/{{ postgres_version }}/main/conf.d/shop.conf"
    owner: postgres
    group: postgres
    mode: "0644"
  notify: Restart PostgreSQL

- name: Apply the settings now
  ansible.builtin.meta: flush_handlers

- name: Account, database and access
  become: true
  become_user: postgres
  block:
    - name: Make the account
      community.postgresql.postgresql_user:
        name: "{{ postgres_database }}"
        password: "{{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}"
        role_attr_flags: NOSUPERUSER,NOCREATEDB,NOCREATEROLE
      no_log: true

    - name: Make the database
      community.postgresql.postgresql_db:
        name: "{{ postgres_database }}"
        owner: "{{ postgres_database }}"
        encoding: UTF8
        template: template0

    - name: Let the application in
      community.postgresql.postgresql_pg_hba:
        dest: "/etc/postgresql/{{ postgres_version }}/main/pg_hba.conf"
        contype: hostssl
        databases: "{{ postgres_database }}"
        users: "{{ postgres_database }}"
        source: "{{ postgres_app_address }}"
        method: scram-sha-256
      notify: Reload PostgreSQL
EOF

cat > site.yml <<'EOF'
---
- name: Database host
  hosts: database
  become: true
  roles:
    - role: postgres
EOF

ansible-galaxy collection install -r requirements.yml -p ./collections
ansible-playbook --syntax-check site.yml
ansible-playbook site.yml
ansible database -b --become-user postgres -m ansible.builtin.command \
  -a "psql -d shop -v ON_ERROR_STOP=1 -Atc 'SELECT count(*) FROM pg_hba_file_rules WHERE error IS NULL'"
ssh deploy@10.0.0.12 'ss -Hltn "sport = :5432"' | awk '$4 ~ /^(0\.0\.0\.0|\*|\[::\]):/ { open = 1 } END { exit open || NR == 0 }'
