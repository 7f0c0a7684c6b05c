#!/usr/bin/env bash
# Describes the servers and tries to reach them
set -euo pipefail
mkdir -p ~/workspace/ansible/group_vars && cd ~/workspace/ansible
cat >hosts.yml <<'EOF'
---
all:
  vars:
    ansible_user: deploy
    ansible_ssh_private_key_file: ~/.ssh/id_ed25519
  children:
    web:
      hosts:
        web1:
          ansible_host: 10.0.1.11
        web2:
          ansible_host: 10.0.1.12
    database:
      hosts:
        db1:
          ansible_host: 10.0.2.11
          ansible_port: 2222
EOF
cat >group_vars/web.yml <<'EOF'
---
ntp_servers:
  - 0.pool.ntp.org
  - 1.pool.ntp.org
EOF
cat >ntp.yml <<'EOF'
---
- name: Keep the time
  hosts: web
  become: true
  tasks:
    - name: Install chrony
      ansible.builtin.apt:
        name: chrony
        state: present

    - name: Name the servers
      ansible.builtin.lineinfile:
        path: /etc/chrony/chrony.conf
        line: "server {{ item }} iburst"
      loop: "{{ ntp_servers }}"
      notify: Restart chrony

  handlers:
    - name: Restart chrony
      ansible.builtin.service:
        name: chrony
        state: restarted
EOF
ansible -i hosts.yml all -m ansible.builtin.ping
ansible-playbook -i hosts.yml ntp.yml
