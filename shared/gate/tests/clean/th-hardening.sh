#!/usr/bin/env bash
set -euo pipefail
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends fail2ban python3-systemd nftables unattended-upgrades

cat > /etc/ssh/sshd_config.d/20-hardening.conf <<'EOF'
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
X11Forwarding no
MaxAuthTries 3
LoginGraceTime 30
EOF
chmod 0600 /etc/ssh/sshd_config.d/20-hardening.conf
sshd -t
systemctl reload ssh

cat > /etc/nftables.conf <<EOF
#!/usr/sbin/nft -f
flush ruleset

define admin = ${ADMIN_CIDR}

table inet filter {
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    ct state invalid drop
    iifname "lo" accept
    meta l4proto { icmp, ipv6-icmp } accept
    ip saddr \$admin tcp dport 22 accept
    tcp dport { 80, 443 } accept
  }
  chain forward {
    type filter hook forward priority filter; policy drop;
  }
}
EOF
nft -c -f /etc/nftables.conf
systemctl enable nftables
systemctl restart nftables

cat > /etc/fail2ban/filter.d/site-login.conf <<'EOF'
[Definition]
failregex = ^<HOST> .* "POST /login[^"]*" 401
ignoreregex =
EOF

touch /var/log/site-access.log
cat > /etc/fail2ban/jail.d/site.local <<'EOF'
[DEFAULT]
banaction = nftables-multiport
bantime = 1h
findtime = 10m
maxretry = 5
ignoreip = 127.0.0.1/8 ::1

[sshd]
enabled = true
backend = systemd
maxretry = 3

[site-login]
enabled = true
port = http,https
filter = site-login
logpath = /var/log/site-access.log
EOF

cat > /etc/apt/apt.conf.d/20auto-upgrades <<'EOF'
APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
EOF

fail2ban-client -t
systemctl enable fail2ban
systemctl restart fail2ban

for _ in $(seq 1 15); do
  fail2ban-client ping > /dev/null 2>&1 && break
  sleep 1
done
for jail in sshd site-login; do
  fail2ban-client status "$jail" > /dev/null
done
sshd -T | grep -x 'passwordauthentication no' > /dev/null
nft list chain inet filter input | grep -F 'dport 22' | grep -qF "${ADMIN_CIDR%/32}"
