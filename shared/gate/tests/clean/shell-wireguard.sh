#!/usr/bin/env bash
# Sets up the WireGuard tunnel of the administrator
set -euo pipefail
keys=~/workspace/wireguard
install -d -m 700 "$keys"
umask 077
for peer in server admin; do
  if [[ ! -s $keys/$peer.key ]]; then
    wg genkey >"$keys/$peer.key"
  fi
  wg pubkey <"$keys/$peer.key" >"$keys/$peer.pub"
done
cat >"$keys/wg0.conf" <<EOF
[Interface]
Address = 10.8.0.1/24
ListenPort = 51820
PrivateKey = $(cat "$keys/server.key")

[Peer]
PublicKey = $(cat "$keys/admin.pub")
AllowedIPs = 10.8.0.2/32
EOF
ssh server 'sudo install -m 600 /dev/stdin /etc/wireguard/wg0.conf' <"$keys/wg0.conf"
ssh server 'sudo systemctl enable --now wg-quick@wg0'
ssh server 'sudo wg show wg0 latest-handshakes'
