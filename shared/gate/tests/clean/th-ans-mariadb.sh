#!/usr/bin/env bash
# Installs MariaDB with one database and one user
set -euo pipefail
mkdir -p ~/workspace/ansible && cd ~/workspace/ansible
cat >requirements.yml <<'EOF'
---
collections:
  - name: community.mysql
    version: 3.14.0
EOF
cat >database.yml <<'EOF'
---
- name: Set up MariaDB
  hosts: database
  become: true
  vars:
    db_name: shop
    db_user: shop
    db_password: "{{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}"
  tasks:
    - name: Install MariaDB
      ansible.builtin.apt:
        name:
          - mariadb-server
          - python3-pymysql
        state: present

    - name: Look for the marker
      ansible.builtin.stat:
        path: /var/lib/mysql/.secured
      register: secured

    - name: Remove anonymous users
      community.mysql.mysql_user:
        name: ""
        host_all: true
        state: absent
        login_unix_socket: /run/mysqld/mysqld.sock
      when: not secured.stat.exists

    - name: Set the marker
      ansible.builtin.file:
        path: /var/lib/mysql/.secured
        state: touch
        mode: "0600"
      when: not secured.stat.exists

    - name: Make the database
      community.mysql.mysql_db:
        name: "{{ db_name }}"
        encoding: utf8mb4
        state: present
        login_unix_socket: /run/mysqld/mysqld.sock

    - name: Make the user
      community.mysql.mysql_user:
        name: "{{ db_user }}"
        password: "{{ db_password }}"
        priv: "{{ db_name }}.*:ALL"
        host: localhost
        state: present
        login_unix_socket: /run/mysqld/mysqld.sock
      no_log: true
EOF
ansible-galaxy collection install -r requirements.yml
ansible-playbook -i inventory.ini database.yml
