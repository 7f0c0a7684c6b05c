#!/usr/bin/env bash
# Hardens the server with Ansible, twice, and requires that the second run changes nothing
set -euo pipefail
cd ~/workspace/ansible

cat > harden.yml <<'EOF'
---
- name: Harden the server
  hosts: all
  become: true
  gather_facts: true

  vars:
    harden_sshd:
      PermitRootLogin: "no"
      PasswordAuthentication: "no"
      X11Forwarding: "no"

  tasks:
    - name: Install the tools
      ansible.builtin.apt:
        name:
          - fail2ban
          - ufw
          - unattended-upgrades
        state: present
        update_cache: true
        cache_valid_time: 86400

    - name: Set the options of SSH
      ansible.builtin.lineinfile:
        path: /etc/ssh/sshd_config
        regexp: "^#?{{ item.key }} "
        line: "{{ item.key }} {{ item.value }}"
        validate: /usr/sbin/sshd -t -f %s
      loop: "{{ harden_sshd | dict2items }}"
      loop_control:
        label: "{{ item.key }}"
      notify: Restart ssh

    - name: Read the rules of the firewall
      ansible.builtin.command: ufw status
      register: harden_ufw
      changed_when: false

    - name: Open the ports
      ansible.builtin.command: "ufw allow {{ port }}/tcp"
      loop: [80, 443]
      loop_control:
        loop_var: port
      when: (port ~ '/tcp') not in harden_ufw.stdout
      changed_when: true

    - name: Let SSH in from one address
      ansible.builtin.command: ufw allow from 198.51.100.7 to any port 22 proto tcp
      when: "'198.51.100.7' not in harden_ufw.stdout"
      changed_when: true

    - name: Close the rest
      ansible.builtin.shell: |
        set -o pipefail
        ufw default deny incoming && ufw --force enable
      args:
        executable: /bin/bash
      when: "'Status: active' not in harden_ufw.stdout"
      changed_when: true

  handlers:
    - name: Restart ssh
      ansible.builtin.service:
        name: ssh
        state: restarted
EOF

ansible-playbook -i inventory.ini harden.yml --syntax-check
ansible-playbook -i inventory.ini harden.yml
ansible-playbook -i inventory.ini harden.yml | tee second.log
grep -Eq 'changed=0 .*failed=0' second.log
