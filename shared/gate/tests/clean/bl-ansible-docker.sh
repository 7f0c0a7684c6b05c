#!/usr/bin/env bash
set -euo pipefail

cat > inventory.ini <<'EOF'
[docker]
server ansible_python_interpreter=/usr/bin/python3
EOF

cat > docker.yml <<'EOF'
---
- name: Install Docker Engine
  hosts: docker
  become: true
  vars:
    docker_version: "5:27.4.1-1~debian.12~bookworm"
  tasks:
    - name: Create the directories
      ansible.builtin.file:
        path: "{{ item }}"
        state: directory
        mode: "0755"
      loop:
        - /etc/apt/keyrings
        - /etc/docker

    - name: Fetch the Docker key
      ansible.builtin.get_url:
        url: https://download.docker.com/linux/debian/gpg
        dest: /etc/apt/keyrings/docker.asc
        mode: "0644"

    - name: Add the Docker repository
      ansible.builtin.apt_repository:
        repo: "deb [arch=amd64 signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/debian bookworm stable"
        filename: docker
        state: present

    - name: Install the engine
      ansible.builtin.apt:
        name:
          - "docker-ce={{ docker_version }}"
          - "docker-ce-cli={{ docker_version }}"
        update_cache: true

    - name: Limit the logs
      ansible.builtin.copy:
        dest: /etc/docker/daemon.json
        content: |
          {
            "log-driver": "json-file",
            "log-opts": {
              "max-size": "10m",
              "max-file": "3"
            }
          }
        mode: "0644"
      notify: Restart docker

    - name: Start docker
      ansible.builtin.systemd_service:
        name: docker
        state: started
        enabled: true

  handlers:
    - name: Restart docker
      ansible.builtin.systemd_service:
        name: docker
        state: restarted
EOF

ansible-playbook -i inventory.ini docker.yml
ssh server 'sudo docker info --format "{{.LoggingDriver}}"' | grep -qx json-file
