#!/usr/bin/env bash
set -euo pipefail

cat > inventory.ini <<'EOF'
[servers]
server
EOF

cat > harden.yml <<'EOF'
---
- name: Harden SSH
  hosts: servers
  become: true
  vars:
    admins:
      - name: anna
        shell: /bin/bash
      - name: ben
        shell: /bin/zsh
  tasks:
    - name: Install zsh
      ansible.builtin.apt:
        name: zsh
        update_cache: true
        cache_valid_time: 3600

    - name: Create the administrators
      ansible.builtin.user:
        name: "{{ item.name }}"
        shell: "{{ item.shell }}"
        groups: sudo
        append: true
      loop: "{{ admins }}"
      loop_control:
        label: "{{ item.name }}"

    - name: Refuse passwords
      ansible.builtin.copy:
        dest: /etc/ssh/sshd_config.d/10-hardening.conf
        content: |
          PasswordAuthentication no
          PermitRootLogin prohibit-password
          X11Forwarding no
        mode: "0644"
        validate: /usr/sbin/sshd -t -f %s
      notify: Reload sshd

  handlers:
    - name: Reload sshd
      ansible.builtin.systemd_service:
        name: ssh
        state: reloaded
EOF

ansible-playbook -i inventory.ini harden.yml --syntax-check
ansible-playbook -i inventory.ini harden.yml
ssh server 'sudo sshd -T | grep -qx "passwordauthentication no"'
