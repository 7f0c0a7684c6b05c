#!/usr/bin/env bash
set -euo pipefail
: "${DB_HOST:?set DB_HOST}"
: "${DB_PRIVATE_IP:?set DB_PRIVATE_IP}"
: "${APP_PRIVATE_IP:?set APP_PRIVATE_IP}"

mkdir -p dbplay && cd dbplay
umask 077
[ -s app_db_password ] || openssl rand -base64 24 | tr -d '/+=\n' > app_db_password

cat > requirements.yml <<'EOF'
collections:
  - name: community.postgresql
    version: 3.9.0
EOF
ansible-galaxy collection install -r requirements.yml

cat > db.yml <<'EOF'
- name: PostgreSQL
  hosts: all
  become: true
  vars:
    pg_version: "15"
    pg_conf: "/etc/postgresql/{{ pg_version }}/main"
    db_name: site
    db_user: site_app
    db_password: "{{ lookup('ansible.builtin.file', 'app_db_password') }}"
  tasks:
    - name: Install the server
      ansible.builtin.apt:
        name:
          - "postgresql-{{ pg_version }}"
          - python3-psycopg2
        state: present
        update_cache: true

    - name: Configure and create the database
      block:
        - name: Settings
          ansible.builtin.copy:
            dest: "{{ pg_conf }}/conf.d/site.conf"
            owner: postgres
            group: postgres
            mode: "0640"
            content: |
              listen_addresses = 'localhost,{{ db_private_ip }}'
              password_encryption = 'scram-sha-256'
              shared_buffers = 256MB
              log_min_duration_statement = 500ms
          notify: Restart postgresql

        - name: Application may connect
          community.postgresql.postgresql_pg_hba:
            dest: "{{ pg_conf }}/pg_hba.conf"
            contype: hostssl
            databases: "{{ db_name }}"
            users: "{{ db_user }}"
            source: "{{ app_ip }}/32"
            method: scram-sha-256
          notify: Restart postgresql

        - name: Role
          community.postgresql.postgresql_user:
            name: "{{ db_user }}"
            password: "{{ db_password }}"
            role_attr_flags: NOSUPERUSER,NOCREATEDB
          become_user: postgres
          no_log: true

        - name: Database
          community.postgresql.postgresql_db:
            name: "{{ db_name }}"
            owner: "{{ db_user }}"
            encoding: UTF-8
          become_user: postgres
          register: db_created
      rescue:
        - name: Show the log
          ansible.builtin.command: journalctl -u postgresql --no-pager -n 50
          changed_when: false

        - name: Stop
          ansible.builtin.fail:
            msg: "PostgreSQL could not be configured"

    - name: Say what happened
      ansible.builtin.debug:
        msg: "database changed: {{ db_created.changed }}"
  handlers:
    - name: Restart postgresql
      ansible.builtin.service:
        name: "postgresql@{{ pg_version }}-main"
        state: restarted
EOF

ansible-playbook -i "${DB_HOST}," -u root -e "app_ip=${APP_PRIVATE_IP} db_private_ip=${DB_PRIVATE_IP}" db.yml
ansible -i "${DB_HOST}," -u root all -m ansible.builtin.shell \
  -a "runuser -u postgres -- psql -tAc \"SELECT count(*) FROM pg_database WHERE datname='site'\"" | tail -n 1 | grep -qx 1
