#!/usr/bin/env bash
set -euo pipefail

mkdir -p templates
cat > inventory.ini <<'EOF'
[web]
server
EOF

cat > templates/site.conf.j2 <<'EOF'
server {
    listen 80 default_server;
    server_name {{ server_name }};
    root {{ docroot }};
{% for loc in static_paths %}
    location {{ loc }} {
        expires 7d;
    }
{% endfor %}
}
EOF

cat > playbook.yml <<'EOF'
---
- name: Publish the site
  hosts: web
  become: true
  vars:
    server_name: www.example.com
    docroot: /var/www/site
    static_paths:
      - /img/
      - /css/
  tasks:
    - name: Install nginx
      ansible.builtin.apt:
        name: nginx
        state: present
        update_cache: true

    - name: Create the document root
      ansible.builtin.file:
        path: "{{ docroot }}"
        state: directory
        owner: www-data
        group: www-data
        mode: "0755"

    - name: Write the start page
      ansible.builtin.copy:
        content: "<h1>{{ page_title | default('Welcome') }}</h1>\n"
        dest: "{{ docroot }}/index.html"
        mode: "0644"

    - name: Write the site configuration
      ansible.builtin.template:
        src: site.conf.j2
        dest: /etc/nginx/sites-enabled/default
        mode: "0644"
      notify: Reload nginx

  handlers:
    - name: Reload nginx
      ansible.builtin.service:
        name: nginx
        state: reloaded
EOF

ansible-playbook -i inventory.ini playbook.yml --syntax-check
ansible-playbook -i inventory.ini playbook.yml
ssh server 'systemctl is-active nginx && curl -fsS http://127.0.0.1/'
