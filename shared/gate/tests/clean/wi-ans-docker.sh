#!/usr/bin/env bash
set -euo pipefail

mkdir -p app-deploy && cd app-deploy
cat > requirements.yml <<'EOF'
collections:
  - name: community.docker
    version: 4.2.0
EOF
cat > play.yml <<'EOF'
- name: Application container
  hosts: all
  become: true
  gather_facts: false
  vars:
    app_image: ghcr.io/acme/app:1.8.2
    app_format: !unsafe '{{.State.Health.Status}}'
  tasks:
    - name: Network
      community.docker.docker_network:
        name: app

    - name: Container
      community.docker.docker_container:
        name: app
        image: "{{ app_image }}"
        restart_policy: unless-stopped
        networks:
          - name: app
        published_ports:
          - "127.0.0.1:8080:8080"
        env:
          LOG_LEVEL: info
          WORKERS: "4"
        healthcheck:
          test: ["CMD", "wget", "-qO-", "http://127.0.0.1:8080/healthz"]
          interval: 10s
          retries: 6

    - name: Wait until it is healthy
      ansible.builtin.command:
        argv: [docker, inspect, --format, "{{ app_format }}", app]
      register: app_health
      until: app_health.stdout == 'healthy'
      retries: 12
      delay: 5
      changed_when: false
EOF
ansible-galaxy collection install -r requirements.yml
ansible-playbook -i 'server,' -u root play.yml
ssh server 'curl -fsS http://127.0.0.1:8080/healthz'
