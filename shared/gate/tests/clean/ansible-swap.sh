#!/usr/bin/env bash
# Adds swap space, kernel settings and a nightly job
set -euo pipefail
cd ~/workspace/ansible
mkdir -p tasks files
cat > tasks/swap.yml <<'EOF'
---
- name: Look for the swap file
  ansible.builtin.stat:
    path: "{{ swap_file }}"
  register: swap_state

- name: Make the swap file
  ansible.builtin.shell: |
    set -o errexit
    fallocate --length {{ swap_size }} {{ swap_file }}
    chmod 600 {{ swap_file }}
    mkswap {{ swap_file }}
    swapon {{ swap_file }}
  args:
    creates: "{{ swap_file }}"
    executable: /bin/bash

- name: Mount it at each boot
  ansible.builtin.lineinfile:
    path: /etc/fstab
    regexp: "^{{ swap_file | regex_escape }}\\s"
    line: "{{ swap_file }} none swap sw 0 0"
  when: not swap_state.stat.exists
EOF
cat > files/report-memory.py <<'EOF'
#!/usr/bin/env python3
"""Prints how much memory is in use, as a line of JSON."""
import json
import sys


def read(path="/proc/meminfo"):
    values = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            name, _, rest = line.partition(":")
            values[name] = int(rest.split()[0])
    return values


def main():
    values = read()
    used = 1 - values["MemAvailable"] / values["MemTotal"]
    print(json.dumps({"used": round(used, 3), "swap": values.get("SwapTotal", 0)}))
    return 0 if used < 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
EOF
cat > memory.yml <<'EOF'
---
- name: Give the server more memory
  hosts: all
  become: true
  vars:
    swap_file: /swapfile
    swap_size: 2G
    kernel:
      vm.swappiness: 10
      vm.overcommit_memory: 1
  tasks:
    - name: Set the kernel up
      ansible.builtin.copy:
        dest: /etc/sysctl.d/60-memory.conf
        content: |
          {% for key, value in kernel.items() %}
          {{ key }} = {{ value }}
          {% endfor %}
        mode: "0644"
      register: kernel_file

    - name: Load the settings
      ansible.builtin.command: sysctl --system
      when: kernel_file is changed
      changed_when: true

    - name: Import the swap
      ansible.builtin.import_tasks: tasks/swap.yml

    - name: Copy the report
      ansible.builtin.copy:
        src: report-memory.py
        dest: /usr/local/bin/report-memory
        mode: "0755"

    - name: Report each hour
      ansible.builtin.cron:
        name: report memory
        minute: "7"
        user: root
        job: /usr/local/bin/report-memory >>/var/log/memory.log

    - name: Run it once
      ansible.builtin.command: /usr/local/bin/report-memory
      register: report
      changed_when: false
      failed_when: report.rc not in [0, 1]

    - name: Keep the numbers
      ansible.builtin.set_fact:
        memory_used: "{{ (report.stdout | from_json).used }}"

    - name: Show them
      ansible.builtin.debug:
        var: memory_used
EOF
ansible-playbook --inventory inventory.ini memory.yml
