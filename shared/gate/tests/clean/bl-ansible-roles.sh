#!/usr/bin/env bash
set -euo pipefail

mkdir -p roles/motd/tasks roles/motd/defaults roles/motd/templates
cat > ansible.cfg <<'EOF'
[defaults]
inventory = inventory.ini
roles_path = roles
host_key_checking = True
EOF

printf '%s\n' '[app]' 'server' > inventory.ini

cat > roles/motd/defaults/main.yml <<'EOF'
---
motd_company: Acme
motd_contacts:
  ops: ops@example.com
  security: security@example.com
EOF

cat > roles/motd/templates/motd.j2 <<'EOF'
Property of {{ motd_company }} ({{ inventory_hostname }})
{% for team, mail in motd_contacts.items() %}
{% if mail is defined %}
  {{ team }}: {{ mail }}
{% endif %}
{% endfor %}
EOF

cat > roles/motd/tasks/main.yml <<'EOF'
---
- name: Write the message of the day
  ansible.builtin.template:
    src: motd.j2
    dest: /etc/motd
    owner: root
    group: root
    mode: "0644"
  register: motd_result

- name: Say whether it changed
  ansible.builtin.debug:
    msg: "motd changed: {{ motd_result.changed }}"
EOF

cat > site.yml <<'EOF'
---
- name: Base configuration
  hosts: app
  become: true
  gather_facts: false
  roles:
    - role: motd
EOF

ansible-playbook site.yml
ssh server 'grep -q "Property of Acme" /etc/motd'
