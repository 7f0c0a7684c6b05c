#!/usr/bin/env bash
# Publishes the static site with nginx
set -euo pipefail
base=~/workspace/ansible
mkdir -p "$base/templates"
cat >"$base/inventory.ini" <<'EOF'
[web]
web1 ansible_host=10.0.1.10

[web:vars]
ansible_user=deploy
EOF
cat >"$base/templates/site.conf.j2" <<'EOF'
server {
    listen 80;
    server_name {{ site_name }};
    root {{ site_root }};

    location / {
        try_files $uri $uri/ =404;
    }
}
EOF
cat >"$base/site.yml" <<'EOF'
---
- name: Publish the site
  hosts: web
  become: true
  vars:
    site_name: shop.example.com
    site_root: /var/www/shop
  tasks:
    - name: Install nginx
      ansible.builtin.apt:
        name: nginx
        state: present
        update_cache: true
        cache_valid_time: 3600

    - name: Make the root
      ansible.builtin.file:
        path: "{{ site_root }}"
        state: directory
        owner: www-data
        group: www-data
        mode: "0755"

    - name: Write the main configuration
      ansible.builtin.copy:
        content: "server_tokens off;\n"
        dest: /etc/nginx/conf.d/tokens.conf
        mode: "0644"
      notify: Reload nginx

    - name: Describe the site
      ansible.builtin.template:
        src: site.conf.j2
        dest: /etc/nginx/sites-available/shop
        mode: "0644"
      notify: Reload nginx

    - name: Enable the site
      ansible.builtin.file:
        src: /etc/nginx/sites-available/shop
        dest: /etc/nginx/sites-enabled/shop
        state: link
      notify: Reload nginx

    - name: Look for the configuration's errors
      ansible.builtin.command: nginx -t
      changed_when: false

    - name: Start nginx
      ansible.builtin.service:
        name: nginx
        state: started
        enabled: true

  handlers:
    - name: Reload nginx
      ansible.builtin.service:
        name: nginx
        state: reloaded
EOF
cd "$base"
ansible-playbook -i inventory.ini --syntax-check site.yml
ansible-playbook -i inventory.ini site.yml
