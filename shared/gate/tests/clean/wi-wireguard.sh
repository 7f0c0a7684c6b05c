#!/usr/bin/env bash
set -euo pipefail

ssh server 'bash -euo pipefail -s' <<'REMOTE'
umask 077
install -d -m 0700 /etc/wireguard
[[ -s /etc/wireguard/wg0.key ]] || wg genkey > /etc/wireguard/wg0.key
wg pubkey < /etc/wireguard/wg0.key > /etc/wireguard/wg0.pub
cat > /etc/wireguard/wg0.conf <<'EOF'
[Interface]
Address = 10.99.0.1/24
ListenPort = 51820
PostUp = wg set %i private-key /etc/wireguard/%i.key

[Peer]
PublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=
AllowedIPs = 10.99.0.2/32
PersistentKeepalive = 25
EOF
systemctl enable wg-quick@wg0
systemctl restart wg-quick@wg0
wg show wg0 listen-port | grep -qx 51820
REMOTE
