#!/usr/bin/env bash
# Playbook: MySQL server, application database, deploy user with key.
set -euo pipefail

: "${SHOP_DB_PASSWORD:?}"
export SHOP_DB_PASSWORD

mkdir -p ansible
cat > ansible/requirements.yml <<'EOF'
---
collections:
  - name: community.mysql
    version: 3.10.3
  - name: ansible.posix
    version: 1.6.2
EOF

cat > ansible/inventory.ini <<'EOF'
[database]
db1.example.org ansible_user=root
EOF

cat > ansible/database.yml <<'EOF'
---
- name: Database host
  hosts: database
  become: true
  vars:
    shop_db_password: "{{ lookup('ansible.builtin.env', 'SHOP_DB_PASSWORD') }}"
  tasks:
    - name: Install the server and the Python driver
      ansible.builtin.apt:
        name:
          - default-mysql-server
          - python3-pymysql
        state: present
        update_cache: true
        cache_valid_time: 3600

    - name: Tune the buffer pool
      ansible.builtin.copy:
        dest: /etc/mysql/conf.d/tuning.cnf
        mode: "0644"
        content: |
          [mysqld]
          bind-address = 10.20.1.20
          innodb_buffer_pool_size = 1G
          max_connections = 150
          slow_query_log = ON
          long_query_time = 1
      notify: Restart the server

    - name: Create the database
      community.mysql.mysql_db:
        name: shop
        encoding: utf8mb4
        state: present
        login_unix_socket: /run/mysqld/mysqld.sock

    - name: Create the application user
      community.mysql.mysql_user:
        name: shop
        host: 10.20.1.10
        password: "{{ shop_db_password }}"
        priv: "shop.*:SELECT,INSERT,UPDATE,DELETE"
        login_unix_socket: /run/mysqld/mysqld.sock
      no_log: true

    - name: Create the deploy account
      ansible.builtin.user:
        name: deploy
        shell: /bin/bash
        groups: [adm]
        append: true

    - name: Authorize the deploy key
      ansible.posix.authorized_key:
        user: deploy
        key: "{{ lookup('ansible.builtin.file', 'files/deploy.pub') }}"
        state: present

  handlers:
    - name: Restart the server
      ansible.builtin.service:
        name: mariadb
        state: restarted
EOF

test -s ansible/files/deploy.pub || { echo "ansible/files/deploy.pub is missing" >&2; exit 1; }
ansible-galaxy collection install -r ansible/requirements.yml
ansible-playbook -i ansible/inventory.ini ansible/database.yml --syntax-check
ansible-playbook -i ansible/inventory.ini ansible/database.yml --diff
