#!/usr/bin/env bash
# sshd, fail2ban and the nftables firewall of a web host.
set -euo pipefail

if (( EUID != 0 )); then
  echo "run as root" >&2
  exit 1
fi

apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q fail2ban nftables python3-systemd

cat > /etc/ssh/sshd_config.d/10-hardening.conf <<'EOF'
PermitRootLogin no
PasswordAuthentication no
KbdInteractiveAuthentication no
PubkeyAuthentication yes
AllowGroups sshusers
MaxAuthTries 3
LoginGraceTime 30
X11Forwarding no
ClientAliveInterval 300
ClientAliveCountMax 2
EOF

getent group sshusers > /dev/null || groupadd --system sshusers
usermod -aG sshusers deploy
sshd -t
systemctl reload ssh

cat > /etc/fail2ban/jail.d/local.conf <<'EOF'
[DEFAULT]
bantime = 1h
findtime = 10m
maxretry = 5
banaction = nftables-multiport
ignoreip = 127.0.0.1/8 ::1 203.0.113.7

[sshd]
enabled = true
backend = systemd
mode = aggressive
EOF

cat > /etc/nftables.conf <<'EOF'
#!/usr/sbin/nft -f
table inet filter
delete table inet filter

table inet filter {
    chain input {
        type filter hook input priority filter; policy drop;
        iif "lo" accept
        ct state established,related accept
        ct state invalid drop
        ip protocol icmp accept
        meta l4proto ipv6-icmp accept
        ip saddr 203.0.113.7 tcp dport 22 accept
        tcp dport { 80, 443 } accept
    }
    chain forward {
        type filter hook forward priority filter; policy drop;
    }
    chain output {
        type filter hook output priority filter; policy accept;
    }
}
EOF

nft -c -f /etc/nftables.conf
systemctl enable nftables
systemctl restart nftables
fail2ban-client -t
systemctl enable fail2ban
systemctl restart fail2ban
