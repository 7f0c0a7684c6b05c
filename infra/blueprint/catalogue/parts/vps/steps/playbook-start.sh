#!/usr/bin/env bash
# Writes the playbook of @name@ and its roles to ansible/
set -euo pipefail

mkdir -p ansible/group_vars ansible/roles/hardening/{defaults,tasks,handlers,templates,files}

#@write ansible.cfg ansible/ansible.cfg
#@write site.yml ansible/site.yml
#@write group-vars.yml ansible/group_vars/all.yml
#@write hardening-defaults.yml ansible/roles/hardening/defaults/main.yml
#@write hardening-tasks.yml ansible/roles/hardening/tasks/main.yml
#@write hardening-handlers.yml ansible/roles/hardening/handlers/main.yml
#@write sshd.conf.j2 ansible/roles/hardening/templates/sshd.conf.j2
#@write unattended-upgrades.j2 ansible/roles/hardening/templates/unattended-upgrades.j2
#@write sysctl.conf ansible/roles/hardening/files/sysctl.conf
