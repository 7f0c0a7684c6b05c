#!/bin/bash
# Lays out a web role and a base role with their variables and an inventory
set -euo pipefail

readonly ROOT="$HOME/workspace/ansible"

main() {
	mkdir -p "$ROOT"/roles/{base,web}/{tasks,templates,handlers,defaults} "$ROOT/group_vars" "$ROOT/inventory"
	write_inventory
	write_roles
	cd "$ROOT"
	ansible-playbook -i inventory/hosts.ini site.yml --syntax-check
	ansible-playbook -i inventory/hosts.ini site.yml --limit web
}

write_inventory() {
	cat >"$ROOT/inventory/hosts.ini" <<-'INI'
	[web]
	web-1 ansible_host=203.0.113.20 web_workers=4
	web-2 ansible_host=203.0.113.21 web_workers=2

	[web:vars]
	ansible_user=deploy
	INI
}

write_roles() {
	cat >"$ROOT/group_vars/all.yml" <<'YAML'
---
base_packages:
  - curl
  - chrony
base_timezone: Europe/Berlin
YAML
	cat >"$ROOT/roles/base/tasks/main.yml" <<'YAML'
---
- name: Install packages
  ansible.builtin.apt:
    name: "{{ base_packages }}"
    state: present
    update_cache: true
  when: ansible_facts['os_family'] == 'Debian'

- name: Read the time zone
  ansible.builtin.command: timedatectl show --property=Timezone --value
  register: base_zone
  changed_when: false
  check_mode: false

- name: Set the time zone
  ansible.builtin.command: timedatectl set-timezone {{ base_timezone }}
  when: base_zone.stdout != base_timezone
  changed_when: true
YAML
	cat >"$ROOT/roles/web/defaults/main.yml" <<'YAML'
---
web_root: /srv/www
web_sites:
  - {name: shop, port: 8080}
  - {name: blog, port: 8090}
YAML
	cat >"$ROOT/roles/web/templates/site.conf.j2" <<'J2'
{% for site in web_sites if site.port is defined %}
server {
    listen {{ site.port }};
    server_name {{ site.name }}.{{ web_domain | default(inventory_hostname) }};
    root {{ web_root }}/{{ site.name }};
{% if web_workers | int > 2 %}
    access_log /var/log/nginx/{{ site.name }}.log;
{% else %}
    access_log off;
{% endif %}
}
{% endfor %}
J2
	cat >"$ROOT/roles/web/tasks/main.yml" <<'YAML'
---
- name: Include the tasks of the certificate
  ansible.builtin.include_tasks: tls.yml
  when: web_tls is defined and web_tls | bool

- name: Make the folders
  ansible.builtin.file:
    path: "{{ web_root }}/{{ site.name }}"
    state: directory
    owner: www-data
    group: www-data
    mode: "0755"
  loop: "{{ web_sites }}"
  loop_control:
    loop_var: site
    label: "{{ site.name }}"

- name: Write the sites
  ansible.builtin.template:
    src: site.conf.j2
    dest: /etc/nginx/conf.d/sites.conf
    mode: "0644"
  notify: reload web
YAML
	cat >"$ROOT/roles/web/tasks/tls.yml" <<'YAML'
---
- name: Look for the certificate
  ansible.builtin.stat:
    path: /etc/ssl/private/web.pem
  register: web_certificate

- name: Require it
  ansible.builtin.assert:
    that:
      - web_certificate.stat.exists
      - web_certificate.stat.size | int > 0
YAML
	cat >"$ROOT/roles/web/handlers/main.yml" <<'YAML'
---
- name: Reload nginx
  listen: reload web
  ansible.builtin.service:
    name: nginx
    state: reloaded
YAML
	cat >"$ROOT/site.yml" <<'YAML'
---
- name: Prepare all servers
  hosts: all
  become: true
  roles: [base]

- name: Serve the sites
  hosts: web
  become: true
  roles:
    - role: web
      tags: [web]
YAML
}

main "$@"
