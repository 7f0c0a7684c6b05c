#!/usr/bin/env bash
# WireGuard between the shop's server and the admin's machine; keys are made where they are used.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST, e.g. deploy@203.0.113.10}"
: "${ADMIN_PUBLIC_KEY:?set ADMIN_PUBLIC_KEY to the public WireGuard key of the admin}"
: "${ADMIN_CIDR:?set ADMIN_CIDR to your own address with /32}"
wg_port="${WG_PORT:-51820}"

if [[ ! "$ADMIN_PUBLIC_KEY" =~ ^[A-Za-z0-9+/]{43}=$ ]]; then
  echo "ADMIN_PUBLIC_KEY is no WireGuard key" >&2
  exit 1
fi

remote() { ssh -o BatchMode=yes -o StrictHostKeyChecking=yes "$SHOP_HOST" "$@"; }

remote sudo bash -s -- "$ADMIN_PUBLIC_KEY" "$ADMIN_CIDR" "$wg_port" <<'EOF'
set -euo pipefail
admin_key="$1" admin_cidr="$2" port="$3"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq wireguard-tools ufw

install -d -m 0700 /etc/wireguard
if [[ ! -s /etc/wireguard/server.key ]]; then
  (umask 077 && wg genkey > /etc/wireguard/server.key)
fi
wg pubkey < /etc/wireguard/server.key > /etc/wireguard/server.pub

new="$(mktemp /etc/wireguard/wg0.XXXXXX)"
trap 'rm -f "$new"' EXIT
cat > "$new" <<CONF
[Interface]
Address = 10.8.0.1/24
ListenPort = $port
PostUp = wg set %i private-key /etc/wireguard/server.key

[Peer]
PublicKey = $admin_key
AllowedIPs = 10.8.0.2/32
CONF
chmod 0600 "$new"

changed=no
if ! cmp -s "$new" /etc/wireguard/wg0.conf; then
  cp "$new" /etc/wireguard/wg0.conf
  chmod 0600 /etc/wireguard/wg0.conf
  changed=yes
fi

ufw default deny incoming
ufw allow proto tcp from "$admin_cidr" to any port 22
ufw allow proto udp from "$admin_cidr" to any port "$port"
ufw allow proto tcp to any port 80,443
ufw --force enable

systemctl enable --now wg-quick@wg0
if [[ "$changed" == yes ]]; then
  systemctl restart wg-quick@wg0
fi
EOF

# Proof: the interface is up, listens on the port, and knows exactly this peer.
[[ "$(remote sudo wg show wg0 listen-port)" == "$wg_port" ]]
[[ "$(remote sudo wg show wg0 peers)" == "$ADMIN_PUBLIC_KEY" ]]

server_key="$(remote sudo cat /etc/wireguard/server.pub)"
cat <<EOF
Add this to your own wg0.conf:

[Interface]
Address = 10.8.0.2/32

[Peer]
PublicKey = $server_key
Endpoint = ${SHOP_HOST#*@}:$wg_port
AllowedIPs = 10.8.0.1/32
PersistentKeepalive = 25
EOF
