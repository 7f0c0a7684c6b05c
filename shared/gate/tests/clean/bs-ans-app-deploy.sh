#!/usr/bin/env bash
# Deploy one release of the shop as a systemd service, by Ansible.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST}"
: "${RELEASE_URL:?set RELEASE_URL to the archive of the release}"
: "${RELEASE_SHA256:?set RELEASE_SHA256}"
: "${RELEASE_VERSION:?set RELEASE_VERSION}"
: "${DATABASE_PASSWORD:?set DATABASE_PASSWORD}"
export RELEASE_URL RELEASE_SHA256 RELEASE_VERSION DATABASE_PASSWORD

work="${WORK_DIR:-$PWD/ans-app}"
mkdir -p "$work"/{templates,group_vars}
cd "$work"

cat > inventory.ini <<EOF
[app]
shop-app ansible_host=$SHOP_HOST ansible_user=${SSH_USER:-deploy}
EOF

cat > group_vars/app.yml <<'EOF'
app_user: shop
app_root: /opt/shop
app_port: 8080
release_version: "{{ lookup('ansible.builtin.env', 'RELEASE_VERSION') }}"
release_url: "{{ lookup('ansible.builtin.env', 'RELEASE_URL') }}"
release_sha256: "{{ lookup('ansible.builtin.env', 'RELEASE_SHA256') }}"
database_password: "{{ lookup('ansible.builtin.env', 'DATABASE_PASSWORD') }}"
EOF

cat > templates/shop.env.j2 <<'EOF'
DATABASE_HOST=127.0.0.1
DATABASE_PASSWORD={{ database_password }}
LISTEN=127.0.0.1:{{ app_port }}
EOF

cat > templates/shop.service.j2 <<'EOF'
[Unit]
Description=Web shop
After=network-online.target
Wants=network-online.target

[Service]
User={{ app_user }}
EnvironmentFile=/etc/shop.env
ExecStart={{ app_root }}/current/bin/shop
Restart=on-failure
NoNewPrivileges=true
ProtectSystem=strict

[Install]
WantedBy=multi-user.target
EOF

cat > deploy.yml <<'EOF'
- name: Deploy the shop
  hosts: app
  become: true
  tasks:
    - name: User of the service
      ansible.builtin.user:
        name: "{{ app_user }}"
        system: true
        shell: /usr/sbin/nologin
    - name: Directory of the release
      ansible.builtin.file:
        path: "{{ app_root }}/releases/{{ release_version }}"
        state: directory
        mode: "0755"
    - name: Archive of the release
      ansible.builtin.get_url:
        url: "{{ release_url }}"
        dest: "{{ app_root }}/shop-{{ release_version }}.tar.gz"
        checksum: "sha256:{{ release_sha256 }}"
        mode: "0644"
    - name: Unpack it
      ansible.builtin.unarchive:
        src: "{{ app_root }}/shop-{{ release_version }}.tar.gz"
        dest: "{{ app_root }}/releases/{{ release_version }}"
        remote_src: true
        creates: "{{ app_root }}/releases/{{ release_version }}/bin/shop"
    - name: Environment
      ansible.builtin.template: {src: shop.env.j2, dest: /etc/shop.env, owner: root, mode: "0600"}
      no_log: true
      notify: Restart shop
    - name: Unit
      ansible.builtin.template: {src: shop.service.j2, dest: /etc/systemd/system/shop.service, mode: "0644"}
      notify: Restart shop
    - name: Switch to the release
      ansible.builtin.file:
        src: "{{ app_root }}/releases/{{ release_version }}"
        dest: "{{ app_root }}/current"
        state: link
      notify: Restart shop
    - ansible.builtin.meta: flush_handlers
    - name: The shop answers
      ansible.builtin.uri: {url: "http://127.0.0.1:{{ app_port }}/health", status_code: 200}
      register: health
      until: health.status == 200
      retries: 10
      delay: 3
  handlers:
    - name: Restart shop
      ansible.builtin.systemd: {name: shop, state: restarted, enabled: true, daemon_reload: true}
EOF

ansible-playbook -i inventory.ini --syntax-check deploy.yml
ansible-playbook -i inventory.ini deploy.yml
ansible app -i inventory.ini -b -m ansible.builtin.command -a "systemctl is-active shop"
