#!/usr/bin/env bash
# PostgreSQL on the server: password from ansible-vault, scram only, listens on the loopback address.
set -euo pipefail

mkdir -p ~/workspace/ansible/{group_vars/db,collections}
cd ~/workspace/ansible
[[ -f inventory.ini ]] || printf '[web]\nserver\n' > inventory.ini

grep -Fxq '[db]' inventory.ini 2> /dev/null || printf '\n[db]\nserver\n' >> inventory.ini

# The key of the vault is outside of the repository.
vault_key=~/.config/shop/vault.key
install -d -m 0700 "${vault_key%/*}"
[[ -s $vault_key ]] || (umask 077; openssl rand -base64 48 > "$vault_key")
export ANSIBLE_VAULT_PASSWORD_FILE=$vault_key

if [[ ! -f group_vars/db/vault.yml ]]; then
  printf 'vault_shop_db_password: %s\n' "$(openssl rand -hex 24)" |
    ansible-vault encrypt --output group_vars/db/vault.yml -
fi
head -n 1 group_vars/db/vault.yml | grep -Fq 'ANSIBLE_VAULT;'

cat > group_vars/db/main.yml <<'EOF'
---
postgres_version: 15
postgres_databases:
  - name: shop
    owner: shop
    password: "{{ vault_shop_db_password }}"
postgres_settings:
  listen_addresses: localhost
  password_encryption: scram-sha-256
  log_min_duration_statement: 500ms
  shared_buffers: "{{ (ansible_memtotal_mb * 0.25) | int }}MB"
EOF

cat > collections/requirements.yml <<'EOF'
---
collections:
  - name: community.postgresql
    version: 3.10.2
EOF

cat > postgres.yml <<'EOF'
---
- name: Database of the shop
  hosts: db
  become: true
  vars:
    postgres_conf: "/etc/postgresql/{{ postgres_version }}/main"
  handlers:
    - name: Restart postgres
      ansible.builtin.service:
        name: "postgresql@{{ postgres_version }}-main"
        state: restarted
    - name: Reload postgres
      ansible.builtin.service:
        name: "postgresql@{{ postgres_version }}-main"
        state: reloaded

  tasks:
    - name: Install
      ansible.builtin.apt:
        name:
          - "postgresql-{{ postgres_version }}"
          - python3-psycopg2
          - acl
        state: present
        update_cache: true
        cache_valid_time: 3600

    - name: Settings
      ansible.builtin.copy:
        dest: "{{ postgres_conf }}/conf.d/10-shop.conf"
        owner: postgres
        group: postgres
        mode: "0644"
        content: |
          {% for key, value in postgres_settings | dictsort %}
          {{ key }} = '{{ value }}'
          {% endfor %}
      notify: Restart postgres

    - name: Who may connect
      ansible.builtin.copy:
        dest: "{{ postgres_conf }}/pg_hba.conf"
        owner: postgres
        group: postgres
        mode: "0640"
        backup: true
        content: |
          local all postgres peer
          {% for db in postgres_databases %}
          local {{ db.name }} {{ db.owner }} scram-sha-256
          host {{ db.name }} {{ db.owner }} 127.0.0.1/32 scram-sha-256
          host {{ db.name }} {{ db.owner }} ::1/128 scram-sha-256
          {% endfor %}
      notify: Reload postgres

    - name: Apply the settings before the accounts are made
      ansible.builtin.meta: flush_handlers

    - name: Running and enabled
      ansible.builtin.service:
        name: postgresql
        state: started
        enabled: true

    - name: Accounts
      community.postgresql.postgresql_user:
        name: "{{ item.owner }}"
        password: "{{ item.password }}"
        role_attr_flags: NOSUPERUSER,NOCREATEDB,NOCREATEROLE
      loop: "{{ postgres_databases }}"
      loop_control:
        label: "{{ item.owner }}"
      no_log: true
      become_user: postgres

    - name: Databases
      community.postgresql.postgresql_db:
        name: "{{ item.name }}"
        owner: "{{ item.owner }}"
        encoding: UTF-8
        template: template0
      loop: "{{ postgres_databases }}"
      loop_control:
        label: "{{ item.name }}"
      become_user: postgres

    - name: No line of pg_hba.conf has an error
      community.postgresql.postgresql_query:
        db: postgres
        query: SELECT line_number, error FROM pg_hba_file_rules WHERE error IS NOT NULL
      become_user: postgres
      register: hba
      failed_when: hba.rowcount > 0
EOF

ansible-galaxy collection install -r collections/requirements.yml
ansible-playbook -i inventory.ini --syntax-check postgres.yml
ansible-playbook -i inventory.ini postgres.yml
