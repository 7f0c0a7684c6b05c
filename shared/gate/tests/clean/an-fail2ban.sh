#!/usr/bin/env bash
set -euo pipefail
cd ~/workspace/ansible
mkdir -p files
cat >files/jail.local <<'EOF'
[DEFAULT]
bantime = 1h
findtime = 10m
maxretry = 5
backend = systemd

[sshd]
enabled = true
port = ssh
mode = aggressive
EOF
cat >fail2ban.yml <<'EOF'
---
- name: Ban addresses that guess passwords
  hosts: all
  become: true
  tasks:
    - name: Install fail2ban
      ansible.builtin.package:
        name: fail2ban
        state: present

    - name: Write the jail
      ansible.builtin.copy:
        src: jail.local
        dest: /etc/fail2ban/jail.local
        owner: root
        group: root
        mode: "0644"
      notify: Restart fail2ban

    - name: Start fail2ban
      ansible.builtin.systemd_service:
        name: fail2ban
        state: started
        enabled: true

  handlers:
    - name: Restart fail2ban
      ansible.builtin.systemd_service:
        name: fail2ban
        state: restarted
EOF
ansible-playbook -i inventory.ini fail2ban.yml
ansible -i inventory.ini all --become -m ansible.builtin.command -a 'fail2ban-client status sshd'
