#!/usr/bin/env bash
# Installs node_exporter from its release as a systemd service
set -euo pipefail
mkdir -p ~/workspace/ansible/roles/node_exporter/{defaults,tasks,handlers,templates}
cd ~/workspace/ansible

cat > roles/node_exporter/defaults/main.yml <<'EOF'
---
node_exporter_version: 1.9.1
node_exporter_sha256: becb950ee80daa8ae7331d77966d94a611af79ad0d3307380907e0ec08f5b4e8
node_exporter_listen: 127.0.0.1:9100
EOF

cat > roles/node_exporter/tasks/main.yml <<'EOF'
---
- name: Make the account
  ansible.builtin.user:
    name: node_exporter
    system: true
    shell: /usr/sbin/nologin
    create_home: false

- name: Download the release
  ansible.builtin.get_url:
    url: "https://github.com/prometheus/node_exporter/releases/download/v{{ node_exporter_version }}/node_exporter-{{ node_exporter_version }}.linux-amd64.tar.gz"
    dest: /var/cache/node_exporter.tar.gz
    checksum: "sha256:{{ node_exporter_sha256 }}"
    mode: "0644"
  register: node_exporter_archive
  until: node_exporter_archive is succeeded
  retries: 3
  delay: 5

- name: Unpack it
  ansible.builtin.unarchive:
    src: /var/cache/node_exporter.tar.gz
    dest: /usr/local/bin
    remote_src: true
    extra_opts: [--strip-components=1, --no-same-owner]
    include: ["node_exporter-{{ node_exporter_version }}.linux-amd64/node_exporter"]
  notify: Restart node_exporter

- name: Write the unit
  ansible.builtin.template:
    src: node_exporter.service.j2
    dest: /etc/systemd/system/node_exporter.service
    mode: "0644"
  notify: Restart node_exporter

- name: Start it
  ansible.builtin.systemd_service:
    name: node_exporter
    state: started
    enabled: true
    daemon_reload: true
EOF

cat > roles/node_exporter/handlers/main.yml <<'EOF'
---
- name: Restart node_exporter
  ansible.builtin.systemd_service:
    name: node_exporter
    state: restarted
    daemon_reload: true
EOF

cat > roles/node_exporter/templates/node_exporter.service.j2 <<'EOF'
[Unit]
Description=Metrics of the host
After=network-online.target
Wants=network-online.target

[Service]
User=node_exporter
ExecStart=/usr/local/bin/node_exporter --web.listen-address={{ node_exporter_listen }}
Restart=on-failure
ProtectSystem=strict

[Install]
WantedBy=multi-user.target
EOF

cat > metrics.yml <<'EOF'
---
- name: Install the exporter
  hosts: all
  become: true
  roles:
    - role: node_exporter
EOF

ansible-playbook -i inventory.ini metrics.yml
ssh server 'curl -fsS http://127.0.0.1:9100/metrics | grep -c ^node_'
