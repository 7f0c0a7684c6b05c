#!/usr/bin/env bash
# Puts the stack on the server and starts it
set -euo pipefail
cd ~/workspace/ansible
mkdir -p files
cat >files/compose.yml <<'EOF'
services:
  web:
    image: nginx:1.28.0-alpine
    restart: unless-stopped
    ports:
      - "443:443"
    volumes:
      - ./certs:/etc/nginx/certs:ro
EOF
cat >stack.yml <<'EOF'
---
- name: Start the stack
  hosts: docker
  become: true
  tasks:
    - name: Make the folder
      ansible.builtin.file:
        path: /opt/stack
        state: directory
        mode: "0750"

    - name: Copy the description
      ansible.builtin.copy:
        src: compose.yml
        dest: /opt/stack/compose.yml
        mode: "0640"
      register: described

    - name: Start it
      community.docker.docker_compose_v2:
        project_src: /opt/stack
        state: present
        pull: missing

    - name: Restart it after a change
      community.docker.docker_compose_v2:
        project_src: /opt/stack
        state: restarted
      when: described is changed

    - name: Wait for the port
      ansible.builtin.wait_for:
        host: 127.0.0.1
        port: 443
        timeout: 60
EOF
ansible-playbook -i inventory.ini stack.yml
