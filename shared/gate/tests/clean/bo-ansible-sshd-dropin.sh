#!/usr/bin/env bash
# Harden sshd on all servers by a drop-in (keys only, no root password login), validated before it is installed.
set -euo pipefail

mkdir -p ansible-ssh
cat > ansible-ssh/hosts.yml <<'EOF'
all:
  children:
    web: { hosts: { web1: {}, web2: {} } }
    db: { hosts: { db1: {} } }
EOF

cat > ansible-ssh/10-hardening.conf <<'EOF'
# Read before 50-cloud-init.conf: the first value of a keyword wins.
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PubkeyAuthentication yes
X11Forwarding no
MaxAuthTries 4
LoginGraceTime 30
ClientAliveInterval 300
ClientAliveCountMax 2
EOF

cat > ansible-ssh/play.yml <<'EOF'
- name: sshd
  hosts: all
  become: true
  serial: 1
  tasks:
    - name: The main file reads the drop-ins
      ansible.builtin.lineinfile:
        path: /etc/ssh/sshd_config
        regexp: '^\s*Include\s+/etc/ssh/sshd_config\.d/\*\.conf'
        line: Include /etc/ssh/sshd_config.d/*.conf
        insertbefore: BOF
        validate: /usr/sbin/sshd -t -f %s
      notify: Reload sshd

    - name: Install the drop-in
      ansible.builtin.copy:
        src: 10-hardening.conf
        dest: /etc/ssh/sshd_config.d/10-hardening.conf
        owner: root
        group: root
        mode: "0644"
        validate: /usr/sbin/sshd -t -f %s
      notify: Reload sshd

    - name: Reload now, before the next server
      ansible.builtin.meta: flush_handlers

    - name: Effective settings
      ansible.builtin.command: /usr/sbin/sshd -T
      register: effective
      changed_when: false

    - name: Passwords are off
      ansible.builtin.assert:
        that:
          - "'passwordauthentication no' in effective.stdout_lines"
          - "'kbdinteractiveauthentication no' in effective.stdout_lines"

    - name: Open a new connection with the key
      ansible.builtin.meta: reset_connection

    - name: Still reachable
      ansible.builtin.ping:
  handlers:
    - name: Reload sshd
      ansible.builtin.systemd_service:
        name: ssh
        state: reloaded
EOF

ansible-playbook -i ansible-ssh/hosts.yml ansible-ssh/play.yml

# Independent proof: a password login is not even offered.
for h in web1 web2 db1; do
  offered=$(ssh -o BatchMode=yes -o ControlPath=none -o PreferredAuthentications=none "$h" true 2>&1 || true)
  if grep -q 'password' <<<"$offered"; then
    echo "$h still offers password logins: $offered" >&2
    exit 1
  fi
done
