#!/usr/bin/env bash
# Runs the Node application as a service
set -euo pipefail
cd ~/workspace/ansible
mkdir -p templates
cat >templates/shop.service.j2 <<'EOF'
[Unit]
Description=Shop
After=network-online.target
Wants=network-online.target

[Service]
Type=simple
User={{ app_user }}
WorkingDirectory={{ app_home }}
Environment=NODE_ENV=production PORT={{ app_port }}
ExecStart=/usr/bin/node {{ app_home }}/server.js
Restart=on-failure
RestartSec=5
NoNewPrivileges=true
ProtectSystem=full

[Install]
WantedBy=multi-user.target
EOF
cat >app.yml <<'EOF'
---
- name: Run the application
  hosts: app
  become: true
  vars:
    app_user: shop
    app_home: /srv/shop
    app_port: 3000
  tasks:
    - name: Install Node
      ansible.builtin.apt:
        name: [nodejs, npm]
        state: present

    - name: Make the user
      ansible.builtin.user:
        name: "{{ app_user }}"
        system: true
        home: "{{ app_home }}"
        shell: /usr/sbin/nologin

    - name: Copy the application
      ansible.posix.synchronize:
        src: ../app/
        dest: "{{ app_home }}/"
        delete: true
        rsync_opts:
          - --exclude=.git

    - name: Install the packages
      ansible.builtin.command:
        cmd: npm ci --omit=dev
        chdir: "{{ app_home }}"
        creates: "{{ app_home }}/node_modules"

    - name: Write the unit
      ansible.builtin.template:
        src: shop.service.j2
        dest: /etc/systemd/system/shop.service
        owner: root
        group: root
        mode: "0644"
      notify: Restart the shop

    - name: Start the shop
      ansible.builtin.systemd_service:
        name: shop
        state: started
        enabled: true
        daemon_reload: true

    - name: Wait until it answers
      ansible.builtin.uri:
        url: "http://127.0.0.1:{{ app_port }}/health"
        status_code: 200
      register: health
      until: health.status == 200
      retries: 10
      delay: 3

  handlers:
    - name: Restart the shop
      ansible.builtin.systemd_service:
        name: shop
        state: restarted
        daemon_reload: true
EOF
ansible-playbook -i inventory.ini app.yml
