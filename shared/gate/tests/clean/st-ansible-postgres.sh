#!/usr/bin/env bash
# PostgreSQL server with a database and two roles, by Ansible.
set -euo pipefail

: "${APP_DB_PASSWORD:?set APP_DB_PASSWORD}"
: "${REPORT_DB_PASSWORD:?set REPORT_DB_PASSWORD}"
export APP_DB_PASSWORD REPORT_DB_PASSWORD
mkdir -p deploy && cd deploy
test -s inventory.ini

cat > postgres.yml <<'EOF'
---
- name: Database server
  hosts: db
  become: true
  vars:
    pg_version: "15"
    pg_conf: "/etc/postgresql/{{ pg_version }}/main"
    app_net: 10.0.2.0/24
  tasks:
    - name: Install PostgreSQL
      ansible.builtin.apt:
        name:
          - "postgresql-{{ pg_version }}"
          - python3-psycopg2
          - acl
        state: present
        update_cache: true

    - name: Settings
      ansible.builtin.copy:
        dest: "{{ pg_conf }}/conf.d/10-local.conf"
        content: |
          listen_addresses = '*'
          shared_buffers = 2GB
          password_encryption = scram-sha-256
          log_min_duration_statement = 500ms
        owner: postgres
        group: postgres
        mode: "0644"
      notify: Restart postgresql

    - name: Start now and at boot
      ansible.builtin.systemd_service:
        name: postgresql
        state: started
        enabled: true

    - name: Create roles
      community.postgresql.postgresql_user:
        name: "{{ item.name }}"
        password: "{{ lookup('ansible.builtin.env', item.env) }}"
        role_attr_flags: NOSUPERUSER,NOCREATEDB
      loop:
        - { name: app, env: APP_DB_PASSWORD }
        - { name: report, env: REPORT_DB_PASSWORD }
      become_user: postgres
      no_log: true

    - name: Create database
      community.postgresql.postgresql_db:
        name: app
        owner: app
        encoding: UTF8
        template: template0
      become_user: postgres

    - name: Let the report role read
      community.postgresql.postgresql_privs:
        database: app
        type: default_privs
        target_roles: app
        objs: TABLES
        privs: SELECT
        roles: report
      become_user: postgres

    - name: Allow the application network
      community.postgresql.postgresql_pg_hba:
        dest: "{{ pg_conf }}/pg_hba.conf"
        contype: host
        databases: app
        users: app,report
        source: "{{ app_net }}"
        method: scram-sha-256
        owner: postgres
        group: postgres
        mode: "0640"
      notify: Reload postgresql

  handlers:
    - name: Restart postgresql
      ansible.builtin.systemd_service:
        name: postgresql
        state: restarted

    - name: Reload postgresql
      ansible.builtin.systemd_service:
        name: postgresql
        state: reloaded
EOF

ansible-galaxy collection install community.postgresql:3.9.0
ansible-playbook -i inventory.ini postgres.yml --syntax-check
ansible-playbook -i inventory.ini postgres.yml
ansible db -i inventory.ini -b --become-user postgres \
  -m ansible.builtin.command -a "psql -d app -tAc 'SELECT 1'"
