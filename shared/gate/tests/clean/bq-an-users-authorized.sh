#!/usr/bin/env bash
# Accounts from a table in group_vars: keys exclusive, sudo by a checked file, leavers locked.
set -euo pipefail

mkdir -p ~/workspace/ansible/{group_vars/all,collections}
cd ~/workspace/ansible
[[ -f inventory.ini ]] || printf '[web]\nserver\n' > inventory.ini

cat > collections/posix.yml <<'EOF'
---
collections:
  - name: ansible.posix
    version: 1.6.2
EOF

cat > group_vars/all/people.yml <<'EOF'
---
people_keys_dir: "{{ lookup('ansible.builtin.env', 'HOME') }}/team-keys"
people:
  anna:
    groups: [adm, operators]
  bilal:
    groups: [adm]
  dmitri:
    state: locked
EOF

cat > people.yml <<'EOF'
---
- name: People on the servers
  hosts: all
  become: true
  vars:
    active: "{{ people | dict2items | rejectattr('value.state', 'defined') | items2dict }}"
    locked: "{{ people | dict2items | selectattr('value.state', 'defined') | selectattr('value.state', 'eq', 'locked') | map(attribute='key') | list }}"
  tasks:
    - name: Keys are there
      ansible.builtin.assert:
        that: (people_keys_dir + '/' + item + '.pub') is file
        fail_msg: "no key for {{ item }}"
        quiet: true
      loop: "{{ active.keys() | list }}"
      delegate_to: localhost
      become: false

    - name: Groups
      ansible.builtin.group:
        name: "{{ item }}"
        state: present
      loop: "{{ active.values() | map(attribute='groups') | flatten | unique | sort }}"

    - name: Accounts
      ansible.builtin.user:
        name: "{{ item.key }}"
        shell: /bin/bash
        groups: "{{ item.value.groups }}"
        append: false
        create_home: true
        password_lock: true
      loop: "{{ active | dict2items }}"
      loop_control:
        label: "{{ item.key }}"

    - name: Keys, these and no others
      ansible.posix.authorized_key:
        user: "{{ item }}"
        key: "{{ lookup('ansible.builtin.file', people_keys_dir + '/' + item + '.pub') }}"
        exclusive: true
      loop: "{{ active.keys() | list }}"

    - name: Which of the leavers have an account
      ansible.builtin.getent:
        database: passwd

    - name: Lock the leavers
      ansible.builtin.user:
        name: "{{ item }}"
        password_lock: true
        shell: /usr/sbin/nologin
        groups: []
        append: false
      loop: "{{ locked | intersect(ansible_facts.getent_passwd.keys() | list) }}"

    - name: Take the keys of the leavers away
      ansible.builtin.file:
        path: "{{ ansible_facts.getent_passwd[item][4] }}/.ssh/authorized_keys"
        state: absent
      loop: "{{ locked | intersect(ansible_facts.getent_passwd.keys() | list) }}"

    - name: What operators may do
      ansible.builtin.copy:
        dest: /etc/sudoers.d/50-operators
        owner: root
        group: root
        mode: "0440"
        validate: /usr/sbin/visudo --check --file=%s
        content: |
          %operators ALL=(root) NOPASSWD: /usr/bin/systemctl restart shop.service, /usr/bin/systemctl reload shop.service
EOF

ansible-galaxy collection install -r collections/posix.yml
ansible-playbook -i inventory.ini --syntax-check people.yml
ansible-playbook -i inventory.ini people.yml
