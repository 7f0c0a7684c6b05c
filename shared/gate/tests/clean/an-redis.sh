#!/usr/bin/env bash
# Installs Redis for sessions, reachable from this host only
set -euo pipefail
cd ~/workspace/ansible
cat >redis.yml <<'EOF'
---
- name: Install Redis
  hosts: cache
  become: true
  tasks:
    - name: Install the package
      ansible.builtin.apt:
        name: redis-server
        state: present

    - name: Set what differs from the package
      ansible.builtin.lineinfile:
        path: /etc/redis/redis.conf
        regexp: "{{ item.regexp }}"
        line: "{{ item.line }}"
      loop:
        - { regexp: '^#?\s*bind ', line: bind 127.0.0.1 }
        - { regexp: '^#?\s*maxmemory ', line: maxmemory 256mb }
        - { regexp: '^#?\s*maxmemory-policy ', line: maxmemory-policy allkeys-lru }
      notify: Restart Redis

    - name: Allow overcommitted memory
      ansible.posix.sysctl:
        name: vm.overcommit_memory
        value: "1"
        sysctl_file: /etc/sysctl.d/60-redis.conf
        state: present

    - name: Restart now if needed
      ansible.builtin.meta: flush_handlers

    - name: Ask it
      ansible.builtin.command: redis-cli ping
      register: pong
      changed_when: false
      failed_when: "'PONG' not in pong.stdout"

  handlers:
    - name: Restart Redis
      ansible.builtin.service:
        name: redis-server
        state: restarted
EOF
ansible-playbook -i inventory.ini redis.yml
