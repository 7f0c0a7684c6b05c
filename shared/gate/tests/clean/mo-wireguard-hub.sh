#!/usr/bin/env bash
# WireGuard hub: keys, hub configuration, one client file.
set -euo pipefail

: "${HUB_ENDPOINT:?}"
iface=wg0
port=51820

apt-get update -q
apt-get install -y -q wireguard-tools

umask 077
mkdir -p /etc/wireguard/clients
cd /etc/wireguard

for who in hub laptop; do
  if [[ ! -s $who.key ]]; then
    wg genkey > "$who.key"
  fi
  wg pubkey < "$who.key" > "$who.pub"
done
[[ -s laptop.psk ]] || wg genpsk > laptop.psk

cat > "$iface.conf" <<EOF
[Interface]
Address = 10.99.0.1/24
ListenPort = $port
PrivateKey = $(< hub.key)

[Peer]
PublicKey = $(< laptop.pub)
PresharedKey = $(< laptop.psk)
AllowedIPs = 10.99.0.2/32
EOF

cat > clients/laptop.conf <<EOF
[Interface]
Address = 10.99.0.2/32
PrivateKey = $(< laptop.key)

[Peer]
PublicKey = $(< hub.pub)
PresharedKey = $(< laptop.psk)
Endpoint = $HUB_ENDPOINT:$port
AllowedIPs = 10.99.0.0/24, 10.20.0.0/16
PersistentKeepalive = 25
EOF

(
  umask 022
  echo 'net.ipv4.ip_forward = 1' > /etc/sysctl.d/70-wireguard.conf
)
sysctl -q -p /etc/sysctl.d/70-wireguard.conf

systemctl enable "wg-quick@$iface"
if systemctl is-active --quiet "wg-quick@$iface"; then
  wg syncconf "$iface" <(wg-quick strip "$iface")
else
  systemctl start "wg-quick@$iface"
fi
wg show "$iface"
