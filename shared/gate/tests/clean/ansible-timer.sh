#!/usr/bin/env bash
# Backs up the database each night by a systemd timer
set -euo pipefail
cd ~/workspace/ansible
mkdir -p files
cat > files/backup.sh <<'EOF'
#!/bin/bash
set -euo pipefail
umask 077
stamp=$(date -u +%Y%m%dT%H%M%SZ)
target=/var/backups/orders/$stamp.dump
sudo -u postgres pg_dump --format=custom orders >"$target.part"
mv "$target.part" "$target"
find /var/backups/orders -name '*.dump' -mtime +14 -delete
EOF
cat > files/backup.service <<'EOF'
[Unit]
Description=Back up the orders

[Service]
Type=oneshot
ExecStart=/usr/local/sbin/backup-orders
EOF
cat > files/backup.timer <<'EOF'
[Unit]
Description=Back up the orders each night

[Timer]
OnCalendar=*-*-* 02:30:00
RandomizedDelaySec=10m
Persistent=true

[Install]
WantedBy=timers.target
EOF
cat > backup.yml <<'EOF'
---
- hosts: database
  name: Back up the database
  become: true
  tasks:
    - name: Make the folder
      ansible.builtin.file:
        path: /var/backups/orders
        state: directory
        owner: root
        group: root
        mode: u=rwx,go=

    - name: Copy the script
      ansible.builtin.copy:
        src: backup.sh
        dest: /usr/local/sbin/backup-orders
        mode: "0750"

    - name: Copy the units
      ansible.builtin.copy:
        src: "{{ item }}"
        dest: "/etc/systemd/system/{{ item | basename }}"
        mode: "0644"
      with_items:
        - backup.service
        - backup.timer
      notify: Reload systemd

    - name: Reload before the start
      ansible.builtin.meta: flush_handlers

    - name: Start the timer
      ansible.builtin.systemd_service: {name: backup.timer, state: started, enabled: true}

  handlers:
    - name: Reload systemd
      ansible.builtin.systemd_service:
        daemon_reload: true
EOF
ansible-playbook -i inventory.ini backup.yml
ssh server 'sudo systemctl start backup.service'
ssh server 'sudo sh -c "ls /var/backups/orders/*.dump"'
