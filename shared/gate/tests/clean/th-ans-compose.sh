#!/usr/bin/env bash
set -euo pipefail
: "${APP_HOST:?set APP_HOST}"
: "${ACME_EMAIL:?set ACME_EMAIL}"
: "${SITE_DOMAIN:?set SITE_DOMAIN}"

mkdir -p deploy/{templates,group_vars} && cd deploy

cat > requirements.yml <<'EOF'
collections:
  - name: community.docker
    version: "4.2.0"
EOF

cat > group_vars/all.yml <<'EOF'
stack_dir: /opt/stack
caddy_image: caddy:2.8.4
whoami_image: traefik/whoami:v1.10.3
EOF

cat > templates/compose.yml.j2 <<'EOF'
services:
  caddy:
    image: {{ caddy_image }}
    restart: unless-stopped
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - caddy_data:/data
    depends_on:
      - whoami
  whoami:
    image: {{ whoami_image }}
    restart: unless-stopped
    expose:
      - "80"
volumes:
  caddy_data: {}
EOF

cat > templates/Caddyfile.j2 <<'EOF'
{
	email {{ acme_email }}
}

{{ domain }} {
	encode gzip
	reverse_proxy whoami:80
}
EOF

cat > deploy.yml <<'EOF'
- name: Deploy the stack
  hosts: all
  become: true
  tasks:
    - name: Docker engine
      ansible.builtin.apt:
        name: [docker.io, docker-compose-v2]
        state: present
        update_cache: true

    - name: Stack directory
      ansible.builtin.file:
        path: "{{ stack_dir }}"
        state: directory
        owner: root
        mode: "0750"

    - name: Stack files
      ansible.builtin.template:
        src: "{{ item.src }}"
        dest: "{{ stack_dir }}/{{ item.dest }}"
        mode: "0640"
      loop:
        - { src: compose.yml.j2, dest: compose.yml }
        - { src: Caddyfile.j2, dest: Caddyfile }
      notify: Restart caddy

    - name: Stack is up
      community.docker.docker_compose_v2:
        project_src: "{{ stack_dir }}"
        state: present
        wait: true
      register: stack

    - name: Two containers run
      ansible.builtin.assert:
        that: stack.containers | length == 2
  handlers:
    - name: Restart caddy
      community.docker.docker_compose_v2:
        project_src: "{{ stack_dir }}"
        services: [caddy]
        state: restarted
EOF

ansible-galaxy collection install -r requirements.yml
ansible-playbook -i "${APP_HOST}," -u root \
  -e "acme_email=${ACME_EMAIL}" -e "domain=${SITE_DOMAIN}" deploy.yml
curl -fsS --retry 10 --retry-delay 6 --retry-all-errors "https://${SITE_DOMAIN}/" | grep -q '^Hostname:'
