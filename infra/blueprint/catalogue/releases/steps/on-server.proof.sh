systemctl is-enabled app.socket
test -x /usr/local/sbin/release
test -d /srv/app/releases
