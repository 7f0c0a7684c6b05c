#!/usr/bin/env bash
set -euo pipefail

mkdir -p f2b && cd f2b
cat > jail.local <<'EOF'
[DEFAULT]
bantime = 1h
findtime = 10m
maxretry = 5
ignoreip = 127.0.0.1/8 ::1
backend = systemd

[sshd]
enabled = true

[app-login]
enabled = true
port = http,https
filter = app-login
backend = auto
logpath = /var/log/nginx/access.log
EOF
cat > app-login.conf <<'EOF'
[Definition]
failregex = ^<HOST> -.*"POST /login[^"]*" 401\b
ignoreregex =
EOF
scp -q jail.local server:/etc/fail2ban/jail.local
scp -q app-login.conf server:/etc/fail2ban/filter.d/app-login.conf
ssh server 'fail2ban-client -t && systemctl restart fail2ban && sleep 2 && fail2ban-client status app-login'
