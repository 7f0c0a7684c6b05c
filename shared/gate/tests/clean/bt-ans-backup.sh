#!/usr/bin/env bash
set -euo pipefail

base="$PWD/backup"
mkdir -p "$base"

cat > "$base/inventory.yml" <<'EOF'
all:
  hosts:
    server:
EOF

cat > "$base/backup.yml" <<'EOF'
- name: Nightly database backup
  hosts: all
  become: true

  vars:
    backup_dir: /var/backups/shop
    keep_days: 14
    database: shop

  tasks:
    - name: Create the backup directory
      ansible.builtin.file:
        path: "{{ backup_dir }}"
        state: directory
        owner: postgres
        group: postgres
        mode: "0700"

    - name: Install the backup script
      ansible.builtin.copy:
        dest: /usr/local/sbin/shop-backup
        owner: root
        group: root
        mode: "0755"
        content: |
          #!/bin/sh
          set -eu
          target="{{ backup_dir }}/{{ database }}-$(date +%Y%m%d-%H%M%S).dump"
          pg_dump --format=custom --file="$target.part" "{{ database }}"
          mv "$target.part" "$target"
          find "{{ backup_dir }}" -name '*.dump' -mtime +{{ keep_days }} -delete

    - name: Install the service unit
      ansible.builtin.copy:
        dest: /etc/systemd/system/shop-backup.service
        mode: "0644"
        content: |
          [Unit]
          Description=Backup of the shop database
          After=postgresql.service

          [Service]
          Type=oneshot
          User=postgres
          UMask=0077
          ExecStart=/usr/local/sbin/shop-backup
      notify: Reload systemd

    - name: Install the timer unit
      ansible.builtin.copy:
        dest: /etc/systemd/system/shop-backup.timer
        mode: "0644"
        content: |
          [Unit]
          Description=Nightly backup of the shop database

          [Timer]
          OnCalendar=*-*-* 02:30:00
          RandomizedDelaySec=10m
          Persistent=true

          [Install]
          WantedBy=timers.target
      notify:
        - Reload systemd
        - Restart the timer

    - name: Load the new units
      ansible.builtin.meta: flush_handlers

    - name: Enable the timer
      ansible.builtin.systemd_service:
        name: shop-backup.timer
        enabled: true
        state: started

    - name: Run one backup now
      ansible.builtin.systemd_service:
        name: shop-backup.service
        state: started

    - name: Find the backups
      ansible.builtin.find:
        paths: "{{ backup_dir }}"
        patterns: "*.dump"
        size: 1
      register: dumps

    - name: Check that there is a backup
      ansible.builtin.assert:
        that:
          - dumps.matched > 0
        fail_msg: "No backup in {{ backup_dir }}"

  handlers:
    - name: Reload systemd
      ansible.builtin.systemd_service:
        daemon_reload: true

    - name: Restart the timer
      ansible.builtin.systemd_service:
        name: shop-backup.timer
        state: restarted
EOF

cd "$base"
ansible-playbook -i inventory.yml backup.yml --syntax-check
ansible-playbook -i inventory.yml backup.yml
ssh server "systemctl list-timers --no-pager shop-backup.timer"
