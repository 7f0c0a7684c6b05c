#!/usr/bin/env bash
# Configure PostgreSQL 15 on db1 (Debian 12) by Ansible: listen on the private address, let the app user in from 10.0.2.0/24 only.
set -euo pipefail

mkdir -p ansible-db/templates
cd ansible-db

cat > ansible.cfg <<'EOF'
[defaults]
inventory = hosts.ini
[ssh_connection]
pipelining = True
EOF

cat > hosts.ini <<'EOF'
[db]
db1 pg_listen=10.0.3.10
EOF

cat > templates/20-shop.conf.j2 <<'EOF'
# {{ ansible_managed }}
listen_addresses = 'localhost,{{ pg_listen }}'
password_encryption = 'scram-sha-256'
shared_buffers = '{{ (ansible_facts.memtotal_mb * 0.25) | int }}MB'
log_min_duration_statement = '500ms'
log_connections = on
EOF

cat > play.yml <<'EOF'
- name: Database server
  hosts: db
  become: true
  vars:
    pg_version: "15"
    pg_dir: "/etc/postgresql/{{ pg_version }}/main"
    pg_clients:
      - { db: shop, user: shop_app, net: 10.0.2.0/24 }
      - { db: shop, user: shop_report, net: 10.0.4.7/32 }
  tasks:
    - name: Install PostgreSQL
      ansible.builtin.apt:
        name: ["postgresql-{{ pg_version }}", acl]
        state: present
        update_cache: true
        cache_valid_time: 3600

    - name: Server settings
      ansible.builtin.template:
        src: 20-shop.conf.j2
        dest: "{{ pg_dir }}/conf.d/20-shop.conf"
        owner: postgres
        group: postgres
        mode: "0640"
      notify: Restart postgresql

    - name: Client access
      ansible.builtin.blockinfile:
        path: "{{ pg_dir }}/pg_hba.conf"
        marker: "# {mark} shop clients"
        owner: postgres
        group: postgres
        mode: "0640"
        block: |
          {% for c in pg_clients %}
          host  {{ c.db }}  {{ c.user }}  {{ c.net }}  scram-sha-256
          {% endfor %}
      notify: Reload postgresql

    - name: Run and start at boot
      ansible.builtin.systemd_service:
        name: postgresql
        enabled: true
        state: started

    - name: Settle the configuration now
      ansible.builtin.meta: flush_handlers

    - name: No line of pg_hba.conf is wrong
      ansible.builtin.command: >-
        psql -XAtc "select count(*) from pg_hba_file_rules where error is not null"
      become_user: postgres
      register: hba
      changed_when: false
      failed_when: hba.rc != 0 or hba.stdout | trim != '0'

    - name: The private address answers
      ansible.builtin.wait_for:
        host: "{{ pg_listen }}"
        port: 5432
        timeout: 20

  handlers:
    - name: Reload postgresql
      ansible.builtin.systemd_service:
        name: "postgresql@{{ pg_version }}-main"
        state: reloaded

    - name: Restart postgresql
      ansible.builtin.systemd_service:
        name: "postgresql@{{ pg_version }}-main"
        state: restarted
EOF

ansible-playbook --syntax-check play.yml
ansible-playbook play.yml
