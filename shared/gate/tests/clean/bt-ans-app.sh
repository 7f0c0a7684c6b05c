#!/usr/bin/env bash
set -euo pipefail

: "${DATABASE_PASSWORD:?}"

dir=deploy-app
mkdir -p "$dir/templates" "$dir/files"

cat > "$dir/files/server.js" <<'EOF'
const http = require('http');

const port = Number(process.env.PORT || 3000);
const server = http.createServer((req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ status: 'ok', path: req.url }));
});

server.listen(port, '127.0.0.1', () => {
  console.log(`shop listens on ${port}`);
});
EOF

cat > "$dir/templates/shop.service.j2" <<'EOF'
[Unit]
Description=Web shop
After=network.target postgresql.service

[Service]
User={{ app_user }}
WorkingDirectory={{ app_dir }}
EnvironmentFile=/etc/shop/shop.env
ExecStart=/usr/bin/node {{ app_dir }}/server.js
Restart=on-failure
NoNewPrivileges=true
ProtectSystem=strict
ProtectHome=true
PrivateTmp=true

[Install]
WantedBy=multi-user.target
EOF

cat > "$dir/templates/shop.env.j2" <<'EOF'
PORT={{ app_port }}
NODE_ENV=production
PGHOST=127.0.0.1
PGUSER=shop
PGPASSWORD={{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}
EOF

cat > "$dir/site.yml" <<'EOF'
---
- name: Deploy the shop application
  hosts: all
  become: true
  vars:
    app_user: shop
    app_dir: /opt/shop
    app_port: 3000

  tasks:
    - name: Install Node.js
      ansible.builtin.apt:
        name: nodejs
        update_cache: true

    - name: Create the user
      ansible.builtin.user:
        name: "{{ app_user }}"
        system: true
        home: "{{ app_dir }}"
        shell: /usr/sbin/nologin
        create_home: false

    - name: Create the directories
      ansible.builtin.file:
        path: "{{ item }}"
        state: directory
        owner: root
        group: "{{ app_user }}"
        mode: "0750"
      loop:
        - "{{ app_dir }}"
        - /etc/shop

    - name: Copy the application
      ansible.builtin.copy:
        src: server.js
        dest: "{{ app_dir }}/server.js"
        owner: root
        group: "{{ app_user }}"
        mode: "0640"
      notify: restart shop

    - name: Write the environment file
      ansible.builtin.template:
        src: shop.env.j2
        dest: /etc/shop/shop.env
        owner: root
        group: "{{ app_user }}"
        mode: "0640"
      no_log: true
      notify: restart shop

    - name: Install the unit
      ansible.builtin.template:
        src: shop.service.j2
        dest: /etc/systemd/system/shop.service
        mode: "0644"
      notify: restart shop

    - name: Enable the service
      ansible.builtin.systemd_service:
        name: shop
        enabled: true
        state: started
        daemon_reload: true

  handlers:
    - name: restart shop
      ansible.builtin.systemd_service:
        name: shop
        state: restarted
        daemon_reload: true
EOF

cd "$dir"
ansible-playbook -i 'server,' site.yml --syntax-check
ansible-playbook -i 'server,' site.yml
ssh server 'systemctl is-active shop && curl -fsS --retry 5 --retry-connrefused http://127.0.0.1:3000/'
