#!/usr/bin/env bash
# Base configuration of the Debian servers: users, SSH, firewall, kernel settings, data disk, cron.
set -euo pipefail

mkdir -p ansible && cd ansible

cat > requirements.yml <<'EOF'
collections:
  - name: ansible.posix
    version: 1.6.2
  - name: community.general
    version: 10.1.0
EOF

cat > inventory.ini <<'EOF'
[app]
app1.example.net
app2.example.net

[app:vars]
ansible_user=root
EOF

cat > base.yml <<'EOF'
- name: Base configuration
  hosts: app
  become: true
  vars:
    admins:
      - { name: mira, key: "{{ lookup('file', 'keys/mira.pub') }}" }
      - { name: jonas, key: "{{ lookup('file', 'keys/jonas.pub') }}" }
  tasks:
    - name: Install packages
      ansible.builtin.apt:
        name: [ufw, sudo, cron, unattended-upgrades]
        state: present
        update_cache: true
        cache_valid_time: 3600

    - name: Create administrators
      ansible.builtin.user:
        name: "{{ item.name }}"
        groups: sudo
        append: true
        shell: /bin/bash
      loop: "{{ admins }}"

    - name: Install their keys
      ansible.posix.authorized_key:
        user: "{{ item.name }}"
        key: "{{ item.key }}"
        exclusive: true
      loop: "{{ admins }}"

    - name: Let administrators restart the application
      ansible.builtin.copy:
        dest: /etc/sudoers.d/10-restart
        content: "%sudo ALL=(root) NOPASSWD: /usr/bin/systemctl restart app.service\n"
        owner: root
        group: root
        mode: "0440"
        validate: /usr/sbin/visudo -cf %s

    - name: Harden SSH
      ansible.builtin.copy:
        dest: /etc/ssh/sshd_config.d/10-hardening.conf
        content: |
          PasswordAuthentication no
          KbdInteractiveAuthentication no
          PermitRootLogin prohibit-password
          MaxAuthTries 3
        owner: root
        group: root
        mode: "0644"
      notify: Restart ssh

    - name: Open ports
      community.general.ufw:
        rule: allow
        port: "{{ item }}"
        proto: tcp
      loop: ["22", "80", "443"]

    - name: Enable the firewall
      community.general.ufw:
        state: enabled
        policy: deny
        direction: incoming

    - name: Kernel settings
      ansible.posix.sysctl:
        name: "{{ item.key }}"
        value: "{{ item.value }}"
        sysctl_file: /etc/sysctl.d/60-app.conf
        sysctl_set: true
      loop: "{{ {'vm.swappiness': '10', 'net.core.somaxconn': '1024'} | dict2items }}"

    - name: Mount the data disk
      ansible.posix.mount:
        path: /srv/data
        src: LABEL=data
        fstype: ext4
        opts: defaults,noatime,nofail
        state: mounted

    - name: Clean old uploads every night
      ansible.builtin.cron:
        name: clean uploads
        user: root
        minute: "30"
        hour: "3"
        job: find /srv/data -type f -name '*.part' -mtime +7 -delete

  handlers:
    - name: Restart ssh
      ansible.builtin.service:
        name: ssh
        state: restarted
EOF

ansible-galaxy collection install -r requirements.yml
ansible-playbook -i inventory.ini base.yml --syntax-check
ansible-playbook -i inventory.ini base.yml --diff
