#!/usr/bin/env bash
set -euo pipefail

mkdir -p ops && cd ops
cat > play.yml <<'EOF'
---
- name: Deploy user
  hosts: all
  become: true
  vars:
    deploy_key: "{{ lookup('ansible.builtin.file', lookup('ansible.builtin.env', 'HOME') ~ '/.ssh/id_ed25519.pub') }}"
    tmpl: "{% raw %}{{ not_a_variable }}{% endraw %}"
  tasks:
    - name: Group
      ansible.builtin.group:
        name: deploy
        system: true
    - name: User
      ansible.builtin.user:
        name: deploy
        group: deploy
        password_lock: true
        create_home: true
    - name: Key
      ansible.posix.authorized_key:
        user: deploy
        key: "{{ deploy_key }}"
        state: present
    - name: Sudo for one command
      ansible.builtin.copy:
        dest: /etc/sudoers.d/deploy
        content: "deploy ALL=(root) NOPASSWD: /usr/bin/systemctl restart app.service\n"
        mode: "0440"
        validate: /usr/sbin/visudo -cf %s
    - name: Stale releases
      ansible.builtin.find:
        paths: /srv/app/releases
        file_type: directory
        age: 30d
      register: stale
    - name: Template with braces
      ansible.builtin.copy:
        dest: /etc/deploy.tmpl
        content: "{{ tmpl }}\n"
        mode: "0644"
EOF
ansible-galaxy collection install 'ansible.posix:==1.6.2'
ansible-playbook -i 'server,' -u root play.yml
ssh server 'visudo -cf /etc/sudoers.d/deploy && id deploy'
