#!/usr/bin/env bash
# Installs Docker from Debian and copies the stack
set -euo pipefail
cd ~/workspace/ansible
cat > docker.yml <<'EOF'
---
- name: Run containers
  hosts: docker
  become: true
  collections:
    - ansible.builtin
  tasks:
    - name: Install Docker
      apt:
        name: [docker.io, docker-compose]
        state: present
        update_cache: yes

    - name: Limit the logs
      copy:
        dest: /etc/docker/daemon.json
        content: "{{ docker_daemon | to_nice_json }}\n"
        mode: '0644'
      vars:
        docker_daemon:
          log-driver: json-file
          log-opts: {max-size: 10m, max-file: "3"}
      notify: [Restart Docker]

    - name: Restart it now
      meta: flush_handlers

    - name: Wait for the socket
      wait_for:
        path: /run/docker.sock
        timeout: 30

    - name: Include the stack of the host
      include_tasks: stack.yml
      when: stack_enabled | default(true) | bool

  handlers:
    - name: Restart Docker
      service: name=docker state=restarted
EOF
cat > stack.yml <<'EOF'
---
- name: Make the folder of the stack
  ansible.builtin.file:
    path: /srv/stack
    state: directory
    mode: "0750"
- name: Start the stack
  ansible.builtin.command:
    cmd: docker compose up --detach --wait
    chdir: /srv/stack
  register: stack_up
  changed_when: "'Started' in stack_up.stderr or 'Created' in stack_up.stderr"
EOF
ansible-playbook -i inventory.ini docker.yml --limit docker
