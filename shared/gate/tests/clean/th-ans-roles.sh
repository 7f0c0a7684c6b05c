#!/usr/bin/env bash
set -euo pipefail
: "${WEB_HOST:?set WEB_HOST}"

base=ansible-roles
mkdir -p "$base"/roles/common/{tasks,handlers,defaults,templates} "$base"/roles/web/{tasks,handlers,files,meta}

cat > "$base/roles/common/defaults/main.yml" <<'EOF'
common_timezone: Etc/UTC
common_packages:
  - chrony
  - unattended-upgrades
  - curl
common_ssh_max_auth: 3
EOF

cat > "$base/roles/common/templates/sshd.conf.j2" <<'EOF'
PasswordAuthentication no
PermitRootLogin prohibit-password
MaxAuthTries {{ common_ssh_max_auth | int }}
{% if common_ssh_users is defined %}
AllowUsers {{ common_ssh_users | join(' ') }}
{% endif %}
EOF

cat > "$base/roles/common/tasks/main.yml" <<'EOF'
- name: Base packages
  ansible.builtin.apt:
    name: "{{ common_packages }}"
    state: present
    update_cache: true

- name: Time zone
  ansible.builtin.command:
    cmd: timedatectl set-timezone {{ common_timezone }}
  register: tz_result
  changed_when: tz_result.rc == 0

- name: SSH settings
  ansible.builtin.template:
    src: sshd.conf.j2
    dest: /etc/ssh/sshd_config.d/10-site.conf
    mode: "0644"
    validate: /usr/sbin/sshd -t -f %s
  notify: Restart ssh
EOF

cat > "$base/roles/common/handlers/main.yml" <<'EOF'
- name: Restart ssh
  ansible.builtin.systemd_service:
    name: ssh
    state: restarted
EOF

cat > "$base/roles/web/meta/main.yml" <<'EOF'
dependencies:
  - role: common
EOF

cat > "$base/roles/web/files/security.conf" <<'EOF'
server_tokens off;
add_header X-Content-Type-Options nosniff always;
add_header Referrer-Policy same-origin always;
EOF

cat > "$base/roles/web/tasks/main.yml" <<'EOF'
- name: Install nginx
  ansible.builtin.apt:
    name: nginx
    state: present

- name: Security headers
  ansible.builtin.copy:
    src: security.conf
    dest: /etc/nginx/conf.d/security.conf
    mode: "0644"
  notify: reload web server

- name: Nginx runs
  ansible.builtin.systemd_service:
    name: nginx
    state: started
    enabled: true
EOF

cat > "$base/roles/web/handlers/main.yml" <<'EOF'
- name: Reload nginx
  ansible.builtin.systemd_service:
    name: nginx
    state: reloaded
  listen: reload web server
EOF

cat > "$base/site.yml" <<'EOF'
- hosts: all
  become: true
  roles:
    - web
  post_tasks:
    - name: Apply pending handlers
      ansible.builtin.meta: flush_handlers

    - name: Header is sent
      ansible.builtin.uri:
        url: http://127.0.0.1/
        return_content: false
      register: home
      retries: 5
      delay: 2
      until: home.status == 200

    - name: No server version in the answer
      ansible.builtin.assert:
        that:
          - home.server == "nginx"
          - home.x_content_type_options == "nosniff"
EOF

cd "$base"
ansible-playbook -i "${WEB_HOST}," -u root --syntax-check site.yml
ansible-playbook -i "${WEB_HOST}," -u root site.yml
curl -fsSI --max-time 10 "http://${WEB_HOST}/" | grep -qi '^x-content-type-options: nosniff'
