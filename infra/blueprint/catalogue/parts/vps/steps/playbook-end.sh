
# Fail here, not on the server, when what was written does not hold together.
if command -v ansible-playbook >/dev/null; then
  (cd ansible && ansible-playbook --syntax-check --inventory localhost, site.yml)
else
  echo "Ansible is not available here; the playbook was written but not checked"
fi

echo "Written:"
find ansible -type f | sort
