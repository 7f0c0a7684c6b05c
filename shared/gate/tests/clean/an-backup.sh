#!/usr/bin/env bash
# Backs up the uploads each night
set -euo pipefail
cd ~/workspace/ansible
cat >backup.yml <<'EOF'
---
- name: Back up the uploads
  hosts: web
  become: true
  vars:
    backup_dir: /var/backups/uploads
    backup_keep: 14
  tasks:
    - name: Make the folder
      ansible.builtin.file:
        path: "{{ backup_dir }}"
        state: directory
        owner: root
        group: root
        mode: "0700"

    - name: Write the script
      ansible.builtin.copy:
        dest: /usr/local/bin/backup-uploads
        mode: "0755"
        content: |
          #!/bin/sh
          set -eu
          tar -czf "{{ backup_dir }}/uploads-$(date +%F).tar.gz" -C /srv uploads
          find "{{ backup_dir }}" -name 'uploads-*.tar.gz' -mtime +{{ backup_keep }} -delete

    - name: Run it each night
      ansible.builtin.cron:
        name: backup uploads
        minute: "15"
        hour: "2"
        user: root
        job: /usr/local/bin/backup-uploads
        cron_file: backup-uploads

    - name: Rotate the log weekly
      ansible.builtin.cron:
        name: weigh backups
        special_time: weekly
        user: root
        job: du -sh {{ backup_dir }} | logger -t backup
        cron_file: backup-weigh
EOF
ansible-playbook -i inventory.ini backup.yml
