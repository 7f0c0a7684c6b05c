# Neither the server nor the workspace has anything of Redis left
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
for path in /etc/redis /var/lib/redis /usr/bin/redis-server /etc/sysctl.d/70-redis.conf; do
  if sudo test -e "$path"; then
    echo "$path is still there" >&2
    exit 1
  fi
done
listening=$(ss -ltnH 'sport = :6379')
if [[ -n $listening ]]; then
  echo "something still listens on port 6379" >&2
  exit 1
fi
REMOTE
test ! -e ansible/redis.yml
test ! -e ansible/roles/redis
echo "Proved: @name@ has no Redis, no data of it and no role for it"
