#!/usr/bin/env bash
set -euo pipefail
mkdir -p hardening/roles/base/{tasks,handlers,defaults,templates} && cd hardening
cat > ansible.cfg <<'EOF'
[defaults]
inventory = hosts.ini
roles_path = roles
host_key_checking = True
[ssh_connection]
pipelining = True
EOF
printf '[all]\nserver ansible_user=root\n' > hosts.ini
cat > roles/base/defaults/main.yml <<'EOF'
---
base_admin_users:
  - name: alice
    groups: [sudo, adm]
  - name: bob
    groups: [adm]
base_ssh_port: 22
EOF
cat > roles/base/tasks/main.yml <<'EOF'
---
- name: Admin users
  ansible.builtin.user:
    name: "{{ item.name }}"
    groups: "{{ item.groups | join(',') }}"
    append: true
    shell: /bin/bash
  loop: "{{ base_admin_users }}"
  loop_control:
    label: "{{ item.name }}"
- name: Harden sshd
  ansible.builtin.template:
    src: sshd.conf.j2
    dest: /etc/ssh/sshd_config.d/50-hardening.conf
    owner: root
    group: root
    mode: "0600"
    validate: /usr/sbin/sshd -t -f %s
  notify: Reload sshd
- name: Sysctl
  block:
    - name: Write the settings
      ansible.builtin.copy:
        dest: /etc/sysctl.d/60-net.conf
        content: |
          net.ipv4.conf.all.rp_filter = 1
          net.ipv4.tcp_syncookies = 1
        mode: "0644"
      register: base_sysctl
    - name: Apply the settings
      ansible.builtin.command: sysctl --system
      when: base_sysctl is changed
      changed_when: true
  when: ansible_facts['os_family'] == 'Debian'
EOF
cat > roles/base/templates/sshd.conf.j2 <<'EOF'
Port {{ base_ssh_port | int }}
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
{% if base_admin_users | length > 0 -%}
AllowUsers root {{ base_admin_users | map(attribute='name') | join(' ') }}
{% endif %}
EOF
cat > roles/base/handlers/main.yml <<'EOF'
---
- name: Reload sshd
  ansible.builtin.service:
    name: ssh
    state: reloaded
EOF
cat > site.yml <<'EOF'
---
- name: Base hardening
  hosts: all
  become: true
  roles:
    - role: base
EOF
ansible-playbook site.yml --syntax-check
ansible-playbook site.yml
ssh server 'sshd -T' | grep -qi '^passwordauthentication no'
