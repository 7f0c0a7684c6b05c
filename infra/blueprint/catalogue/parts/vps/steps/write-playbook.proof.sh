# Every role that the playbook names is there, and Ansible reads them where Ansible is available
test -s ansible/ansible.cfg
roles=$(sed -n 's/^ *- role: //p' ansible/site.yml)
test -n "$roles"
for role in $roles; do
  test -s "ansible/roles/$role/tasks/main.yml"
done
if command -v ansible-playbook >/dev/null; then
  (cd ansible && ansible-playbook --syntax-check --inventory localhost, site.yml >/dev/null)
fi
echo "Proved: the playbook has its roles: ${roles//$'\n'/, }"
