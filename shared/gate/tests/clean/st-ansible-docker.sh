#!/usr/bin/env bash
# Docker from Docker's own repository, one container and nginx in front of it.
set -euo pipefail

: "${SESSION_SECRET:?set SESSION_SECRET}"
export SESSION_SECRET
test -s inventory.ini
mkdir -p playbooks/templates && cd playbooks

cat > templates/wiki.conf.j2 <<'EOF'
server {
    listen 80;
    server_name {{ wiki_domain }};

    client_max_body_size 20m;

    location / {
        proxy_pass http://127.0.0.1:{{ wiki_port }};
        proxy_set_header Host $host;
        proxy_set_header X-Real-IP $remote_addr;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
    }
}
EOF

cat > wiki.yml <<'EOF'
---
- name: Wiki
  hosts: wiki
  become: true
  vars:
    wiki_domain: wiki.example.org
    wiki_port: 3000
  tasks:
    - name: Install prerequisites
      ansible.builtin.apt:
        name: [ca-certificates, curl, nginx, python3-requests]
        update_cache: true

    - name: Fetch Docker's key
      ansible.builtin.get_url:
        url: https://download.docker.com/linux/debian/gpg
        dest: /etc/apt/keyrings/docker.asc
        mode: "0644"

    - name: Add Docker's repository
      ansible.builtin.apt_repository:
        repo: >-
          deb [signed-by=/etc/apt/keyrings/docker.asc]
          https://download.docker.com/linux/debian
          {{ ansible_facts['distribution_release'] }} stable
        filename: docker
        state: present

    - name: Install Docker
      ansible.builtin.apt:
        name: [docker-ce, docker-ce-cli, containerd.io]
        state: present

    - name: Run the wiki
      community.docker.docker_container:
        name: wiki
        image: ghcr.io/example/wiki:3.8.2
        state: started
        restart_policy: unless-stopped
        published_ports:
          - "127.0.0.1:{{ wiki_port }}:3000"
        env:
          SESSION_SECRET: "{{ lookup('ansible.builtin.env', 'SESSION_SECRET') }}"
        volumes:
          - wiki-data:/data

    - name: Configure nginx
      ansible.builtin.template:
        src: wiki.conf.j2
        dest: /etc/nginx/sites-available/wiki.conf
        mode: "0644"
      notify: Reload nginx

    - name: Enable the site
      ansible.builtin.file:
        src: /etc/nginx/sites-available/wiki.conf
        dest: /etc/nginx/sites-enabled/wiki.conf
        state: link
      notify: Reload nginx

    - name: Apply the nginx configuration now
      ansible.builtin.meta: flush_handlers

    - name: Wait for the wiki
      ansible.builtin.uri:
        url: http://127.0.0.1/
        headers:
          Host: "{{ wiki_domain }}"
        status_code: 200
      register: answer
      until: answer.status == 200
      retries: 12
      delay: 5

  handlers:
    - name: Reload nginx
      ansible.builtin.service:
        name: nginx
        state: reloaded
EOF

ansible-galaxy collection install community.docker:4.2.0
ansible-playbook -i ../inventory.ini wiki.yml --syntax-check
ansible-playbook -i ../inventory.ini wiki.yml
