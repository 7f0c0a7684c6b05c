#!/usr/bin/env bash
set -euo pipefail
mkdir -p ansible/templates && cd ansible
cat > inventory.ini <<'EOF'
[web]
server ansible_user=root
EOF
cat > templates/site.conf.j2 <<'EOF'
{# Managed by Ansible #}
{%- macro header(name, value) -%}
add_header {{ name }} "{{ value }}" always;
{%- endmacro %}
server {
    listen 80;
    server_name {{ server_names | join(' ') }};
    root {{ web_root }};
    {{ header('X-Frame-Options', 'DENY') }}
{% for path, target in redirects.items() | sort %}
    location = {{ path }} { return 301 {{ target }}; }
{% endfor %}
    location / {
        try_files $uri $uri/ =404;
    }
}
EOF
cat > playbook.yml <<'EOF'
---
- name: Web server
  hosts: web
  become: true
  vars:
    web_root: /var/www/site
    server_names: [example.com, www.example.com]
    redirects:
      /old: /new
  tasks:
    - name: Install nginx
      ansible.builtin.apt:
        name: nginx
        state: present
        update_cache: true
        cache_valid_time: 3600
    - name: Web root
      ansible.builtin.file:
        path: "{{ web_root }}"
        state: directory
        mode: "0755"
    - name: Site configuration
      ansible.builtin.template:
        src: site.conf.j2
        dest: /etc/nginx/conf.d/site.conf
        mode: "0644"
      notify: Reload nginx
    - name: Check the configuration
      ansible.builtin.command: nginx -t
      changed_when: false
  handlers:
    - name: Reload nginx
      ansible.builtin.service:
        name: nginx
        state: reloaded
EOF
ansible-playbook -i inventory.ini playbook.yml --syntax-check
ansible-playbook -i inventory.ini playbook.yml
ssh server 'nginx -t && systemctl is-active nginx'
