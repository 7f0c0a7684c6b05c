#!/usr/bin/env bash
set -euo pipefail
cd ~/workspace/ansible
cat >firewall.yml <<'EOF'
---
- name: Close every port but three
  hosts: web
  become: true
  vars:
    admin_cidr: 203.0.113.7/32
  tasks:
    - name: Install ufw
      ansible.builtin.apt:
        name: ufw
        state: present

    - name: Allow SSH from the administrator
      community.general.ufw:
        rule: allow
        port: "22"
        proto: tcp
        src: "{{ admin_cidr }}"

    - name: Allow the web
      community.general.ufw:
        rule: allow
        port: "{{ item }}"
        proto: tcp
      loop:
        - "80"
        - "443"

    - name: Refuse the rest
      community.general.ufw:
        state: enabled
        policy: deny
        direction: incoming
EOF
ansible-playbook -i inventory.ini firewall.yml
