#!/usr/bin/env bash
# Makes the accounts of the team and their rights
set -euo pipefail
cd "$HOME/workspace/ansible"
cat > users.yml <<'YML'
---
- name: Manage the accounts
  hosts: all
  become: true
  vars_files:
    - vars/team.yml
  tasks:
    - name: Make the group
      ansible.builtin.group:
        name: operators
        system: false

    - name: Make the accounts
      ansible.builtin.user:
        name: "{{ person.name }}"
        groups: "{{ person.groups | default(['operators']) }}"
        append: true
        shell: /bin/bash
        password_lock: true
      loop: "{{ team }}"
      loop_control:
        loop_var: person

    - name: Make the folders of the keys
      ansible.builtin.file:
        path: "/home/{{ person.name }}/.ssh"
        state: directory
        owner: "{{ person.name }}"
        mode: "0700"
      loop: "{{ team }}"
      loop_control: {loop_var: person}

    - name: Allow the keys
      ansible.builtin.copy:
        content: "{{ person.key }}\n"
        dest: "/home/{{ person.name }}/.ssh/authorized_keys"
        owner: "{{ person.name }}"
        mode: "0600"
      loop: "{{ team }}"
      loop_control: {loop_var: person}

    - name: Let operators restart the shop
      ansible.builtin.copy:
        dest: /etc/sudoers.d/operators
        content: |
          %operators ALL=(root) NOPASSWD: /usr/bin/systemctl restart shop.service
        mode: "0440"
        validate: visudo -cf %s
YML
mkdir -p vars
cat > vars/team.yml <<'YML'
---
team:
  - name: ada
    key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKr0c1h7m0mDkYxJvJmQx0V1m8aZ5w5yqf1Qq6b0u3ZP ada
  - name: linus
    groups: [operators, adm]
    key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1r7dLx4a4s4m0y1rXo8Kk8Qp3T2v0b5b9vX1s7tYcE linus
YML
ansible-playbook -i inventory.ini users.yml
ssh server 'getent group operators' | grep ada
