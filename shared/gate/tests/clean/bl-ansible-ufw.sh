#!/usr/bin/env bash
set -euo pipefail

cat > requirements.yml <<'EOF'
---
collections:
  - name: community.general
    version: 10.1.0
EOF

cat > inventory.ini <<'EOF'
[web]
server

[web:vars]
admin_net=198.51.100.0/24
EOF

cat > ufw.yml <<'EOF'
---
- name: Host firewall
  hosts: web
  become: true
  tasks:
    - name: Install ufw
      ansible.builtin.apt:
        name: ufw
        state: present

    - name: SSH from the office
      community.general.ufw:
        rule: allow
        port: "22"
        proto: tcp
        from_ip: "{{ admin_net }}"

    - name: Web from everywhere
      community.general.ufw:
        rule: allow
        port: "{{ item }}"
        proto: tcp
      loop:
        - "80"
        - "443"

    - name: Deny the rest
      community.general.ufw:
        state: enabled
        policy: deny
        direction: incoming
EOF

ansible-galaxy collection install -r requirements.yml
ansible-playbook -i inventory.ini ufw.yml
ssh server 'sudo ufw status' | grep -q '^Status: active'
