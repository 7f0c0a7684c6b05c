# The role and its playbook are there, and Ansible reads them where Ansible is available
test -s ansible/redis.yml
for file in defaults/main.yml tasks/main.yml tasks/remove.yml handlers/main.yml templates/added.conf.j2; do
  test -s "ansible/roles/redis/$file"
done
grep --quiet --line-regexp 'redis_memory_mb: @redis_memory_mb@' ansible/roles/redis/defaults/main.yml
if command -v ansible-playbook >/dev/null; then
  (cd ansible && ansible-playbook --syntax-check --inventory localhost, redis.yml >/dev/null)
fi
echo "Proved: the role of Redis is written, with @redis_memory_mb@ MB of memory"
