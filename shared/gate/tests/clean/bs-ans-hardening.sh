#!/usr/bin/env bash
# Harden the shop's server: sshd, ufw and fail2ban as a role.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST}"
: "${ADMIN_CIDR:?set ADMIN_CIDR to your own address with /32}"

work="${WORK_DIR:-$PWD/ans-hardening}"
role="$work/roles/hardening"
mkdir -p "$role"/{tasks,handlers,defaults,templates}
cd "$work"

cat > requirements.yml <<'EOF'
collections:
  - name: community.general
    version: 9.5.1
EOF

cat > hosts.ini <<EOF
[shop]
$SHOP_HOST ansible_user=${SSH_USER:-deploy}
EOF

cat > "$role/defaults/main.yml" <<'EOF'
hardening_web_ports: ["80", "443"]
hardening_ban_time: 1h
hardening_max_retry: 5
EOF

cat > "$role/templates/jail.local.j2" <<'EOF'
[sshd]
enabled = true
backend = systemd
bantime = {{ hardening_ban_time }}
maxretry = {{ hardening_max_retry }}
ignoreip = 127.0.0.1/8 {{ hardening_admin_cidr }}
EOF

cat > "$role/templates/sshd.conf.j2" <<'EOF'
PermitRootLogin no
PasswordAuthentication no
KbdInteractiveAuthentication no
X11Forwarding no
MaxAuthTries 3
EOF

cat > "$role/tasks/main.yml" <<'EOF'
- name: Packages
  ansible.builtin.apt:
    name: [ufw, fail2ban, python3-systemd]
    update_cache: true
- name: Settings of sshd
  ansible.builtin.template:
    src: sshd.conf.j2
    dest: /etc/ssh/sshd_config.d/10-hardening.conf
    owner: root
    mode: "0600"
  notify: Check and reload sshd
- name: Settings of fail2ban
  ansible.builtin.template:
    src: jail.local.j2
    dest: /etc/fail2ban/jail.local
    mode: "0644"
  notify: Restart fail2ban
- name: SSH from the admin's address only
  community.general.ufw:
    rule: allow
    proto: tcp
    from_ip: "{{ hardening_admin_cidr }}"
    to_port: "22"
- name: Web ports
  community.general.ufw:
    rule: allow
    proto: tcp
    to_port: "{{ item }}"
  loop: "{{ hardening_web_ports }}"
- name: Everything else is refused
  community.general.ufw:
    state: enabled
    direction: incoming
    default: deny
EOF

cat > "$role/handlers/main.yml" <<'EOF'
- name: Check and reload sshd
  ansible.builtin.shell: sshd -t && systemctl reload ssh
- name: Restart fail2ban
  ansible.builtin.systemd:
    name: fail2ban
    state: restarted
    enabled: true
EOF

cat > site.yml <<'EOF'
- name: Harden the server
  hosts: shop
  become: true
  roles:
    - role: hardening
EOF

export ANSIBLE_ROLES_PATH="$work/roles"
ansible-galaxy collection install -r requirements.yml
ansible-playbook -i hosts.ini --syntax-check site.yml
ansible-playbook -i hosts.ini -e "hardening_admin_cidr=$ADMIN_CIDR" site.yml

# Proof: we can still log in, ufw is active, and no password is accepted.
ansible shop -i hosts.ini -m ansible.builtin.ping
ansible shop -i hosts.ini -b -m ansible.builtin.shell -a "ufw status | grep -q '^Status: active'"
ansible shop -i hosts.ini -b -m ansible.builtin.shell -a "sshd -T | grep -qx 'passwordauthentication no'"
