#!/usr/bin/env bash
set -euo pipefail

: "${DATABASE_PASSWORD:?DATABASE_PASSWORD must be set}"

workdir="$(mktemp -d)"
trap 'rm -rf "$workdir"' EXIT
cd "$workdir"

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
    database:
      hosts:
        server:
          ansible_python_interpreter: /usr/bin/python3
EOF

cat > postgres.yml <<'EOF'
---
- name: PostgreSQL for the shop
  hosts: database
  become: true
  gather_facts: false
  vars:
    pg_version: 15
    pg_conf_dir: "/etc/postgresql/{{ pg_version }}/main"
    db_name: shop
    db_user: shop_app
    db_password: "{{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}"

  tasks:
    - name: Install PostgreSQL
      ansible.builtin.apt:
        name:
          - "postgresql-{{ pg_version }}"
          - python3-psycopg2
          - acl
        update_cache: true

    - name: Tune PostgreSQL
      ansible.builtin.copy:
        dest: "{{ pg_conf_dir }}/conf.d/50-shop.conf"
        owner: postgres
        group: postgres
        mode: "0640"
        content: |
          listen_addresses = 'localhost'
          max_connections = 100
          shared_buffers = 512MB
          password_encryption = 'scram-sha-256'
          log_min_duration_statement = 500ms
      notify: Restart postgresql

    - name: Allow the application over the loopback
      community.postgresql.postgresql_pg_hba:
        dest: "{{ pg_conf_dir }}/pg_hba.conf"
        contype: host
        databases: "{{ db_name }}"
        users: "{{ db_user }}"
        source: 127.0.0.1/32
        method: scram-sha-256
      notify: Reload postgresql

    - name: Apply the configuration before the users are made
      ansible.builtin.meta: flush_handlers

    - name: Create the application user
      community.postgresql.postgresql_user:
        name: "{{ db_user }}"
        password: "{{ db_password }}"
        role_attr_flags: NOSUPERUSER,NOCREATEDB,NOCREATEROLE
      become_user: postgres
      no_log: true

    - name: Create the database
      community.postgresql.postgresql_db:
        name: "{{ db_name }}"
        owner: "{{ db_user }}"
        encoding: UTF8
        state: present
      become_user: postgres

    - name: Prove that the database answers
      community.postgresql.postgresql_query:
        login_db: "{{ db_name }}"
        query: SELECT current_database() AS name
      become_user: postgres
      register: proof

    - name: Show the answer
      ansible.builtin.assert:
        that: proof.query_result[0].name == db_name

  handlers:
    - name: Restart postgresql
      ansible.builtin.systemd_service:
        name: "postgresql@{{ pg_version }}-main"
        state: restarted

    - name: Reload postgresql
      ansible.builtin.systemd_service:
        name: "postgresql@{{ pg_version }}-main"
        state: reloaded
EOF

ansible-galaxy collection install -r requirements.yml
ansible-playbook -i hosts.yml --syntax-check postgres.yml
ansible-playbook -i hosts.yml postgres.yml

ssh server "sudo -u postgres psql -d shop -Atc 'SELECT version()'"
