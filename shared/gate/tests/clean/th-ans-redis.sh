#!/usr/bin/env bash
# Writes the role and the playbook of Redis for app1 to ansible/
set -euo pipefail

mkdir -p ansible/roles/redis/{defaults,tasks,handlers,templates}

cat >ansible/redis.yml <<'END_OF_FILE'
---
- name: Install Redis on the server
  hosts: servers
  become: true
  roles:
    - role: redis
END_OF_FILE
cat >ansible/roles/redis/defaults/main.yml <<'END_OF_FILE'
---
# The password, from the environment of whoever runs the playbook. The server gets its hash only.
redis_password: "{{ lookup('ansible.builtin.env', 'REDIS_PASSWORD') }}"
redis_memory_mb: 256
END_OF_FILE
cat >ansible/roles/redis/tasks/main.yml <<'END_OF_FILE'
---
- name: Make sure that the password is in the environment
  ansible.builtin.assert:
    that: redis_password | length >= 12
    fail_msg: REDIS_PASSWORD is missing or shorter than 12 characters; enter it in the credentials form
    quiet: true

- name: Install Redis
  ansible.builtin.apt:
    name: redis-server
    state: present
    update_cache: true
    cache_valid_time: 3600

- name: Let Redis write its data in the background when memory is short
  ansible.builtin.copy:
    content: "vm.overcommit_memory = 1\n"
    dest: /etc/sysctl.d/70-redis.conf
    owner: root
    group: root
    mode: "0644"
  notify: Load the kernel parameter of Redis

- name: Write the settings
  ansible.builtin.template:
    src: added.conf.j2
    dest: /etc/redis/added.conf
    owner: root
    group: redis
    mode: "0640"
  diff: false
  notify: Restart Redis

# The last value counts, so these settings come after those of the package.
- name: Have Redis read them
  ansible.builtin.lineinfile:
    path: /etc/redis/redis.conf
    line: include /etc/redis/added.conf
    insertafter: EOF
  notify: Restart Redis

- name: Run Redis from the start
  ansible.builtin.systemd:
    name: redis-server
    state: started
    enabled: true

- name: Restart Redis now when its settings changed
  ansible.builtin.meta: flush_handlers

- name: Wait until Redis answers to the password
  ansible.builtin.command: redis-cli -h 127.0.0.1 ping
  environment:
    REDISCLI_AUTH: "{{ redis_password }}"
  register: redis_answer
  until: "'PONG' in redis_answer.stdout"
  # Something that does not run is not waited for while looking.
  retries: "{{ 1 if ansible_check_mode else 20 }}"
  delay: 1
  changed_when: false
  check_mode: false
  no_log: true
END_OF_FILE
cat >ansible/roles/redis/tasks/remove.yml <<'END_OF_FILE'
---
# The module cannot say what would go.
- name: Read which packages nothing needs already  # noqa: command-instead-of-module
  ansible.builtin.command: apt-get --simulate autoremove
  register: redis_unneeded
  changed_when: false

- name: Read which packages go with Redis  # noqa: command-instead-of-module
  ansible.builtin.command: apt-get --simulate --autoremove purge redis-server redis-tools
  register: redis_going
  changed_when: false
  # Where the server does not know the package, there is nothing to remove.
  failed_when: false

- name: Remove the packages, and those that only Redis needs
  ansible.builtin.apt:
    name: "{{ ['redis-server', 'redis-tools'] + redis_only }}"
    state: absent
    purge: true
  vars:
    redis_listed: "(?m)^(?:Remv|Purg) (\\S+)"
    redis_only: >-
      {{ redis_going.stdout | regex_findall(redis_listed)
      | difference(redis_unneeded.stdout | regex_findall(redis_listed)) }}

- name: Remove settings, data and logs
  ansible.builtin.file:
    path: "{{ item }}"
    state: absent
  loop: [/etc/redis, /var/lib/redis, /var/log/redis]

- name: Remove the kernel parameter
  ansible.builtin.file:
    path: /etc/sysctl.d/70-redis.conf
    state: absent
  register: redis_kernel

- name: Give the kernel its default back
  ansible.builtin.command: sysctl --write vm.overcommit_memory=0
  changed_when: true
  when: redis_kernel is changed
END_OF_FILE
cat >ansible/roles/redis/handlers/main.yml <<'END_OF_FILE'
---
- name: Load the kernel parameter of Redis
  ansible.builtin.command: sysctl --load /etc/sysctl.d/70-redis.conf
  changed_when: true

- name: Restart Redis
  ansible.builtin.systemd:
    name: redis-server
    state: restarted
END_OF_FILE
cat >ansible/roles/redis/templates/added.conf.j2 <<'END_OF_FILE'
# Read after the package's own settings. Ansible writes this file.
bind 127.0.0.1
port 6379
protected-mode yes
# The password's hash: whoever reads this file does not know the password.
user default on #{{ redis_password | hash('sha256') }} ~* &* +@all
appendonly yes
appendfsync everysec
maxmemory {{ redis_memory_mb }}mb
maxmemory-policy noeviction
END_OF_FILE

# Fail here, not on the server, when what was written does not hold together.
if command -v ansible-playbook >/dev/null; then
  (cd ansible && ansible-playbook --syntax-check --inventory localhost, redis.yml)
else
  echo "Ansible is not available here; the role was written but not checked"
fi
find ansible/redis.yml ansible/roles/redis -type f | sort
