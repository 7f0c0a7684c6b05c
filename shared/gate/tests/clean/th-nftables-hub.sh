#!/usr/bin/env bash
# WireGuard gateway with hardened SSH, nftables and fail2ban.
set -euo pipefail

: "${PEER_PUBLIC_KEY:?set PEER_PUBLIC_KEY}"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends wireguard nftables fail2ban python3-systemd

if [ ! -s /root/.ssh/authorized_keys ]; then
  echo "no key in /root/.ssh/authorized_keys, refusing to close password login" >&2
  exit 1
fi

umask 077
if [ ! -s /etc/wireguard/private.key ]; then
  wg genkey > /etc/wireguard/private.key
fi
cat > /etc/wireguard/wg0.conf <<EOF
[Interface]
Address = 10.8.0.1/24
ListenPort = 51820
PrivateKey = $(cat /etc/wireguard/private.key)

[Peer]
PublicKey = $PEER_PUBLIC_KEY
AllowedIPs = 10.8.0.2/32
PersistentKeepalive = 25
EOF
umask 022

cat > /etc/sysctl.d/70-wireguard.conf <<'EOF'
net.ipv4.ip_forward = 1
net.ipv4.conf.all.rp_filter = 2
EOF
sysctl -p /etc/sysctl.d/70-wireguard.conf

cat > /etc/nftables.conf <<'EOF'
#!/usr/sbin/nft -f
flush ruleset

table inet filter {
  chain input {
    type filter hook input priority filter; policy drop;
    iif "lo" accept
    ct state established,related accept
    ct state invalid drop
    meta l4proto { icmp, ipv6-icmp } accept
    ip saddr 203.0.113.7 tcp dport 22 accept
    ip saddr 203.0.113.0/24 udp dport 51820 accept
  }
  chain forward {
    type filter hook forward priority filter; policy drop;
    ct state established,related accept
    iifname "wg0" oifname "eth0" accept
  }
}

table ip nat {
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr 10.8.0.0/24 oifname "eth0" masquerade
  }
}
EOF
nft -c -f /etc/nftables.conf

cat > /etc/ssh/sshd_config.d/05-hardening.conf <<'EOF'
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
X11Forwarding no
MaxAuthTries 3
ClientAliveInterval 300
ClientAliveCountMax 2
EOF
sshd -t

cat > /etc/fail2ban/jail.d/sshd.local <<'EOF'
[sshd]
enabled = true
backend = systemd
port = ssh
maxretry = 4
findtime = 10m
bantime = 1h
banaction = nftables-multiport
EOF
fail2ban-client -t

systemctl enable nftables wg-quick@wg0 fail2ban
systemctl restart nftables
systemctl restart wg-quick@wg0
systemctl reload ssh
systemctl restart fail2ban
wg show wg0 | grep -F "$PEER_PUBLIC_KEY"
sshd -T | grep -x 'passwordauthentication no'
