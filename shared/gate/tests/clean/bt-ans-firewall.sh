#!/usr/bin/env bash
set -euo pipefail

mkdir -p firewall/group_vars
cd firewall

cat > ansible.cfg <<'EOF'
[defaults]
inventory = ./hosts
stdout_callback = default
host_key_checking = True
EOF

cat > hosts <<'EOF'
[shop]
server
EOF

cat > group_vars/shop.yml <<'EOF'
---
admin_address: 203.0.113.27
web_ports:
  - "80"
  - "443"
fail2ban_maxretry: 4
EOF

cat > harden.yml <<'EOF'
---
- name: Firewall and SSH of the shop server
  hosts: shop
  become: true

  tasks:
    - name: Install the packages
      ansible.builtin.apt:
        name: [ufw, fail2ban, python3-systemd]
        state: present
        update_cache: true

    - name: Allow SSH from the admin only
      community.general.ufw:
        rule: allow
        proto: tcp
        port: "22"
        from_ip: "{{ admin_address }}"
        comment: SSH from the owner

    - name: Allow the web ports
      community.general.ufw:
        rule: allow
        proto: tcp
        port: "{{ item }}"
      loop: "{{ web_ports }}"

    - name: Deny everything else
      community.general.ufw:
        state: enabled
        policy: deny
        direction: incoming

    - name: Harden sshd
      ansible.builtin.copy:
        dest: /etc/ssh/sshd_config.d/50-shop.conf
        owner: root
        group: root
        mode: "0600"
        content: |
          PermitRootLogin no
          PasswordAuthentication no
          KbdInteractiveAuthentication no
          X11Forwarding no
          MaxAuthTries 4
      notify:
        - Validate sshd
        - Reload sshd

    - name: Configure fail2ban
      ansible.builtin.copy:
        dest: /etc/fail2ban/jail.d/sshd.local
        mode: "0644"
        content: |
          [sshd]
          enabled = true
          backend = systemd
          maxretry = {{ fail2ban_maxretry }}
          bantime = 1h
          ignoreip = 127.0.0.1/8 {{ admin_address }}
      notify: Restart fail2ban

    - name: Protect against spoofed packets
      ansible.posix.sysctl:
        name: "{{ item.key }}"
        value: "{{ item.value }}"
        sysctl_file: /etc/sysctl.d/60-shop.conf
        state: present
        reload: true
      loop:
        - { key: net.ipv4.conf.all.rp_filter, value: "1" }
        - { key: net.ipv4.conf.all.accept_redirects, value: "0" }
        - { key: net.ipv4.tcp_syncookies, value: "1" }

  handlers:
    - name: Validate sshd
      ansible.builtin.command: /usr/sbin/sshd -t
      changed_when: false

    - name: Reload sshd
      ansible.builtin.systemd_service:
        name: ssh
        state: reloaded

    - name: Restart fail2ban
      ansible.builtin.systemd_service:
        name: fail2ban
        state: restarted
        enabled: true
EOF

ansible-playbook --syntax-check harden.yml
ansible-playbook --diff harden.yml

ssh server 'sudo ufw status verbose; systemctl is-active fail2ban ssh'
ssh server 'sudo sshd -T' | grep -x 'passwordauthentication no'
