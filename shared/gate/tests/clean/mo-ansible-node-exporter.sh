#!/usr/bin/env bash
# Playbook: node exporter as a hardened service, sysctl, mounts, logrotate.
set -euo pipefail

mkdir -p ops
cat > ops/hosts.yml <<'EOF'
all:
  children:
    app:
      hosts:
        app1.example.org:
        app2.example.org:
EOF

cat > ops/base.yml <<'EOF'
---
- name: Base setup
  hosts: app
  become: true
  vars:
    exporter_version: "1.8.2"
    exporter_dir: "/opt/node_exporter-{{ exporter_version }}.linux-amd64"
  tasks:
    - name: Exporter account
      ansible.builtin.user:
        name: node_exporter
        system: true
        shell: /usr/sbin/nologin
        create_home: false

    - name: Unpack the release
      ansible.builtin.unarchive:
        src: "https://github.com/prometheus/node_exporter/releases/download/v{{ exporter_version }}/node_exporter-{{ exporter_version }}.linux-amd64.tar.gz"
        dest: /opt
        remote_src: true
        creates: "{{ exporter_dir }}/node_exporter"

    - name: Unit file
      ansible.builtin.copy:
        dest: /etc/systemd/system/node_exporter.service
        mode: "0644"
        content: |
          [Unit]
          Description=Node exporter
          After=network-online.target
          Wants=network-online.target

          [Service]
          User=node_exporter
          ExecStart={{ exporter_dir }}/node_exporter --web.listen-address=127.0.0.1:9100
          Restart=on-failure
          ProtectSystem=strict
          NoNewPrivileges=true

          [Install]
          WantedBy=multi-user.target
      register: unit

    - name: Start the exporter
      ansible.builtin.systemd_service:
        name: node_exporter
        state: "{{ 'restarted' if unit is changed else 'started' }}"
        enabled: true
        daemon_reload: true

    - name: Lower swappiness
      ansible.posix.sysctl:
        name: vm.swappiness
        value: "10"
        sysctl_file: /etc/sysctl.d/60-base.conf

    - name: NFS client
      ansible.builtin.apt:
        name: nfs-common
        state: present
        update_cache: true

    - name: Mount the share
      ansible.posix.mount:
        src: 10.20.1.30:/srv/share
        path: /mnt/share
        fstype: nfs
        opts: rw,hard,noatime,_netdev
        state: mounted

    - name: Rotate the application log
      ansible.builtin.copy:
        dest: /etc/logrotate.d/app
        mode: "0644"
        content: |
          /var/log/app/*.log {
              weekly
              rotate 8
              compress
              delaycompress
              missingok
              notifempty
              copytruncate
          }
EOF

ansible-galaxy collection install ansible.posix:==1.6.2
ansible-playbook -i ops/hosts.yml ops/base.yml --syntax-check
ansible-playbook -i ops/hosts.yml ops/base.yml --diff --limit app1.example.org
