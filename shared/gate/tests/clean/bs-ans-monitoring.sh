#!/usr/bin/env bash
# Prometheus node_exporter on every server of the shop, reachable over the private network only.
set -euo pipefail

: "${WEB_HOST:?set WEB_HOST}"
: "${DB_HOST:?set DB_HOST}"
: "${PROMETHEUS_IP:?set PROMETHEUS_IP to the private address of Prometheus}"

work="${WORK_DIR:-$PWD/ans-monitoring}"
mkdir -p "$work/templates"
cd "$work"

cat > inventory.yml <<EOF
monitored:
  hosts:
    web-1:
      ansible_host: "$WEB_HOST"
      private_ip: 10.30.0.2
    db-1:
      ansible_host: "$DB_HOST"
      private_ip: 10.30.0.3
  vars:
    ansible_user: "${SSH_USER:-deploy}"
    prometheus_ip: "$PROMETHEUS_IP"
EOF

cat > templates/node_exporter.service.j2 <<'EOF'
[Unit]
Description=Prometheus node exporter
Wants=network-online.target
After=network-online.target

[Service]
User=node_exporter
ExecStart=/opt/node_exporter/node_exporter --web.listen-address={{ private_ip }}:9100
Restart=on-failure
ProtectHome=true

[Install]
WantedBy=multi-user.target
EOF

cat > playbook.yml <<'EOF'
- name: Node exporter
  hosts: monitored
  become: true
  vars:
    version: 1.8.2
    sha256: 6809dd0b3ec45fd6e992c19071d6b5253aed3ead7bf0686885a51d85c6643c66
    archive: node_exporter-{{ version }}.linux-amd64
  tasks:
    - name: User of the exporter
      ansible.builtin.user:
        name: node_exporter
        system: true
        shell: /usr/sbin/nologin
    - name: Directory of the exporter
      ansible.builtin.file:
        path: /opt/node_exporter
        state: directory
        mode: "0755"
    - name: Archive
      ansible.builtin.get_url:
        url: https://github.com/prometheus/node_exporter/releases/download/v{{ version }}/{{ archive }}.tar.gz
        dest: /opt/{{ archive }}.tar.gz
        checksum: sha256:{{ sha256 }}
        mode: "0644"
    - name: Unpack the archive
      ansible.builtin.unarchive:
        src: /opt/{{ archive }}.tar.gz
        dest: /opt/node_exporter
        remote_src: true
        extra_opts: [--strip-components=1]
      notify: Restart node_exporter
    - name: Unit
      ansible.builtin.template:
        src: node_exporter.service.j2
        dest: /etc/systemd/system/node_exporter.service
        mode: "0644"
      notify: Restart node_exporter
    - name: Started and enabled
      ansible.builtin.systemd_service:
        name: node_exporter
        state: started
        enabled: true
        daemon_reload: true
    - name: Prometheus may connect
      ansible.builtin.command: >-
        ufw allow proto tcp from {{ prometheus_ip }} to {{ private_ip }} port 9100
      register: ufw
      changed_when: "'added' in ufw.stdout"
    - ansible.builtin.meta: flush_handlers
    - name: The exporter answers
      ansible.builtin.uri:
        url: http://{{ private_ip }}:9100/metrics
        return_content: true
      register: metrics
      retries: 5
      until: "'node_uname_info' in metrics.content | default('')"
  handlers:
    - name: Restart node_exporter
      ansible.builtin.systemd_service:
        name: node_exporter
        state: restarted
        daemon_reload: true
EOF

ansible-playbook -i inventory.yml --syntax-check playbook.yml
ansible-playbook -i inventory.yml playbook.yml
ansible monitored -i inventory.yml -m ansible.builtin.command -a "systemctl is-enabled node_exporter"
