#!/usr/bin/env bash
set -euo pipefail

ssh server 'bash -euo pipefail -s' <<'REMOTE'
cat > /etc/logrotate.d/app <<'EOF'
/var/log/app/*.log {
    daily
    rotate 14
    compress
    delaycompress
    missingok
    notifempty
    create 0640 root adm
    sharedscripts
    postrotate
        systemctl kill -s HUP app.service || true
    endscript
}
EOF
cat > /etc/cron.d/app-clean <<'EOF'
# m h dom mon dow user command
15 4 * * 1-5 root find /var/cache/app -type f -mtime +7 -delete
*/10 * * * * root date +\%s > /run/app.stamp
EOF
chmod 0644 /etc/logrotate.d/app /etc/cron.d/app-clean
install -d -o root -g adm -m 0750 /var/log/app /var/cache/app
logrotate -d /etc/logrotate.d/app
REMOTE
