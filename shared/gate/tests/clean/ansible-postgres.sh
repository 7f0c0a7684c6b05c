#!/usr/bin/env bash
# Installs PostgreSQL with one owner and one database
set -euo pipefail
play=~/workspace/ansible/postgres
mkdir -p "$play/templates" "$play/group_vars"

cat >"$play/group_vars/all.yml" <<'EOF'
---
pg_version: 17
pg_database: orders
pg_owner: orders
pg_settings:
  max_connections: 80
  shared_buffers: 512MB
EOF

cat >"$play/templates/tuning.conf.j2" <<'EOF'
# {{ ansible_managed }}
listen_addresses = 'localhost'
{% for key, value in pg_settings.items() %}
{{ key }} = {{ value }}
{% endfor %}
EOF

cat >"$play/site.yml" <<'EOF'
---
- name: Set up the database
  hosts: database
  become: true
  tasks:
    - name: Install the server
      ansible.builtin.apt:
        name: "postgresql-{{ pg_version }}"
        state: present

    - name: Write the settings
      ansible.builtin.template:
        src: tuning.conf.j2
        dest: "/etc/postgresql/{{ pg_version }}/main/conf.d/tuning.conf"
        owner: postgres
        group: postgres
        mode: "0640"
      register: pg_config
      notify: Restart PostgreSQL

    - name: Look for the owner
      ansible.builtin.command:
        argv:
          - psql
          - --tuples-only
          - --no-align
          - --command=SELECT 1 FROM pg_roles WHERE rolname = '{{ pg_owner }}'
      become_user: postgres
      register: pg_role
      changed_when: false

    - name: Make the owner
      ansible.builtin.command: createuser --no-createdb {{ pg_owner }}
      become_user: postgres
      when: pg_role.stdout | trim != "1"
      changed_when: true

    - name: Look for the database
      ansible.builtin.command: psql -lqtA
      become_user: postgres
      register: pg_list
      changed_when: false

    - name: Make the database
      ansible.builtin.command: createdb --owner {{ pg_owner }} {{ pg_database }}
      become_user: postgres
      when: not (pg_list.stdout_lines | select('match', '^' ~ pg_database ~ '[|]') | list)
      changed_when: true

  handlers:
    - name: Restart PostgreSQL
      ansible.builtin.systemd_service:
        name: postgresql
        state: restarted
EOF

cd "$play"
ansible-playbook --inventory ../inventory.ini site.yml
